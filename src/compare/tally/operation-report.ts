import type { Kind } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import { BOUNDS } from './add-counts.ts'
import {
  assumptionKey,
  type DifferenceClass,
  ignoredBecause,
  type OperationState,
  placeKey,
  placeOf,
} from './operation-state.ts'
import { type Judgement, judge } from './verdict.ts'

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
  /** Exchanges whose two control answers differ at the path. */
  readonly noise: number
  /** Why it does not count: `loss: …`, `rule: …`, `wording` or `noise`; null: it counts. */
  readonly ignored: string | null
  /** For `status`, `type` and `length`: how often each change occurs. */
  readonly details: Readonly<Record<string, number>> | null
  /** The first 20 line numbers, in order. */
  readonly lines: readonly number[]
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

/** An operation as in `report.json`, with its members in that order; `inputs` and `assumptions` come last. */
export interface OperationReport extends Judgement {
  readonly operation: string
  readonly totals: Totals
  readonly differences: readonly DifferenceReport[]
  /** The number of different requests compared; `atLeast`: there may be more. */
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly assumptions: readonly AssumptionReport[]
}

/** Judges all counts of an operation by its current expectations. */
export function reportOf(
  operation: string,
  state: OperationState,
  expectations: Expectations,
  target: number,
): OperationReport {
  const reasons = new Map(
    [...state.classes.values()].map((found) => [found, ignoredBecause(state, expectations, found)]),
  )
  const totals = totalsOf(state, reasons)
  const counting = [...reasons].flatMap(([found, reason]) => (reason === null ? [found] : []))
  return {
    operation,
    totals,
    ...judge({
      matched: totals.matched + totals.ignored,
      compared: totals.matched + totals.ignored + totals.mismatched,
      target,
      hasDifferences: counting.length > 0 || state.totals.unlisted > 0,
    }),
    differences: differencesOf(state, expectations, reasons),
    inputs: { distinct: state.inputs.size, atLeast: state.inputs.size === BOUNDS.inputs },
    assumptions: expectations.assumptions.map(({ part, line, isRefutedBy }) => {
      const { matched = 0, differed = 0 } = state.assumptions.get(assumptionKey(line)) ?? {}
      const standing = counting.some(isRefutedBy) ? 'refuted' : matched > 0 ? 'confirmed' : 'untested'
      const { legacy, v1, change, reason } = line
      return { part, legacy, v1, change, reason, matched, differed, standing }
    }),
  }
}

type Reasons = ReadonlyMap<DifferenceClass, string | null>

function totalsOf({ totals, settled, patterns }: OperationState, reasons: Reasons): Totals {
  let { ignored, mismatched } = settled
  for (const { classes, requests } of patterns.values()) {
    if (classes.some((found) => reasons.get(found) === null)) mismatched += requests
    else ignored += requests
  }
  const { matched, failed, skipped } = totals
  const requests = matched + ignored + mismatched + failed + skipped
  return { requests, matched, ignored, mismatched, failed, skipped }
}

/** Reports each kind and path once, those that count first. Errors and successes may share one, never in one exchange. */
function differencesOf(
  state: OperationState,
  expectations: Expectations,
  reasons: Reasons,
): readonly DifferenceReport[] {
  const merged = new Map<string, DifferenceReport>()
  for (const [found, ignored] of reasons) {
    const key = `${found.kind} ${found.path}`
    const other = merged.get(key)
    const noise = state.places.get(placeKey(placeOf(found)))?.noise ?? 0
    merged.set(key, {
      kind: found.kind,
      path: found.path,
      v1Path: other?.v1Path ?? expectations.v1Path(found),
      requests: found.requests + (other?.requests ?? 0),
      count: found.count + (other?.count ?? 0),
      noise,
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
