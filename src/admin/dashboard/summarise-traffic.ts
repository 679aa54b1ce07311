import { LATENCY_BUCKETS } from '../../observe/latency.ts'
import type { MinuteCounts, TotalCounts, TrafficSnapshot } from '../../observe/traffic.ts'

/** What of the traffic is looked at. */
export interface TrafficFilter {
  /** Undefined: all of them. */
  readonly operation: string | undefined
  readonly client: string | undefined
  /** How far back, in minutes; the one under way is the first. */
  readonly minutes: number
}

export interface Sum {
  readonly calls: number
  /** Statuses 400 to 499, and from 500 up. */
  readonly clientErrors: number
  readonly serverErrors: number
  readonly latencies: readonly number[]
}

export interface TrafficSummary {
  /** When the first and the last minute that are looked at begin, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly all: Sum
  /** The minutes that had calls, oldest first. */
  readonly byMinute: readonly (readonly [at: number, sum: Sum])[]
  /** Most calls first. */
  readonly byOperation: readonly (readonly [operation: string, sum: Sum])[]
  readonly byClient: readonly (readonly [client: string, sum: Sum])[]
  /** Since the start, whatever the minutes; most calls first. */
  readonly totals: readonly TotalCounts[]
}

const MINUTE_MS = 60_000

/** Adds up what the filter lets through. */
export function summariseTraffic({ now, minutes, totals }: TrafficSnapshot, filter: TrafficFilter): TrafficSummary {
  const isMeant = ({ operation, client }: { readonly operation: string; readonly client: string }): boolean =>
    (filter.operation ?? operation) === operation && (filter.client ?? client) === client
  const to = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const from = to - (filter.minutes - 1) * MINUTE_MS
  const meant = minutes
    .filter(({ at }) => at >= from && at <= to)
    .map(({ at, counts }) => ({ at, counts: counts.filter(isMeant) }))
    .filter(({ counts }) => counts.length > 0)
  const counts = meant.flatMap((minute) => minute.counts)
  return {
    from,
    to,
    all: sumOf(counts),
    byMinute: meant.map((minute) => [minute.at, sumOf(minute.counts)]),
    byOperation: sumsBy(counts, ({ operation }) => operation),
    byClient: sumsBy(counts, ({ client }) => client),
    totals: totals.filter(isMeant).sort((a, b) => b.calls - a.calls),
  }
}

function sumsBy(
  counts: readonly MinuteCounts[],
  keyOf: (counts: MinuteCounts) => string,
): readonly (readonly [string, Sum])[] {
  return [...Map.groupBy(counts, keyOf)]
    .map(([key, group]) => [key, sumOf(group)] as const)
    .sort(([, a], [, b]) => b.calls - a.calls)
}

function sumOf(counts: readonly MinuteCounts[]): Sum {
  const latencies = new Array<number>(LATENCY_BUCKETS).fill(0)
  let calls = 0
  let clientErrors = 0
  let serverErrors = 0
  for (const one of counts) {
    calls += one.calls
    clientErrors += one.clientErrors
    serverErrors += one.serverErrors
    for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket++) {
      latencies[bucket] = (latencies[bucket] ?? 0) + (one.latencies[bucket] ?? 0)
    }
  }
  return { calls, clientErrors, serverErrors, latencies }
}
