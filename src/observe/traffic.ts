import type { Side } from '../exchange/exchange.ts'
import { type Counted, type RowCounts, trafficMinutes } from './traffic-minutes.ts'

/** A call that has been answered. */
export interface CountedCall extends Counted {
  /** By `TrafficOptions.now`. */
  readonly at: number
  /** Undefined for a path that no mapping knows. */
  readonly operation: string | undefined
  readonly client: string
  readonly answeredBy: Side
}

interface Who {
  readonly operation: string
  readonly client: string
}

/** Calls within a minute. Statuses of 400 to 499 and from 500 up are counted apart; latencies as `latency.ts` has them. */
export interface MinuteCounts extends Who, RowCounts {}

/** Calls since the start. */
export interface TotalCounts extends Who {
  readonly calls: number
  readonly clientErrors: number
  readonly serverErrors: number
  readonly byV1: number
  readonly byLegacy: number
  /** When the last one came. */
  readonly lastAt: number
}

/** What has been counted until now; times are in milliseconds since the epoch. */
export interface TrafficSnapshot {
  readonly since: number
  readonly now: number
  /** Those of the last three hours that had calls, oldest first; `at` is when the minute began. Counts are made when they are read. */
  readonly minutes: readonly { readonly at: number; readonly counts: readonly MinuteCounts[] }[]
  readonly totals: readonly TotalCounts[]
}

export interface Traffic {
  /** Counts a call, at once and in well under a microsecond. */
  count(call: CountedCall): void
  snapshot(): TrafficSnapshot
  /** Those of the snapshot alone. */
  totals(): readonly TotalCounts[]
}

export interface TrafficOptions {
  /** Calls of any other operation are counted under `UNKNOWN`. */
  readonly operations: readonly string[]
  /** The time that calls are counted by; it only goes forward (`steadyTime`). */
  readonly now?: () => number
  /** How far the wall clock is ahead of it, in whole minutes of milliseconds. */
  readonly awayMs?: () => number
}

/** What calls are counted under that are of no known operation. */
export const UNKNOWN = 'unknown'
/** What calls are counted under whose client is one too many, of all or within a minute. */
export const OTHERS = 'others'

/** What calls are counted under whose client nobody vouched for, so that garbage makes no rows. */
export const UNIDENTIFIED = 'unidentified'

/** These are there beside the clients. */
const NO_CLIENTS = [OTHERS, UNIDENTIFIED]
const MOST_CLIENTS = 1_000
/** A client's name that is longer is none worth keeping. */
const LONGEST_NAME = 200

type Total = { -readonly [Name in Exclude<keyof TotalCounts, keyof Who>]: TotalCounts[Name] }

/** Counts calls by operation and client, in memory that has a bound: by the minute for three hours, and since the start. */
export function countTraffic({ operations, now = Date.now, awayMs = () => 0 }: TrafficOptions): Traffic {
  const operationNames = [...operations, UNKNOWN]
  const operationNumbers = new Map(operationNames.map((name, number) => [name, number]))
  const clientNames = [...NO_CLIENTS]
  const clientNumbers = new Map(clientNames.map((name, number) => [name, number]))
  /** By pairs of client and operation, which are numbers too: no text is made for a call. */
  const minutes = trafficMinutes()
  const totals = new Map<number, Total>()
  const since = now()

  const clientNumber = (name: string): number => {
    const known = clientNumbers.get(name)
    if (known !== undefined) return known
    if (clientNames.length >= NO_CLIENTS.length + MOST_CLIENTS || name.length > LONGEST_NAME) return 0
    clientNumbers.set(name, clientNames.length)
    return clientNames.push(name) - 1
  }
  const pairOf = (client: number, operation: number): number => client * operationNames.length + operation
  const namesOf = (pair: number): Who => ({
    operation: operationNames[pair % operationNames.length] ?? UNKNOWN,
    client: clientNames[Math.floor(pair / operationNames.length)] ?? OTHERS,
  })
  const totalOf = (pair: number): Total => {
    const known = totals.get(pair)
    if (known !== undefined) return known
    const total = { calls: 0, clientErrors: 0, serverErrors: 0, byV1: 0, byLegacy: 0, lastAt: 0 }
    totals.set(pair, total)
    return total
  }

  const totalsNow = (away: number): readonly TotalCounts[] =>
    Array.from(totals, ([pair, total]) => ({ ...namesOf(pair), ...total, lastAt: total.lastAt + away }))

  return {
    count(call) {
      const { at, status } = call
      const operation = operationNumbers.get(call.operation ?? UNKNOWN) ?? operationNames.length - 1
      const pair = pairOf(clientNumber(call.client), operation)
      const total = totalOf(pair)
      total.calls++
      if (status >= 500) total.serverErrors++
      else if (status >= 400) total.clientErrors++
      if (call.answeredBy === 'v1') total.byV1++
      else total.byLegacy++
      total.lastAt = Math.max(total.lastAt, at)
      minutes.count(minutes.hasRoom(pair, at) ? pair : pairOf(0, operation), call)
    },
    snapshot() {
      const until = now()
      // People compare it with their own clocks.
      const away = awayMs()
      return {
        since: since + away,
        now: until + away,
        minutes: minutes.until(until).map((minute) => ({
          at: minute.at + away,
          get counts() {
            return minute.rows.map(([pair, counts]) => ({ ...namesOf(pair), ...counts }))
          },
        })),
        totals: totalsNow(away),
      }
    },
    totals: () => totalsNow(awayMs()),
  }
}
