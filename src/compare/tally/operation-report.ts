import type { Kind } from '../diff/difference.ts'
import type { KnownLines } from '../mapping/known-lines.ts'
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

/** Exchanges by outcome; `requests` is all of them. */
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
  /** In the legacy body, `""` for a status. */
  readonly path: string
  /** Where it comes from in the v1 body; null for a status, and where v1 has nothing. */
  readonly v1Path: string | null
  /** Exchanges that show it. */
  readonly requests: number
  /** Places in them. */
  readonly count: number
  /** Exchanges in which the control's own answers differ at the path. */
  readonly noise: number
  /** Why it does not count: `loss: …`, `rule: …`, `wording` or `noise`; null: it counts. */
  readonly ignored: string | null
  /** Of `status`, `type` and `length`: how often which. */
  readonly details: Readonly<Record<string, number>> | null
  /** The first 20 line numbers, in order. */
  readonly lines: readonly number[]
}

/** What the answers say of a line of the mapping that we decided. */
export interface AssumptionReport {
  /** Of the body of a success, or of an error. */
  readonly part: 'answer' | 'error'
  readonly legacy: string
  readonly v1: string | null
  readonly change: string
  readonly reason: string | null
  /** Exchanges in which it showed and was so. */
  readonly matched: number
  /** Exchanges in which the answers differ there, whether that counts or not. */
  readonly differed: number
  /** `refuted`: a difference there counts; `confirmed`: it was seen to be so; else `untested`. */
  readonly standing: 'confirmed' | 'refuted' | 'untested'
}

/** An operation as in `report.json`, the members in its order; `inputs` and `assumptions` are added at the end. */
export interface OperationReport extends Judgement {
  readonly operation: string
  readonly totals: Totals
  readonly differences: readonly DifferenceReport[]
  /** How many different requests were compared; `atLeast`: there may be more. */
  readonly inputs: { readonly distinct: number; readonly atLeast: boolean }
  readonly assumptions: readonly AssumptionReport[]
}

/** Judges all that has been counted of an operation, by what is known now. */
export function reportOf(operation: string, state: OperationState, known: KnownLines, target: number): OperationReport {
  const reasons = new Map([...state.classes.values()].map((seen) => [seen, ignoredBecause(state, known, seen)]))
  const totals = totalsOf(state, reasons)
  const counting = [...reasons].flatMap(([seen, reason]) => (reason === null ? [seen] : []))
  return {
    operation,
    totals,
    ...judge({
      matched: totals.matched + totals.ignored,
      compared: totals.matched + totals.ignored + totals.mismatched,
      target,
      hasDifferences: counting.length > 0 || state.totals.unlisted > 0,
    }),
    differences: differencesOf(state, known, reasons),
    inputs: { distinct: state.inputs.size, atLeast: state.inputs.size === BOUNDS.inputs },
    assumptions: known.assumptions.map(({ part, line, isRefutedBy }) => {
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
    if (classes.some((seen) => reasons.get(seen) === null)) mismatched += requests
    else ignored += requests
  }
  const { matched, failed, skipped } = totals
  const requests = matched + ignored + mismatched + failed + skipped
  return { requests, matched, ignored, mismatched, failed, skipped }
}

/** One for each kind and path, those that count first. An error and a success may show the same one, never in one exchange. */
function differencesOf(state: OperationState, known: KnownLines, reasons: Reasons): readonly DifferenceReport[] {
  const merged = new Map<string, DifferenceReport>()
  for (const [seen, ignored] of reasons) {
    const key = `${seen.kind} ${seen.path}`
    const other = merged.get(key)
    const noise = state.places.get(placeKey(placeOf(seen)))?.noise ?? 0
    merged.set(key, {
      kind: seen.kind,
      path: seen.path,
      v1Path: other?.v1Path ?? known.v1Path(seen),
      requests: seen.requests + (other?.requests ?? 0),
      count: seen.count + (other?.count ?? 0),
      noise,
      ignored: other === undefined || ignored === null ? ignored : other.ignored,
      details: detailsOf(seen, other),
      lines: [...seen.lines, ...(other?.lines ?? [])].sort((a, b) => a - b).slice(0, BOUNDS.lines),
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
