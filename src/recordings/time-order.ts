import { PriorityQueue } from './priority-queue.ts'

/** Finds out, entry by entry, when a file starts, and how far its entries are out of order. */
export class TimeSpan {
  /** When the first call was made; ms. `-Infinity`: no entry has a time. */
  startsAt = Number.NEGATIVE_INFINITY
  /** The longest time by which an entry is earlier than one before it; ms. 0: the entries are in order. */
  lateBy = 0
  #last = Number.NEGATIVE_INFINITY

  add(at: number | undefined): void {
    if (at === undefined) return
    this.startsAt = this.#last === Number.NEGATIVE_INFINITY ? at : Math.min(this.startsAt, at)
    this.#last = Math.max(this.#last, at)
    this.lateBy = Math.max(this.lateBy, this.#last - at)
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
  const waiting = new PriorityQueue<Waiting<T>>((one, other) =>
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

/** A source of entries to merge with others. */
export interface TimedEntries<T> {
  /** When the first entry with a time was made; ms. `-Infinity`: none has a time. */
  readonly startsAt: number
  entries(): AsyncIterable<T>
}

/** An open source with its next entry. */
interface Head<T> {
  readonly iterator: AsyncIterator<T>
  /** The time of the entry; if it has none, of the one before. */
  at: number
  entry: T | undefined
}

/**
 * Merges sources by time. The entries of a source keep their order: an entry without a time follows the one before it, and an entry
 * that is earlier than the one before it comes as soon as possible. If times are equal, the source that starts first comes first,
 * else the first in `sources`. Reads on demand: a source is opened when its time has come, and each open one holds one entry.
 * @param timeOf ms; undefined: the entry has no time.
 */
export async function* mergeByTime<T>(
  sources: readonly TimedEntries<T>[],
  timeOf: (entry: T) => number | undefined,
): AsyncGenerator<T> {
  const waiting = [...sources].sort(byStart)
  const open = new Set<Head<T>>()

  /** Reads the next entry of a source, or removes the source at its end. */
  const advance = async (head: Head<T>): Promise<void> => {
    const { value, done } = await head.iterator.next()
    if (done === true) {
      open.delete(head)
      return
    }
    head.entry = value
    head.at = timeOf(value) ?? head.at
  }

  try {
    for (;;) {
      const first = earliest(open)
      const [next] = waiting
      if (next !== undefined && (first === undefined || next.startsAt < first.at)) {
        waiting.shift()
        const head = { iterator: next.entries()[Symbol.asyncIterator](), at: next.startsAt, entry: undefined }
        open.add(head)
        await advance(head)
      } else if (first !== undefined) {
        yield first.entry as T
        await advance(first)
      } else return
    }
  } finally {
    await Promise.all([...open].map(({ iterator }) => iterator.return?.()))
  }
}

/** Compares before subtracting, because the difference of two infinities is NaN. */
const byStart = (one: TimedEntries<unknown>, other: TimedEntries<unknown>): number =>
  one.startsAt === other.startsAt ? 0 : one.startsAt - other.startsAt

/** Returns the source with the earliest entry; if times are equal, the one that was opened first. */
function earliest<T>(open: Iterable<Head<T>>): Head<T> | undefined {
  let first: Head<T> | undefined
  for (const head of open) if (first === undefined || head.at < first.at) first = head
  return first
}
