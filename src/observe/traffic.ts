import type { Answerer } from '../exchange/exchange.ts'
import { type Counted, type RowCounts, trafficMinutes } from './traffic-minutes.ts'

/** An answered call to count. */
export interface CountedCall extends Counted {
  /** The time by `TrafficOptions.now`. */
  readonly at: number
  /** Undefined: no mapping has this path. */
  readonly operation: string | undefined
  readonly client: string
  /** Undefined: no side was asked, because a brownout refused the call. */
  readonly answeredBy: Answerer | undefined
  /** Whether the client chose the side; unset: it did not. */
  readonly isChosen?: boolean | undefined
  /** Remembered for calls of no known operation, as is the path. */
  readonly method: string
  /** Without its query. */
  readonly path: string
}

interface Who {
  readonly operation: string
  readonly client: string
}

/** Calls within a minute. Statuses 400 to 499, and 500 and above, are counted separately. `latency.ts` defines the histogram. */
interface MinuteCounts extends Who, RowCounts {}

/** Calls since the start. */
export interface TotalCounts extends Who {
  readonly calls: number
  readonly clientErrors: number
  readonly serverErrors: number
  readonly byV1: number
  readonly byLegacy: number
  /** Calls whose client chose the side. */
  readonly chosen: number
  /** The time of the last call. */
  readonly lastAt: number
}

/** All counts until now. Times are in milliseconds since the epoch. */
export interface TrafficSnapshot {
  readonly since: number
  readonly now: number
  /** The minutes of the last three hours that had calls, oldest first; `at`: when the minute began. */
  readonly minutes: readonly { readonly at: number; readonly counts: readonly MinuteCounts[] }[]
  readonly totals: readonly TotalCounts[]
  /** Which paths the calls of no known operation had. */
  readonly unknown: UnknownPaths
}

export interface Traffic {
  /** Counts a call, synchronously and in well under a microsecond. */
  count(call: CountedCall): void
  snapshot(): TrafficSnapshot
  /** Returns only the totals of a snapshot. */
  totals(): readonly TotalCounts[]
}

interface TrafficOptions {
  /** Calls of any other operation are counted under `UNKNOWN`. */
  readonly operations: readonly string[]
  /** The clock of the counts, which only goes forward (`steadyTime`). */
  readonly now?: () => number
  /** How far the wall clock is ahead of it: milliseconds, in whole minutes. */
  readonly awayMs?: () => number
}

/** The operation name for calls of no known operation. */
export const UNKNOWN = 'unknown'
/** The client name for calls of clients beyond the limit, in total or within a minute. */
export const OTHERS = 'others'

/** The client name for calls whose client no service has accepted, so that garbage adds no rows. */
export const UNIDENTIFIED = 'unidentified'

/** The names that are not clients. */
const NO_CLIENTS = [OTHERS, UNIDENTIFIED]
export const MOST_CLIENTS = 1_000
/** Clients with longer names count as `OTHERS`. */
const LONGEST_NAME = 200

type Total = { -readonly [Name in Exclude<keyof TotalCounts, keyof Who>]: TotalCounts[Name] }

/** Counts calls by operation and client, in bounded memory: per minute for three hours, and since the start. */
export function countTraffic({ operations, now = Date.now, awayMs = () => 0 }: TrafficOptions): Traffic {
  const operationNames = [...operations, UNKNOWN]
  const operationNumbers = new Map(operationNames.map((name, number) => [name, number]))
  const clientNames = [...NO_CLIENTS]
  const clientNumbers = new Map(clientNames.map((name, number) => [name, number]))
  /** Counts by pair of client and operation. A pair is a number, so that counting a call makes no string. */
  const minutes = trafficMinutes()
  const totals = new Map<number, Total>()
  const unknown = unknownPaths()
  const since = now()

  const clientNumber = (name: string): number => {
    const existing = clientNumbers.get(name)
    if (existing !== undefined) return existing
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
    const existing = totals.get(pair)
    if (existing !== undefined) return existing
    const total = { calls: 0, clientErrors: 0, serverErrors: 0, byV1: 0, byLegacy: 0, chosen: 0, lastAt: 0 }
    totals.set(pair, total)
    return total
  }

  const totalsNow = (away: number): readonly TotalCounts[] =>
    Array.from(totals, ([pair, { calls, clientErrors, serverErrors, byV1, byLegacy, chosen, lastAt }]) => {
      // Written out: with 17,000 rows, spreading takes several times as long.
      const { operation, client } = namesOf(pair)
      return { operation, client, calls, clientErrors, serverErrors, byV1, byLegacy, chosen, lastAt: lastAt + away }
    })

  return {
    count(call) {
      const { at, status } = call
      const operation = operationNumbers.get(call.operation ?? UNKNOWN) ?? operationNames.length - 1
      const client = clientNumber(call.client)
      const pair = pairOf(client, operation)
      const total = totalOf(pair)
      total.calls++
      if (status >= 500) total.serverErrors++
      else if (status >= 400) total.clientErrors++
      if (call.answeredBy === 'v1') total.byV1++
      else if (call.answeredBy === 'legacy') total.byLegacy++
      if (call.isChosen === true) total.chosen++
      total.lastAt = Math.max(total.lastAt, at)
      minutes.count(minutes.hasRoom(pair, at) ? pair : pairOf(0, operation), call)
      if (operation === operationNames.length - 1) unknown.count({ ...call, client: clientNames[client] ?? OTHERS })
    },
    snapshot() {
      const until = now()
      // Shows wall-clock time, which people compare with their own clocks.
      const away = awayMs()
      return {
        since: since + away,
        now: until + away,
        minutes: minutes.until(until).map((minute) => ({
          at: minute.at + away,
          counts: minute.rows.map(([pair, counts]) => ({ ...namesOf(pair), ...counts })),
        })),
        totals: totalsNow(away),
        unknown: unknown.all(away),
      }
    },
    totals: () => totalsNow(awayMs()),
  }
}

/** A path that was called and that no mapping has. */
interface UnknownPath {
  readonly method: string
  /** Without its query; cut after 200 characters. */
  readonly path: string
  readonly calls: number
  /** Who called it last. */
  readonly client: string
  /** When it was last called, by the clock of the counts; ms. */
  readonly lastAt: number
}

/** The paths that are remembered, and how many calls were of others. */
interface UnknownPaths {
  /** Most calls first. */
  readonly paths: readonly UnknownPath[]
  readonly otherCalls: number
}

/** Limits of what is remembered, so that someone who tries out paths cannot use up memory. */
const MOST_PATHS = 100
const LONGEST_PATH = 200
const LONGEST_METHOD = 20

type Remembered = { -readonly [Name in keyof UnknownPath]: UnknownPath[Name] }

/**
 * Remembers the paths that no mapping has. When there are too many, forgets the one with the fewest calls; among several, the
 * one that came first. So paths that a program calls again and again stay, even while a scanner tries out others.
 */
function unknownPaths(): {
  count(call: { method: string; path: string; client: string; at: number }): void
  /** @param away is added to times. */
  all(away: number): UnknownPaths
} {
  const remembered = new Map<string, Remembered>()
  let otherCalls = 0
  const forgetOne = (): void => {
    let [fewest, calls] = ['', Number.POSITIVE_INFINITY]
    for (const [key, path] of remembered) if (path.calls < calls) [fewest, calls] = [key, path.calls]
    remembered.delete(fewest)
    otherCalls += calls
  }
  return {
    count(call) {
      const method = call.method.slice(0, LONGEST_METHOD)
      const path = call.path.length > LONGEST_PATH ? `${call.path.slice(0, LONGEST_PATH)}…` : call.path
      const key = `${method} ${path}`
      const before = remembered.get(key)
      if (before !== undefined) {
        before.calls++
        before.client = call.client
        before.lastAt = Math.max(before.lastAt, call.at)
        return
      }
      if (remembered.size >= MOST_PATHS) forgetOne()
      remembered.set(key, { method, path, calls: 1, client: call.client, lastAt: call.at })
    },
    all: (away) => ({
      paths: [...remembered.values()]
        .map((path) => ({ ...path, lastAt: path.lastAt + away }))
        .sort((a, b) => b.calls - a.calls),
      otherCalls,
    }),
  }
}
