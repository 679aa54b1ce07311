import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeByTime, type TimedEntries } from '../../src/recordings/time-order.ts'

interface Entry {
  readonly at?: number
  readonly name: string
}

/** A source that notes how much of it was read, and whether it was closed. */
function source(entries: readonly Entry[]) {
  const read: string[] = []
  const state = { isOpen: false, isClosed: false, read }
  const timed: TimedEntries<Entry> = {
    startsAt: entries.find(({ at }) => at !== undefined)?.at ?? Number.NEGATIVE_INFINITY,
    async *entries() {
      state.isOpen = true
      try {
        for (const entry of entries) {
          read.push(entry.name)
          yield entry
        }
      } finally {
        state.isClosed = true
      }
    },
  }
  return { ...timed, state }
}

const merge = (sources: readonly TimedEntries<Entry>[]) => mergeByTime(sources, ({ at }) => at)

async function merged(...sources: readonly (readonly Entry[])[]): Promise<string> {
  const names: string[] = []
  for await (const { name } of merge(sources.map(source))) names.push(name)
  return names.join(' ')
}

describe('merging by time', () => {
  it('takes the earliest of all sources, regardless of their order', async () => {
    const [one, two, three] = [
      [
        { at: 5, name: 'a5' },
        { at: 9, name: 'a9' },
      ],
      [
        { at: 1, name: 'b1' },
        { at: 7, name: 'b7' },
      ],
      [{ at: 6, name: 'c6' }],
    ] as const
    expect(await merged(one, two, three)).toBe('b1 a5 c6 b7 a9')
    expect(await merged(three, two, one)).toBe('b1 a5 c6 b7 a9')
    expect(await merged()).toBe('')
    expect(await merged([], one, [])).toBe('a5 a9')
  })

  it('keeps an entry without a time behind the one before it, or ahead of the next if it is the first', async () => {
    const timeless = [{ name: 'a?' }, { at: 5, name: 'a5' }, { name: 'a5?' }, { name: 'a5??' }, { at: 8, name: 'a8' }]
    const other = [1, 5, 6, 8].map((at) => ({ at, name: `b${at}` }))
    expect(await merged(timeless, other)).toBe('b1 b5 a? a5 a5? a5?? b6 b8 a8')
    expect(await merged(other, [{ name: 'c?' }, { name: 'c??' }])).toBe('c? c?? b1 b5 b6 b8')
  })

  it('takes the older source first if times are equal, so that a file comes after those rotated before it', async () => {
    const current = [{ at: 7, name: 'current 7' }]
    const setAside = [
      { at: 3, name: 'old 3' },
      { at: 7, name: 'old 7' },
    ]
    expect(await merged(current, setAside)).toBe('old 3 old 7 current 7')
    expect(await merged([{ at: 7, name: 'x' }], [{ at: 7, name: 'y' }])).toBe('x y')
  })

  it('keeps the order of each source, loses nothing, and is in time order if the sources are', async () => {
    const times = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(times, { maxLength: 5 }), fc.boolean(), async (all, isSorted) => {
        const sources = all.map((ats, index) => {
          const inOrder = isSorted ? ats.filter((at) => at !== undefined).sort((a, b) => a - b) : ats
          return inOrder.map((at, place) => ({ ...(at !== undefined && { at }), name: `${index}.${place}` }))
        })
        const found: Entry[] = []
        for await (const entry of merge(sources.map(source))) found.push(entry)
        for (const [index, entries] of sources.entries()) {
          expect(found.filter(({ name }) => name.startsWith(`${index}.`))).toEqual(entries)
        }
        expect(found).toHaveLength(sources.flat().length)
        if (isSorted) expect(found.map(({ at = 0 }) => at)).toEqual(found.map(({ at = 0 }) => at).sort((a, b) => a - b))
      }),
    )
  })

  it('puts a call after any call that was answered before it began, although files are in the order of answers', async () => {
    const call = fc.record({ file: fc.nat(3), at: fc.nat(100), took: fc.nat(50) })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
        const answered = calls
          .map((one, index) => ({ ...one, end: one.at + one.took, name: `${index}` }))
          .sort((a, b) => a.end - b.end)
        const files = [0, 1, 2, 3].map((file) => answered.filter((one) => one.file === file))
        const order = (await merged(...files)).split(' ')
        for (const first of answered) {
          for (const then of answered.filter(({ at }) => at > first.end)) {
            expect(order.indexOf(first.name)).toBeLessThan(order.indexOf(then.name))
          }
        }
      }),
    )
  })

  it('reads one entry ahead in each source, and opens none before its time', async () => {
    const long = (start: number) =>
      source(Array.from({ length: 1_000 }, (_, index) => ({ at: start + index, name: `${start + index}` })))
    const [early, late] = [long(0), long(500)]
    let taken = 0
    for await (const _ of merge([late, early])) {
      taken++
      expect(early.state.read.length + late.state.read.length).toBeLessThanOrEqual(taken + 1)
      expect(late.state.isOpen).toBe(taken > 501)
    }
    expect(taken).toBe(2_000)
    expect([early.state.isClosed, late.state.isClosed]).toEqual([true, true])
  })

  it('closes open sources when it is left in the middle, or when a source fails', async () => {
    const entries = [1, 2, 3].map((at) => ({ at, name: `${at}` }))
    const [one, two] = [source(entries), source(entries)]
    for await (const { at } of merge([one, two])) if (at === 2) break
    expect([one.state.isClosed, two.state.isClosed]).toEqual([true, true])

    const whole = source(entries)
    const failing: TimedEntries<Entry> = {
      startsAt: 0,
      async *entries() {
        yield { at: 2, name: 'x' }
        throw new Error('unreadable')
      },
    }
    const all = merge([whole, failing])
    await expect(
      (async () => {
        for await (const _ of all);
      })(),
    ).rejects.toThrow('unreadable')
    expect(whole.state.isClosed).toBe(true)
  })
})
