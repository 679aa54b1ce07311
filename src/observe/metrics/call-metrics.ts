import type { Registry } from 'prom-client'
import type { Answerer, Side } from '../../exchange/exchange.ts'
import type { CallRecord } from '../observe-call.ts'
import { type TotalCounts, UNKNOWN } from '../traffic.ts'
import { Durations, registerDurations } from './durations.ts'
import { readMetrics, type Series } from './read-metric.ts'

/** The counts of an operation's calls. */
interface CallCounts {
  readonly operation: string
  readonly isWrite: boolean
  /** Counts by what answered. */
  readonly answered: Readonly<
    Record<Answerer, { readonly byStatus: ReadonlyMap<number, number>; readonly durations: Durations }>
  >
  /** The time spent waiting for each service. */
  readonly waited: Readonly<Record<Side, Durations>>
  readonly byFailure: ReadonlyMap<string, number>
  readonly dropped: number
  /** Writes that failed and may have been carried out, and writes that repeat one. */
  readonly unknownOutcomes: number
  readonly repeated: number
  /** Calls whose client wished for a side and was not heard. */
  readonly wishesIgnored: number
  /** Calls that a brownout refused. They count nowhere else: no side answered them. */
  readonly brownout: number
}

const SIDES: readonly Side[] = ['v1', 'legacy']
const ANSWERERS: readonly Answerer[] = [...SIDES, 'gateway']

export interface CallCounter {
  count(call: CallRecord): void
  rows(): readonly CallCounts[]
}

/** An operation and the sides that may answer it. With two, answers may be compared. */
export interface CountedOperation {
  readonly operation: string
  readonly sides: readonly Side[]
  readonly isWrite?: boolean
}

/**
 * The 5xx statuses with which the gateway answers if a side fails, or itself because nothing else can. Their counters exist from the start: for Prometheus, the
 * first event of a new counter is no increase, so no alert would see it.
 */
const FAILURES: Readonly<Record<Answerer, readonly number[]>> = {
  v1: [500],
  legacy: [500, 502, 503, 504],
  gateway: [501],
}

/**
 * Counts calls without making a string for any of them.
 * @param operations all operations; every other call is counted as `UNKNOWN`.
 */
export function callCounter(operations: readonly CountedOperation[]): CallCounter {
  const rows = new Map<string, Row>()
  const newRow = (operation: string, isWrite = false): Row => {
    const row: Row = {
      ...{ operation, isWrite, byFailure: new Map(), dropped: 0, brownout: 0 },
      ...{ unknownOutcomes: 0, repeated: 0, wishesIgnored: 0 },
      answered: {
        v1: { byStatus: new Map(), durations: new Durations() },
        legacy: { byStatus: new Map(), durations: new Durations() },
        gateway: { byStatus: new Map(), durations: new Durations() },
      },
      waited: { v1: new Durations(), legacy: new Durations() },
    }
    rows.set(operation, row)
    return row
  }
  for (const { operation, sides, isWrite } of operations) {
    const { answered } = newRow(operation, isWrite)
    // Without an equivalent in v1 and without the legacy service, the gateway answers.
    const answerers: readonly Answerer[] = sides.includes('v1') ? sides : [...sides, 'gateway']
    for (const by of answerers) for (const status of FAILURES[by]) answered[by].byStatus.set(status, 0)
  }
  return {
    count(call) {
      const { operation = UNKNOWN, status, failure } = call
      const row = rows.get(operation) ?? newRow(operation)
      if (call.brownout !== undefined) {
        row.brownout++
        return
      }
      const { byStatus, durations } = row.answered[call.answeredBy]
      increase(byStatus, status)
      durations.add(call.milliseconds)
      if (call.v1Calls > 0) row.waited.v1.add(call.v1Milliseconds)
      if (call.legacyMilliseconds > 0) row.waited.legacy.add(call.legacyMilliseconds)
      if (failure !== undefined) increase(row.byFailure, failure)
      row.dropped += call.dropped
      if (call.isOutcomeUnknown === true) row.unknownOutcomes++
      if (call.repeats !== undefined) row.repeated++
      if (call.isWishIgnored === true) row.wishesIgnored++
    },
    rows: () => [...rows.values()],
  }
}

interface Row extends CallCounts {
  readonly answered: Readonly<
    Record<Answerer, { readonly byStatus: Map<number, number>; readonly durations: Durations }>
  >
  readonly byFailure: Map<string, number>
  dropped: number
  brownout: number
  unknownOutcomes: number
  repeated: number
  wishesIgnored: number
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Registers the metrics of calls. */
export function registerCallMetrics(registry: Registry, rows: () => readonly CallCounts[]): void {
  const { counter } = readMetrics(registry)
  counter(
    'legacy_gateway_calls_total',
    'Answered legacy calls, by status and answering side.',
    ['operation', 'status', 'side'],
    () =>
      rows().flatMap(({ operation, answered }) =>
        ANSWERERS.flatMap((side) =>
          [...answered[side].byStatus].map(([status, calls]): Series => [{ operation, status, side }, calls]),
        ),
      ),
  )
  registerDurations(registry, 'legacy_gateway_call_duration_seconds', 'Time from a call to its answer.', () =>
    rows().flatMap(({ operation, answered }) =>
      ANSWERERS.map((side) => ({ labels: { operation, side }, durations: answered[side].durations })),
    ),
  )
  registerDurations(
    registry,
    'legacy_gateway_upstream_duration_seconds',
    'Part of the call duration spent waiting for a service.',
    () =>
      rows().flatMap(({ operation, waited }) =>
        SIDES.map((upstream) => ({ labels: { upstream, operation }, durations: waited[upstream] })),
      ),
  )
  counter(
    'legacy_gateway_failures_total',
    'Calls that failed because of a service, by kind.',
    ['operation', 'kind'],
    () =>
      rows().flatMap(({ operation, byFailure }) =>
        [...byFailure].map(([kind, calls]): Series => [{ operation, kind }, calls]),
      ),
  )
  counter(
    'legacy_gateway_dropped_members_total',
    'Request members not sent, because v1 does not list them.',
    ['operation'],
    () =>
      rows().flatMap(({ operation, dropped }): readonly Series[] => (dropped > 0 ? [[{ operation }, dropped]] : [])),
  )
  const perWrite = (of: (row: CallCounts) => number) => () =>
    rows().flatMap((row): readonly Series[] => (row.isWrite ? [[{ operation: row.operation }, of(row)]] : []))
  counter(
    'legacy_gateway_writes_unknown_outcome_total',
    'Writes that failed, and that the service may have carried out.',
    ['operation'],
    perWrite(({ unknownOutcomes }) => unknownOutcomes),
  )
  counter(
    'legacy_gateway_writes_repeated_after_unknown_total',
    'Writes that a client sent again within 15 minutes of an unknown outcome.',
    ['operation'],
    perWrite(({ repeated }) => repeated),
  )
  counter(
    'legacy_gateway_serve_header_ignored_total',
    'Calls whose X-Gateway-Serve was ignored: the client may not choose, or there is no such side.',
    ['operation'],
    () => rows().map(({ operation, wishesIgnored }): Series => [{ operation }, wishesIgnored]),
  )
  counter(
    'legacy_gateway_brownout_refusals_total',
    'Calls that a brownout refused. They are not among the answered calls.',
    ['operation'],
    () =>
      rows().flatMap(({ operation, brownout }): readonly Series[] =>
        operation === UNKNOWN ? [] : [[{ operation }, brownout]],
      ),
  )
}

/** Registers the legacy calls by client and operation. */
export function registerClientMetrics(registry: Registry, totals: () => readonly TotalCounts[]): void {
  readMetrics(registry).counter(
    'legacy_gateway_client_calls_total',
    'Legacy calls by client, for the first 1,000 clients.',
    ['client', 'operation'],
    () => totals().map(({ client, operation, calls }): Series => [{ client, operation }, calls]),
  )
}
