import { MINUTE_MS } from '../common/time.ts'
import { LATENCY_BUCKETS, latencyBucket } from './latency.ts'

/** The parts of a call that are counted per minute. */
export interface Counted {
  readonly at: number
  readonly status: number
  readonly milliseconds: number
}

export interface RowCounts {
  readonly calls: number
  readonly clientErrors: number
  readonly serverErrors: number
  readonly latencies: ArrayLike<number>
}

interface MinuteRows {
  /** When the minute began, in milliseconds since the epoch. */
  readonly at: number
  readonly rows: readonly (readonly [key: number, counts: RowCounts])[]
}

/** Counts of the last three hours, by minute and key. */
interface TrafficMinutes {
  /** Whether the minute of `at` has this key, or room for it. */
  hasRoom(key: number, at: number): boolean
  /** Counts a call under a key, unless it is older than three hours. */
  count(key: number, call: Counted): void
  /** Returns the minutes that had calls, oldest first. */
  until(now: number): readonly MinuteRows[]
}

const MINUTES = 180
/**
 * The maximum number of keys in a minute, which bounds the memory and how long a page takes to add up three hours of them: 40 clients
 * that call 15 operations have room.
 */
export const ROOM = 640

/** The layout of a row: the calls, their errors, then the histogram. */
const CALLS = 0
const CLIENT_ERRORS = 1
const SERVER_ERRORS = 2
const LATENCIES = 3
const ROW = LATENCIES + LATENCY_BUCKETS
const FIRST_ROWS = 8

interface Minute {
  /** Minutes since the epoch. */
  number: number
  /** The index at which a key's row begins. */
  readonly rows: Map<number, number>
  counts: Uint32Array
}

export function trafficMinutes(): TrafficMinutes {
  const minutes = Array.from(
    { length: MINUTES },
    (): Minute => ({ number: -1, rows: new Map(), counts: new Uint32Array() }),
  )
  return {
    hasRoom(key, at) {
      const minute = minuteAt(minutes, Math.floor(at / MINUTE_MS))
      return minute === undefined || minute.rows.size < ROOM || minute.rows.has(key)
    },
    count(key, { at, status, milliseconds }) {
      const minute = minuteAt(minutes, Math.floor(at / MINUTE_MS))
      if (minute === undefined) return
      const row = rowOf(minute, key)
      increment(minute.counts, row + CALLS)
      if (status >= 500) increment(minute.counts, row + SERVER_ERRORS)
      else if (status >= 400) increment(minute.counts, row + CLIENT_ERRORS)
      increment(minute.counts, row + LATENCIES + latencyBucket(milliseconds))
    },
    until(now) {
      const current = Math.floor(now / MINUTE_MS)
      return minutes
        .filter(({ number }) => number > current - MINUTES)
        .sort((a, b) => a.number - b.number)
        .map((minute) => ({ at: minute.number * MINUTE_MS, rows: rowsOf(minute) }))
    },
  }
}

/** Returns the minute with this number; empties the slot of an older one. Undefined: a newer one has its slot. */
function minuteAt(minutes: readonly Minute[], number: number): Minute | undefined {
  const minute = minutes[number % MINUTES]
  if (minute === undefined || minute.number > number) return undefined
  if (minute.number < number) {
    minute.number = number
    minute.rows.clear()
    minute.counts = new Uint32Array()
  }
  return minute
}

function rowOf(minute: Minute, key: number): number {
  const existing = minute.rows.get(key)
  if (existing !== undefined) return existing
  const row = minute.rows.size * ROW
  minute.rows.set(key, row)
  if (row + ROW > minute.counts.length) {
    const grown = new Uint32Array(Math.max(FIRST_ROWS * ROW, 2 * minute.counts.length))
    grown.set(minute.counts)
    minute.counts = grown
  }
  return row
}

function increment(counts: Uint32Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1
}

/** Reads the rows of a minute. Later calls do not change them: the histograms are views into a copy. */
function rowsOf({ rows, counts }: Minute): MinuteRows['rows'] {
  const copied = counts.slice()
  return Array.from(rows, ([key, row]) => [
    key,
    {
      calls: copied[row + CALLS] ?? 0,
      clientErrors: copied[row + CLIENT_ERRORS] ?? 0,
      serverErrors: copied[row + SERVER_ERRORS] ?? 0,
      latencies: copied.subarray(row + LATENCIES, row + ROW),
    },
  ])
}
