import { count, counted, percent } from '../../common/figures.ts'
import type { CallAccount } from '../tally/call-account.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'

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
