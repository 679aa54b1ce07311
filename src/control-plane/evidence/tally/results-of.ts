import type { Quantiles } from '../../../common/histogram.ts'
import { HOUR_MS } from '../../../common/time.ts'
import type { Expectations } from '../expected/expectations.ts'
import { STRATA } from '../observation.ts'
import { NamedSums } from './bounds.ts'
import { sumOf } from './call-account.ts'
import type { CheckedReport } from './checked-writes.ts'
import type { DifferenceClass, Reasons } from './difference-classes.ts'
import { mismatchedUnitsIn } from './differing-units.ts'
import type { OperationState } from './operation-state.ts'
import { believed, type Period } from './period.ts'
import type { CalledLists, Results } from './verdict.ts'

/** Quantiles of both services; ms. */
export interface Durations {
  readonly control: Quantiles
  readonly candidate: Quantiles
  /** How many times as long as the control the candidate takes. */
  readonly slowdown: { readonly p50: number; readonly p95: number }
  /** The answers are whole lists: v1's time is that of reading all pages, legacy's that of its one answer. Clients mostly get a cached list. */
  readonly allPages?: true
}

/** Returns why each class of an operation does not count, in the order of the classes. */
export const reasonsOf = ({ classes }: OperationState, expectations: Expectations): Reasons =>
  new Map(
    classes
      .all()
      .map((found) => [found, expectations.ignored(found) ?? (found.drift === found.requests ? 'drift' : null)]),
  )

/**
 * Returns the results that the verdict on an operation depends on.
 * @param now the reader's time, in ms since the epoch.
 */
export function resultsOf(
  state: OperationState,
  reasons: Reasons,
  coverage: Results['coverage'],
  { expectations, now }: { readonly expectations: Expectations; readonly now: number },
): Results {
  const period = believed(state.period, now)
  const strata = strataOf(state, reasons)
  const { matched, ignored, mismatched } = strata.content
  const hasDifferences = [...reasons.values()].includes(null) || state.classes.unlisted > 0
  const unjudged = state.unjudged.total()
  const compared = STRATA.reduce((sum, name) => sum + sumOf(strata[name]), 0)
  return {
    matched: matched + ignored,
    compared: matched + ignored + mismatched,
    units: state.units.count().distinct,
    areUnitsEstimated: state.units.count().estimated,
    mismatchedUnits: mismatchedUnitsIn(state, reasons, hasDifferences),
    hasDifferences,
    coverage,
    isWrite: expectations.isWrite,
    copied: state.totals.copied,
    refused: { requests: state.totals.refusals, of: compared },
    lists: listsIn(state, now),
    unjudgedShare: unjudged === 0 ? 0 : unjudged / (unjudged + compared),
    clients: state.clients.size,
    inputs: state.inputs.size,
    hours: hoursOf(period),
    until: period.until,
    durations: durationsOf(state, expectations),
  }
}

/** A list that nobody has called for so long is not in use any more. */
const IN_USE_MS = 7 * 24 * HOUR_MS

/** Returns the lists that clients call, and which of them were never compared. */
export function listsIn({ lists }: OperationState, now: number): CalledLists {
  const neverCompared = new NamedSums(Number.POSITIVE_INFINITY)
  for (const { says, lastAt, compared } of lists.values()) {
    const isInUse = lastAt === null || now - lastAt <= IN_USE_MS
    if (compared === 0 && isInUse) neverCompared.add(says, 1)
  }
  return { called: lists.size, atLeast: lists.isFull, neverCompared: neverCompared.record() }
}

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

/** Returns what the match rate would be if neither rules nor losses and widenings excused anything; 0: nothing was compared. */
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
  typeof reason === 'string' && !/^(?:rule|loss|widening): /.test(reason)

/** Returns how long both services took; null: unknown. */
export function durationsOf(
  { durations }: OperationState,
  { response }: Pick<Expectations, 'response'>,
): Durations | null {
  const [control, candidate] = [durations.control.quantiles(), durations.candidate.quantiles()]
  if (control === null || candidate === null) return null
  // Rounded up, so that what takes too long never reads as if it did not.
  const times = (quantile: keyof Quantiles): number => Math.ceil((candidate[quantile] / control[quantile]) * 100) / 100
  return {
    ...{ control, candidate, slowdown: { p50: times('p50'), p95: times('p95') } },
    ...(response.kind === 'whole-list' && { allPages: true }),
  }
}

/** What is known about writes without sending them to v1. */
export interface WritesReport {
  /**
   * How many writes had their legacy answer translated to v1's shape and back, and in how many of them a counted difference
   * appeared. Null: no write was checked.
   */
  readonly roundTrip: { readonly checked: number; readonly differed: number } | null
  /** Members of requests that would not be carried to v1: the number of writes by path. */
  readonly droppedMembers: Readonly<Record<string, number>>
  /** The writes that were checked. Null: none was. */
  readonly checked: CheckedReport | null
}

/**
 * Reports what is known about writes, with their differences judged as of now.
 * @param now the reader's time, in ms since the epoch.
 */
export function writesOf(
  { totals: { roundTrips }, droppedMembers, checked, patterns, classes }: OperationState,
  reasons: Reasons,
  now: number,
): WritesReport {
  const isDiffering = (found: DifferenceClass): boolean => found.from === 'round trip' && reasons.get(found) === null
  const shown = patterns.values().filter(({ classes }) => classes.some(isDiffering))
  const inPatterns = shown.reduce((sum, { requests }) => sum + requests, 0)
  // A write counts as skipped while a rule excuses all its differences. When the rule is removed, the class still includes it.
  const inClasses = classes.all().filter(isDiffering)
  const differed = Math.max(inPatterns, ...inClasses.map(({ requests }) => requests))
  return {
    roundTrip: roundTrips === 0 ? null : { checked: roundTrips, differed },
    droppedMembers: droppedMembers.record(),
    checked: checked.report(roundTrips, now),
  }
}
