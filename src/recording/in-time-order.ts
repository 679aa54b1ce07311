import { priorityQueue } from './priority-queue.ts'

/** Finds out, entry by entry, when a file starts, and how far its entries are out of order. */
export interface TimeSpan {
  add(at: number | undefined): void
  /** When the first call was made; ms. `-Infinity`: no entry has a time. */
  startsAt(): number
  /** The longest time by which an entry is earlier than one before it; ms. 0: the entries are in order. */
  lateBy(): number
}

export function timeSpan(): TimeSpan {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  let lateBy = 0
  return {
    add(at) {
      if (at === undefined) return
      first = Math.min(first, at)
      last = Math.max(last, at)
      lateBy = Math.max(lateBy, last - at)
    },
    startsAt: () => (first === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : first),
    lateBy: () => lateBy,
  }
}

interface Waiting<T> {
  readonly entry: T
  readonly at: number
  /** Its place in the file. */
  readonly place: number
}

/**
 * Yields the entries of a file in the order of their times; those with equal times in the order of the file. An entry without a time
 * stays after the one before it. Holds the entries of `lateBy` in memory.
 * @param timeOf ms; undefined: the entry has no time.
 * @param lateBy how far the entries are out of order; see `TimeSpan`.
 */
export async function* inTimeOrder<T>(
  entries: AsyncIterable<T>,
  timeOf: (entry: T) => number | undefined,
  lateBy: number,
): AsyncGenerator<T> {
  if (lateBy === 0) return yield* entries
  const waiting = priorityQueue<Waiting<T>>((one, other) =>
    one.at === other.at ? one.place < other.place : one.at < other.at,
  )
  let at = Number.NEGATIVE_INFINITY
  let last = at
  let place = 0
  for await (const entry of entries) {
    at = timeOf(entry) ?? at
    last = Math.max(last, at)
    waiting.push({ entry, at, place: place++ })
    // No entry that follows in the file is earlier than this.
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.at > last - lateBy) {
        waiting.push(next)
        break
      }
      yield next.entry
    }
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) yield next.entry
}
