import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inTimeOrder, TimeSpan } from '../../src/recordings/time-order.ts'

interface Entry {
  readonly place: number
  readonly at: number | undefined
}

async function ordered(entries: readonly Entry[]): Promise<readonly Entry[]> {
  const span = new TimeSpan()
  for (const { at } of entries) span.add(at)
  const found: Entry[] = []
  async function* all(): AsyncGenerator<Entry> {
    yield* entries
  }
  for await (const entry of inTimeOrder(all(), ({ at }) => at, span.lateBy)) found.push(entry)
  return found
}

const times = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }), { maxLength: 60 })

describe('the entries of a file', () => {
  it('come in the order of their times, then of the file; those without a time after the one before', async () => {
    await fc.assert(
      fc.asyncProperty(times, async (all) => {
        const entries = all.map((at, place): Entry => ({ at, place }))
        let last = Number.NEGATIVE_INFINITY
        const expected = entries
          .map((entry) => {
            last = entry.at ?? last
            return { entry, at: last }
          })
          .sort((one, other) => (one.at === other.at ? one.entry.place - other.entry.place : one.at - other.at))
        expect(await ordered(entries)).toEqual(expected.map(({ entry }) => entry))
      }),
    )
  })

  it('are held only as long as an earlier one may follow', async () => {
    const read: number[] = []
    async function* all(): AsyncGenerator<Entry> {
      for (const [place, at] of [1, 3, 2, 4, 6, 5, 100, 101].entries()) {
        read.push(at)
        yield { place, at }
      }
    }
    const held: number[] = []
    for await (const { at } of inTimeOrder(all(), ({ at }) => at, 1))
      held.push(read.indexOf(Math.max(...read)) - read.indexOf(at ?? 0))
    expect(Math.max(...held)).toBeLessThanOrEqual(2)
  })

  it('start at the earliest time, and know how late the latest comes', () => {
    const span = new TimeSpan()
    expect([span.startsAt, span.lateBy]).toEqual([Number.NEGATIVE_INFINITY, 0])
    for (const at of [undefined, 5, 9, 4, undefined, 7]) span.add(at)
    expect([span.startsAt, span.lateBy]).toEqual([4, 5])
  })
})
