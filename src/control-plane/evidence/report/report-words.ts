import { counted, percent } from '../../../common/figures.ts'
import { BOTH_EMPTY, showsNothing } from '../observation.ts'
import { NamedSums } from '../tally/bounds.ts'
import { sumOf } from '../tally/call-account.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'
import type { Report } from './report-json.ts'

/** Returns how many exchanges were compared. */
export const comparedOf = ({ totals }: Pick<OperationReport, 'totals'>): number =>
  totals.matched + totals.ignored + totals.mismatched

type Contents = Pick<OperationReport, 'totals' | 'errors' | 'empty'>

/** Returns how many compared exchanges have content. Errors and empty answers prove no match (docs/decisions/0061). */
const contentOf = ({ errors, empty, ...report }: Contents): number =>
  comparedOf(report) - errors.matched - errors.mismatched - empty

/** Formats a share of an operation's exchanges with content, such as its match rate; `–`: there are none. */
export const shareOfContent = (report: Contents & Pick<OperationReport, 'target'>, share: number): string =>
  contentOf(report) > 0 ? percent(share, report.target) : '–'

/** Lists the lines that are kept: `lines 3, 7, 12, …`, or `a.ndjson:3, b.ndjson:7, …` where there are several files. */
export function linesOf({ lines, places, requests }: Pick<DifferenceReport, 'lines' | 'places' | 'requests'>): string {
  const more = requests > lines.length ? ', …' : ''
  if (places !== undefined) return `${places.map(({ file, line }) => `${file}:${line}`).join(', ')}${more}`
  return `${lines.length === 1 && requests === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

/**
 * Says what both services answered alike and what proves nothing all the same, in sentences; none: there is nothing to say. Reports
 * begin with it, because such answers look like matches.
 */
export function provesNothing({ operations }: Pick<Report, 'operations'>): readonly string[] {
  const asked = operations.reduce((sum, operation) => sum + judgeable(operation), 0)
  const refusals = new NamedSums(Number.POSITIVE_INFINITY)
  let empty = 0
  for (const [reason, times] of operations.flatMap(({ unjudged }) => Object.entries(unjudged))) {
    if (reason === BOTH_EMPTY) empty += times
    else if (showsNothing(reason)) refusals.add(reason.slice(reason.indexOf(': ') + 2), times)
  }
  const sentences: string[] = []
  if (!refusals.isEmpty) {
    const statuses = refusals.entries().map(([status, times]) => `${status}: ${times}`)
    sentences.push(
      `Both services refused ${refusals.total()} of ${counted(asked, 'exchange')} alike (${statuses.join(', ')}), which proves nothing.`,
    )
  }
  if (empty > 0) {
    sentences.push(
      `Both services answered ${empty} of ${counted(asked, 'exchange')} without the content that the recording has, which proves nothing.`,
    )
  }
  for (const report of operations.filter(isMostlyRefused)) {
    sentences.push(
      `${report.operation}: both services refused ${report.refusals} of ${counted(comparedOf(report), 'compared exchange')} alike, and nothing says how they were answered before.`,
    )
  }
  const silent = operations.filter((report) => comparedOf(report) > 0 && contentOf(report) === 0)
  if (silent.length > 0) {
    const names = silent.map(({ operation }) => operation).join(', ')
    sentences.push(`Nothing was shown of ${names}: every answer was an error or empty.`)
  }
  return sentences
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
export const nothingIn = ({ unjudged }: Pick<OperationReport, 'unjudged'>): number =>
  Object.entries(unjudged).reduce((sum, [reason, times]) => sum + (showsNothing(reason) ? times : 0), 0)

const isMostlyRefused = (report: Pick<OperationReport, 'refusals' | 'totals'>): boolean =>
  report.refusals * 2 > comparedOf(report)

/** Returns the number of exchanges that were to be compared. */
export const judgeable = (report: Pick<OperationReport, 'totals' | 'unjudged'>): number =>
  comparedOf(report) + sumOf(report.unjudged)
