import { coverageOf, type ExercisedLine, exercisedLines, type Waiver } from '../coverage/coverage.ts'
import type { Expectations } from '../expected/expectations.ts'
import { STRATA } from '../strata.ts'
import type { DifferenceClass } from './difference-classes.ts'
import type { Quantiles } from './histogram.ts'
import { ignoredBecause, type OperationState } from './operation-state.ts'
import { believed, type Period } from './period.ts'
import type { Results } from './verdict.ts'

/** Quantiles of both services; ms. */
export interface Durations {
  readonly control: Quantiles
  readonly candidate: Quantiles
  /** How many times as long as the control the candidate takes. */
  readonly slowdown: { readonly p50: number; readonly p95: number }
}

/**
 * Returns the results that the verdict on an operation depends on.
 * @param now the reader's time, in ms since the epoch.
 */
export const resultsOf = (
  state: OperationState,
  expectations: Expectations,
  now: number,
  waive?: readonly Waiver[],
): Results =>
  resultsIn(state, reasonsOf(state, expectations), {
    coverage: coverageOf(exercisedIn(state, expectations, waive)),
    isWrite: expectations.isWrite,
    now,
  })

/** Returns how often each line of the mapping was seen. */
export const exercisedIn = (
  { coverage }: OperationState,
  { toSee }: Expectations,
  waive?: readonly Waiver[],
): readonly ExercisedLine[] => exercisedLines(toSee, coverage, waive)

/** Why each class does not count; null: it counts. */
export type Reasons = ReadonlyMap<DifferenceClass, string | null>

/** Returns why each class of an operation does not count, in the order of the classes. */
export const reasonsOf = ({ classes }: OperationState, expectations: Expectations): Reasons =>
  new Map(classes.all().map((found) => [found, ignoredBecause(expectations, found)]))

/** @param now the reader's time, in ms since the epoch. */
export function resultsIn(
  state: OperationState,
  reasons: Reasons,
  {
    coverage,
    isWrite,
    now,
  }: { readonly coverage: Results['coverage']; readonly isWrite: boolean; readonly now: number },
): Results {
  const period = believed(state.period, now)
  const strata = strataOf(state, reasons)
  const { matched, ignored, mismatched } = strata.content
  const hasDifferences = [...reasons.values()].includes(null) || state.classes.unlisted > 0
  const unjudged = state.unjudged.total()
  const compared = STRATA.reduce(
    (sum, name) => sum + strata[name].matched + strata[name].ignored + strata[name].mismatched,
    0,
  )
  return {
    matched: matched + ignored,
    compared: matched + ignored + mismatched,
    units: state.units.count().distinct,
    areUnitsEstimated: state.units.count().isEstimated,
    // Units that differed without counting, such as by a declared loss, are not mismatched.
    mismatchedUnits: hasDifferences ? state.differingUnits.count().distinct : 0,
    hasDifferences,
    coverage,
    isWrite,
    unjudgedShare: unjudged === 0 ? 0 : unjudged / (unjudged + compared),
    clients: state.clients.size,
    inputs: state.inputs.size,
    hours: hoursOf(period),
    until: period.until,
    durations: durationsOf(state),
  }
}

const HOUR_MS = 3_600_000

const hoursOf = ({ since, until }: Period): number => (since === null || until === null ? 0 : (until - since) / HOUR_MS)

/** Returns the exchanges of each stratum by outcome, with the differences judged as of now. */
export function strataOf({ judged, patterns }: OperationState, reasons: Reasons): OperationState['judged'] {
  const { content, empty, error } = judged
  const strata = { content: { ...content }, empty: { ...empty }, error: { ...error } }
  for (const { stratum, classes, requests } of patterns.values()) {
    strata[stratum][classes.some((found) => reasons.get(found) === null) ? 'mismatched' : 'ignored'] += requests
  }
  return strata
}

/** Returns what the match rate would be if neither rules nor losses excused anything; 0: nothing was compared. */
export function unexcusedRateIn({ judged: { content }, patterns }: OperationState, reasons: Reasons): number {
  let matching = content.matched + content.ignored
  let compared = matching + content.mismatched
  for (const { stratum, classes, requests } of patterns.values()) {
    if (stratum !== 'content') continue
    compared += requests
    if (classes.every((found) => isNoDifference(reasons.get(found)))) matching += requests
  }
  return compared === 0 ? 0 : matching / compared
}

/** Whether a reason means that there is no real difference, rather than one that does not count. */
const isNoDifference = (reason: string | null | undefined): boolean =>
  typeof reason === 'string' && !/^(?:rule|loss): /.test(reason)

/** Returns how long both services took; null: unknown. */
export function durationsOf({ durations }: OperationState): Durations | null {
  const [control, candidate] = [durations.control.quantiles(), durations.candidate.quantiles()]
  if (control === null || candidate === null) return null
  // Rounded up, so that what takes too long never reads as if it did not.
  const times = (quantile: keyof Quantiles): number => Math.ceil((candidate[quantile] / control[quantile]) * 100) / 100
  return { control, candidate, slowdown: { p50: times('p50'), p95: times('p95') } }
}
