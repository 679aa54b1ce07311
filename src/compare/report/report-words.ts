import { percent } from '../../look/figures.ts'
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
