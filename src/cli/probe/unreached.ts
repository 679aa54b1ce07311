import { counted } from '../../common/figures.ts'
import { lineText } from '../../compare/coverage/line-to-see.ts'
import type { Report } from '../../compare/report/report-json.ts'

/** Says which mapping lines of the probed operations no request reached, as a block that ends with an empty line. */
export function unreachedLines({ operations }: Pick<Report, 'operations'>): readonly string[] {
  const sum = (count: (one: Report['operations'][number]) => number): number =>
    operations.reduce((total, one) => total + count(one), 0)
  const [lines, seen] = [sum(({ coverage }) => coverage.lines), sum(({ coverage }) => coverage.seen)]
  if (lines === 0) return []
  if (seen === lines) return [`Every line of the mappings was reached: ${lines}.`, '']
  return [
    `No request reached ${lines - seen} of ${counted(lines, 'line')} of the mappings:`,
    ...operations.flatMap(({ operation, coverage: { unseen } }) =>
      unseen.length === 0 ? [] : [`  ${operation}: ${unseen.map(lineText).join(', ')}`],
    ),
    '',
  ]
}
