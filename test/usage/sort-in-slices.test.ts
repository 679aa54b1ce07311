import { expect, it } from 'vitest'
import { sortInSlices } from '../../src/observe/in-slices.ts'
import { countTurns } from '../support/count-turns.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { slowClock } from '../support/slow-clock.ts'

interface Item {
  readonly calls: number
  readonly at: number
}
const mostFirst = (one: Item, other: Item): number => other.calls - one.calls

it.each([0, 1, 4_999, 5_000, 5_001, 10_000, 23_456])(
  '%i items are sorted as toSorted does, equal ones too',
  async (many) => {
    const random = seededRandom(many)
    for (const different of [1, 7, 1_000_000]) {
      const items = Array.from({ length: many }, (_, at) => ({ calls: Math.floor(random() * different), at }))
      const before = [...items]
      expect(await sortInSlices(items, mostFirst)).toEqual(items.toSorted(mostFirst))
      expect(items).toEqual(before)
    }
  },
)

it('calls are answered while items are sorted', async () => {
  const items = Array.from({ length: 6_000 }, (_, at) => ({ calls: at % 10, at }))
  await slowClock()
  const [, turns] = await countTurns(() => sortInSlices(items, mostFirst))
  expect(turns).toBeGreaterThanOrEqual(items.length)
})
