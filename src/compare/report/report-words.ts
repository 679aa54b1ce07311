import { count, counted, percent } from '../../common/figures.ts'
import { BOTH_EMPTY, showsNothing } from '../observation.ts'
import type { ReplayedReport } from '../replay/replay-results.ts'
import { type CallAccount, sumOf } from '../tally/call-account.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import type { Report } from './report-json.ts'

/**
 * Formats a share of an operation's successes with content, such as its match rate; `–`: there are none. Errors and empty answers
 * prove no match (docs/decisions/0061).
 */
export function shareOfContent(
  { totals, errors, empty, target }: Pick<OperationReport, 'totals' | 'errors' | 'empty' | 'target'>,
  share: number,
): string {
  const compared = totals.matched + totals.ignored + totals.mismatched
  return compared > errors.matched + errors.mismatched + empty ? percent(share, target) : '–'
}

/** Lists the lines that are kept: `lines 3, 7, 12, …`, or `a.ndjson:3, b.ndjson:7, …` where there are several files. */
export function linesOf({ lines, places, requests }: Pick<DifferenceReport, 'lines' | 'places' | 'requests'>): string {
  const more = requests > lines.length ? ', …' : ''
  if (places !== undefined) return `${places.map(({ file, line }) => `${file}:${line}`).join(', ')}${more}`
  return `${lines.length === 1 && requests === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

/** Says what became of an operation's exchanges: `400 exchanges: 40 units; 360 not judged (both refused: 401)`. The numbers add up. */
export function accountInWords({
  calls,
  skips,
  unjudged,
  errors,
  empty,
  unitless,
  repeated,
  units,
}: CallAccount): string {
  const named = (sums: CallAccount['skips'], outcome: string): readonly string[] =>
    Object.entries(sums).map(([reason, times]) => `${count(times)} ${outcome} (${reason})`)
  const parts: readonly (readonly [times: number, says: string])[] = [
    [repeated, 'equal to another of the same client and hour'],
    [unitless, 'not of a client'],
    [errors, 'answered with an error by legacy'],
    [empty, 'answered empty by legacy'],
  ]
  const others = parts.flatMap(([times, says]) => (times === 0 ? [] : [`${count(times)} ${says}`]))
  const causes = [...others, ...named(unjudged, 'not judged'), ...named(skips, 'skipped')]
  return `${counted(calls, 'exchange')}: ${[counted(units, 'unit'), ...causes].join('; ')}.`
}

type Told = Pick<Report, 'operations'>
type OperationTold = Pick<ReplayedReport, 'operation' | 'totals' | 'unjudged' | 'refusals' | 'errors' | 'empty'>

/**
 * Says what both services answered alike and what proves nothing all the same, in sentences; none: there is nothing to say. Reports
 * begin with it, because such answers look like matches.
 */
export function provesNothing({ operations }: Told): readonly string[] {
  const refusals = new Map<string, number>()
  let [asked, empty] = [0, 0]
  for (const operation of operations) {
    asked += judgeable(operation)
    for (const [reason, times] of Object.entries(operation.unjudged)) {
      if (reason === BOTH_EMPTY) empty += times
      else if (showsNothing(reason)) refusals.set(reason, (refusals.get(reason) ?? 0) + times)
    }
  }
  const refused = [...refusals.values()].reduce((sum, times) => sum + times, 0)
  const statuses = [...refusals].map(([reason, times]) => `${reason.slice(reason.indexOf(': ') + 2)}: ${times}`)
  const unknown = operations.filter(isMostlyRefused)
  const silent = operations.filter((operation) => comparedOf(operation) > 0 && contentOf(operation) === 0)
  return [
    ...(refused === 0
      ? []
      : [
          `Both services refused ${refused} of ${counted(asked, 'exchange')} alike (${statuses.join(', ')}), which proves nothing.`,
        ]),
    ...(empty === 0
      ? []
      : [
          `Both services answered ${empty} of ${counted(asked, 'exchange')} without the content that the recording has, which proves nothing.`,
        ]),
    ...unknown.map(
      ({ operation, refusals, ...report }) =>
        `${operation}: both services refused ${refusals} of ${counted(comparedOf(report), 'compared exchange')} alike, and nothing says how they were answered before.`,
    ),
    ...(silent.length === 0
      ? []
      : [
          `Nothing was shown of ${silent.map(({ operation }) => operation).join(', ')}: every answer was an error or empty.`,
        ]),
  ]
}

/**
 * Whether so many exchanges were refused alike, or were empty alike, that they say nothing about operations that match otherwise.
 * @param comparable the operations that count.
 */
export function isMostlyNothing(
  { operations, unjudgedLimit }: Pick<Report, 'operations' | 'unjudgedLimit'>,
  comparable: ReadonlySet<string>,
): boolean {
  const judged = operations.filter(({ operation, totals }) => comparable.has(operation) && totals.requests > 0)
  const isSilent = judged.some((one) => comparedOf(one) > 0) && judged.every((one) => contentOf(one) === 0)
  return isSilent || judged.some((one) => isMostlyRefused(one) || nothingIn(one) > judgeable(one) * unjudgedLimit)
}

/** Returns how many exchanges were refused or empty alike, and so not judged. */
export const nothingIn = ({ unjudged }: Pick<OperationTold, 'unjudged'>): number =>
  Object.entries(unjudged).reduce((sum, [reason, times]) => sum + (showsNothing(reason) ? times : 0), 0)

const isMostlyRefused = (report: Pick<OperationTold, 'refusals' | 'totals'>): boolean =>
  report.refusals * 2 > comparedOf(report)

const comparedOf = ({ totals }: Pick<OperationTold, 'totals'>): number =>
  totals.matched + totals.ignored + totals.mismatched

/** Returns the number of exchanges that were to be compared. */
const judgeable = (report: Pick<OperationTold, 'totals' | 'unjudged'>): number =>
  comparedOf(report) + sumOf(report.unjudged)

const contentOf = (report: OperationTold): number =>
  comparedOf(report) - report.errors.matched - report.errors.mismatched - report.empty
