import { expect, it } from 'vitest'
import { lineageKey } from '../../../src/compare/lineage.ts'
import { countPortions } from '../../../src/compare/tally/portions.ts'
import { OwnTally } from '../../../src/compare/tally/postgres/own-tally.ts'
import { expectationsFrom, lost } from '../../compare/support/lines.ts'
import { criteriaOf, observe } from '../../compare/support/observing.ts'

const lines = expectationsFrom([lost('gone', 'no more')])
const DAY = '2027-03-04'

/**
 * What a process holds in memory after so many exchanges while the database is away, in characters of JSON. Each exchange comes
 * from another client with another input, and differs in another way, and v1 has three releases.
 */
function heldAfter(exchanges: number): number {
  const portions = countPortions(() => criteriaOf(new Map([['first', lines]])))
  const own = new OwnTally()
  for (let made = 0; made < exchanges; made++) {
    const observation = observe({
      ...{ operation: 'first', expectations: lines, input: `input ${made}`, client: `client ${made}` },
      ...{
        control: { [`m${made}`]: made },
        candidate: { [`n${made}`]: 1 },
        at: new Date(1_800_000_000_000 + made * 1_000),
      },
    })
    const lineage = { mapping: 'm', v1: `release ${made % 3}`, legacy: null }
    portions.record({ ...observation, lineage })
    // Each second the store is asked again; it never confirms.
    if (made % 100 === 0) own.add(portions.next(DAY))
  }
  const { changed, dropped } = own.changes()
  expect(new Set(changed.map(({ counts }) => lineageKey(counts.lineage))).size).toBe(changed.length)
  return JSON.stringify([changed, dropped, portions.unstored('first')]).length
}

it('what is found while the database is away is held in bounded memory, however long that is', () => {
  // From 12,288 on, each release has as many differing units as are kept.
  const [some, more] = [heldAfter(13_000), heldAfter(20_000)]
  expect(some).toBeGreaterThan(100_000)
  expect(more / some).toBeLessThan(1.3)
})
