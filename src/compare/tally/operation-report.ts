import type { Kind } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { Lineage } from '../lineage.ts'
import { STRATA } from '../strata.ts'
import { BOUNDS } from './add-counts.ts'
import type { Quantiles } from './histogram.ts'
import type { LineageState } from './lineages.ts'
import { assumptionKey, type DifferenceClass, ignoredBecause, type OperationState } from './operation-state.ts'
import { type Demands, type Judgement, judge, type Results, type Verdict } from './verdict.ts'

/** Exchanges by outcome; `requests` is their sum. */
export interface Totals {
  readonly requests: number
  readonly matched: number
  readonly ignored: number
  readonly mismatched: number
  readonly failed: number
  readonly skipped: number
}

/** One kind of difference at one path, as in `report.json`. */
export interface DifferenceReport {
  readonly kind: Kind
  /** The path in the legacy body; `""` for a status. */
  readonly path: string
  /** The path in the v1 body that it comes from; null for a status, and where v1 has nothing. */
  readonly v1Path: string | null
  /** Exchanges that show it. */
  readonly requests: number
  /** Places in these exchanges. */
  readonly count: number
  /** Of the requests, those whose data had changed between the answers. */
  readonly drift: number
  /** The same, as reports of version 1 call it. */
  readonly noise: number
  /** Why it does not count: `loss: …`, `rule: …`, `wording` or `drift`; null: it counts. */
  readonly ignored: string | null
  /** For `status`, `failure`, `type` and `length`: how often each occurs. */
  readonly details: Readonly<Record<string, number>> | null
  /** The first 20 line numbers, in order. */
  readonly lines: readonly number[]
}

export interface Durations {
  readonly control: Quantiles
  readonly candidate: Quantiles
  /** So many times as long the candidate takes. */
  readonly slowdown: { readonly p50: number; readonly p95: number }
}

/** Whether the answers confirm an assumed mapping line. */
export interface AssumptionReport {
  /** The body of a success, or of an error. */
  readonly part: 'answer' | 'error'
  readonly legacy: string
  readonly v1: string | null
  readonly change: string
  readonly reason: string | null
  /** Exchanges whose answers show it and agree there. */
  readonly matched: number
  /** Exchanges whose answers differ there, whether that counts or not. */
  readonly differed: number
  /** `refuted`: a difference there counts. `confirmed`: at least one exchange matched, and none refutes it. Else `untested`. */
  readonly standing: 'confirmed' | 'refuted' | 'untested'
}

/** An operation as in `report.json`, with its members in that order. */
export interface OperationReport extends Judgement {
  readonly operation: string
  readonly totals: Totals
  /** One client's equal requests within an hour are one unit. `estimated`: there are too many to tell all apart. */
  readonly units: { readonly distinct: number; readonly mismatched: number; readonly estimated: boolean }
  /** Exchanges that both sides were asked for and that prove no match: errors, and successes without any content. */
  readonly errors: { readonly matched: number; readonly mismatched: number }
  readonly empty: number
  /** Why exchanges that were to be compared could not be: how often. */
  readonly unjudged: Readonly<Record<string, number>>
  /** Who made the compared calls. `largestShare`: of the client with the most, 0 to 1. */
  readonly clients: { readonly distinct: number; readonly atLeast: boolean; readonly largestShare: number }
  /** When the first and the last compared call came, ISO 8601; null: nobody knows. */
  readonly since: string | null
  readonly until: string | null
  /** How long both services took for the compared calls, kept answers left out; ms. Null: nobody knows. */
  readonly durations: Durations | null
  readonly differences: readonly DifferenceReport[]
  /** The number of different requests compared; `atLeast`: there may be more. */
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly assumptions: readonly AssumptionReport[]
  /** Of which versions all of this is. */
  readonly lineage: Lineage
  /** What was found of older versions, the last ones first. */
  readonly history: readonly PastReport[]
}

/** The results of versions that no longer answer. */
export interface PastReport {
  readonly lineage: Lineage
  readonly since: string | null
  readonly until: string | null
  readonly verdict: Verdict
  readonly requests: number
}

/**
 * Judges all counts of an operation's newest lineage by its current expectations.
 * @param before its older lineages, the last ones first. They vouch for nothing.
 */
export function reportOf(
  operation: string,
  { lineage, state }: LineageState,
  before: readonly LineageState[],
  expectations: Expectations,
  demands: Demands,
): OperationReport {
  const reasons = reasonsOf(state, expectations)
  const results = resultsIn(state, reasons)
  const { content, empty, error } = strataOf(state, reasons)
  const { failed, skipped } = state.totals
  const sumOf = (outcome: keyof Judged): number => content[outcome] + empty[outcome] + error[outcome]
  const [matched, ignored, mismatched] = [sumOf('matched'), sumOf('ignored'), sumOf('mismatched')]
  const requests = matched + ignored + mismatched + failed + skipped
  const isCounting = (found: DifferenceClass): boolean => reasons.get(found) === null
  return {
    operation,
    totals: { requests, matched, ignored, mismatched, failed, skipped },
    ...judge(results, demands),
    units: {
      distinct: results.units,
      mismatched: results.mismatchedUnits,
      estimated: state.units.count().isEstimated,
    },
    errors: { matched: error.matched + error.ignored, mismatched: error.mismatched },
    empty: empty.matched + empty.ignored + empty.mismatched,
    unjudged: Object.fromEntries(state.unjudged),
    clients: clientsOf(state),
    since: isoOf(state.period.since),
    until: isoOf(state.period.until),
    durations: durationsOf(state),
    differences: differencesOf(expectations, reasons),
    inputs: { distinct: state.inputs.size, atLeast: state.inputs.size === BOUNDS.inputs },
    assumptions: expectations.assumptions.map(({ part, line, isRefutedBy }) => {
      const { matched = 0, differed = 0 } = state.assumptions.get(assumptionKey(line)) ?? {}
      const isRefuted = [...state.classes.values()].some((found) => isCounting(found) && isRefutedBy(found))
      const standing = isRefuted ? 'refuted' : matched > 0 ? 'confirmed' : 'untested'
      const { legacy, v1, change, reason } = line
      return { part, legacy, v1, change, reason, matched, differed, standing }
    }),
    lineage,
    history: before.map((past) => pastReport(past, expectations, demands)),
  }
}

function pastReport({ lineage, state }: LineageState, expectations: Expectations, demands: Demands): PastReport {
  const { since, until } = state.period
  const { verdict } = judge(resultsOf(state, expectations), demands)
  return { lineage, since: isoOf(since), until: isoOf(until), verdict, requests: requestsOf(state) }
}

/** Returns the number of all exchanges. */
function requestsOf({ totals, judged, patterns }: OperationState): number {
  const settled = STRATA.flatMap((name) => Object.values(judged[name]))
  const shown = [...patterns.values()].map(({ requests }) => requests)
  return [...settled, ...shown].reduce((sum, requests) => sum + requests, totals.failed + totals.skipped)
}

/** Returns what the verdict on an operation depends on. */
export const resultsOf = (state: OperationState, expectations: Expectations): Results =>
  resultsIn(state, reasonsOf(state, expectations))

type Reasons = ReadonlyMap<DifferenceClass, string | null>
type Judged = OperationState['judged']['content']

const reasonsOf = ({ classes }: OperationState, expectations: Expectations): Reasons =>
  new Map([...classes.values()].map((found) => [found, ignoredBecause(expectations, found)]))

function resultsIn(state: OperationState, reasons: Reasons): Results {
  const strata = strataOf(state, reasons)
  const { matched, ignored, mismatched } = strata.content
  const hasDifferences = [...reasons.values()].includes(null) || state.totals.unlisted > 0
  const unjudged = [...state.unjudged.values()].reduce((sum, times) => sum + times, 0)
  const compared = STRATA.reduce(
    (sum, name) => sum + strata[name].matched + strata[name].ignored + strata[name].mismatched,
    0,
  )
  return {
    matched: matched + ignored,
    compared: matched + ignored + mismatched,
    units: state.units.count().distinct,
    // What differed without counting, such as a declared loss, is no mismatch.
    mismatchedUnits: hasDifferences ? state.differingUnits.count().distinct : 0,
    hasDifferences,
    unjudgedShare: unjudged === 0 ? 0 : unjudged / (unjudged + compared),
    clients: state.clients.size,
    inputs: state.inputs.size,
    ...hoursOf(state.period),
    durations: durationsOf(state),
  }
}

const HOUR_MS = 3_600_000

function hoursOf({ since, until }: OperationState['period']): Pick<Results, 'hours' | 'hoursSince'> {
  if (since === null || until === null) return { hours: 0, hoursSince: 0 }
  return { hours: (until - since) / HOUR_MS, hoursSince: (Date.now() - until) / HOUR_MS }
}

/** Returns the exchanges of each stratum by outcome, as the differences are judged now. */
function strataOf({ judged, patterns }: OperationState, reasons: Reasons): OperationState['judged'] {
  const { content, empty, error } = judged
  const strata = { content: { ...content }, empty: { ...empty }, error: { ...error } }
  for (const { stratum, classes, requests } of patterns.values()) {
    strata[stratum][classes.some((found) => reasons.get(found) === null) ? 'mismatched' : 'ignored'] += requests
  }
  return strata
}

function clientsOf({ clients }: OperationState): OperationReport['clients'] {
  const all = [...clients.values()]
  const requests = all.reduce((sum, one) => sum + one, 0)
  return {
    distinct: all.length,
    atLeast: all.length === BOUNDS.clients,
    largestShare: requests === 0 ? 0 : Math.max(...all) / requests,
  }
}

function durationsOf({ durations }: OperationState): Durations | null {
  const [control, candidate] = [durations.control.quantiles(), durations.candidate.quantiles()]
  if (control === null || candidate === null) return null
  const times = (quantile: keyof Quantiles): number => Math.round((candidate[quantile] / control[quantile]) * 100) / 100
  return { control, candidate, slowdown: { p50: times('p50'), p95: times('p95') } }
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Reports each kind and path once, those that count first. Errors and successes may share one, never in one exchange. */
function differencesOf(expectations: Expectations, reasons: Reasons): readonly DifferenceReport[] {
  const merged = new Map<string, DifferenceReport>()
  for (const [found, ignored] of reasons) {
    const key = `${found.kind} ${found.path}`
    const other = merged.get(key)
    const drift = found.drift + (other?.drift ?? 0)
    merged.set(key, {
      kind: found.kind,
      path: found.path,
      v1Path: other?.v1Path ?? expectations.v1Path(found),
      requests: found.requests + (other?.requests ?? 0),
      count: found.count + (other?.count ?? 0),
      drift,
      noise: drift,
      ignored: other === undefined || ignored === null ? ignored : other.ignored,
      details: detailsOf(found, other),
      lines: [...found.lines, ...(other?.lines ?? [])].sort((a, b) => a - b).slice(0, BOUNDS.lines),
    })
  }
  const isIgnored = ({ ignored }: DifferenceReport): number => (ignored === null ? 0 : 1)
  return [...merged.values()].sort(
    (a, b) =>
      isIgnored(a) - isIgnored(b) ||
      b.requests - a.requests ||
      compareTexts(a.path, b.path) ||
      compareTexts(a.kind, b.kind),
  )
}

function detailsOf(
  { details }: DifferenceClass,
  other: DifferenceReport | undefined,
): Readonly<Record<string, number>> | null {
  const sum = new Map(Object.entries(other?.details ?? {}))
  for (const [detail, count] of details) sum.set(detail, (sum.get(detail) ?? 0) + count)
  return sum.size === 0 ? null : Object.fromEntries(sum)
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
