import { count, counted } from '../common/figures.ts'
import { type Style, type TerminalColumn, terminalTable } from '../common/tables.ts'
import { repeatableOf } from '../control-plane/evidence/comparable.ts'
import { lineText } from '../control-plane/evidence/coverage/lines-to-see.ts'
import type { ProbeReport, Report } from '../control-plane/evidence/report/report-json.ts'
import type { Operation } from '../mapping/operation.ts'
import { makeProbe } from '../recordings/probe/probe.ts'
import type { ReplayedReport } from '../recordings/replay/replay-results.ts'
import { compareSides, type Source } from './compare-sides.ts'
import { unknownOperations } from './misspelt.ts'
import { OptionsError, printable } from './printing.ts'
import { describe, MOST_SHOWN, nothingFirst, outcomesInWords } from './replay-command.ts'
import type { ReplayOptions } from './replay-options.ts'
import { showProgress } from './replay-progress.ts'

/** `legacy-gateway probe`: probes both services, writes the reports and returns the exit code (docs/comparing.md). Never rejects. */
export const probe = (options: ProbeOptions): Promise<number> =>
  compareSides({ ...options, operation: undefined }, async (operations) => openProbe(options, operations), 'probe')

function openProbe(options: ProbeOptions, operations: readonly Operation[]): Source {
  const comparable = repeatableOf(operations)
  const settings = probeSettings(
    options,
    operations.filter(({ id }) => comparable.includes(id)),
  )
  const perExchange = options.confirm || options.repeatControl === true ? 2 : 1
  const probe = makeProbe(settings.operations, { budget: settings.budget, perExchange })
  return {
    says: `Probing ${counted(settings.operations.length, 'operation')} with at most ${counted(settings.budget, 'call')} to each side`,
    entries: (signal) => probe.entries(signal),
    probe,
    unreadable: { count: 0, first: [] },
    showProgress: () => showProgress(process.stderr, settings.budget, undefined, true),
    writeSummary,
  }
}

/** The options as given on the command line. */
interface ProbeOptions extends Omit<ReplayOptions, 'includeWrites'> {
  readonly budget: string
}

/** An exchange whose answers differ takes two calls to each side. */
const LEAST = 2
const MOST = 100_000

/**
 * Checks the options that only a probe has.
 * @param comparable the operations that may be asked.
 * @throws OptionsError that lists all problems.
 */
function probeSettings(
  { budget: written, operation: ids }: ProbeOptions,
  comparable: readonly Operation[],
): { readonly budget: number; readonly operations: readonly Operation[] } {
  const budget = /^\d+$/.test(written) ? Number(written) : Number.NaN
  const problems = [
    ...(budget >= LEAST && budget <= MOST ? [] : [`--budget must be a whole number from ${LEAST} to ${MOST}`]),
    ...unknownOperations(ids ?? [], comparable),
  ]
  if (problems.length > 0) throw new OptionsError(problems.join('\n'))
  return { budget, operations: comparable.filter(({ id }) => ids === undefined || ids.includes(id)) }
}

const errorsOf = ({ errors }: ReplayedReport): number => errors.matched + errors.mismatched
const contentOf = (report: ReplayedReport): number =>
  report.totals.requests - report.totals.failed - report.totals.skipped - errorsOf(report) - report.empty

const COLUMNS: readonly TerminalColumn<ReplayedReport>[] = [
  {
    head: 'operation',
    cell: ({ operation }) => operation,
    format: ({ totals }) => (totals.mismatched + totals.failed > 0 ? 'red' : 'green'),
  },
  { head: 'exchanges', kind: 'number', cell: ({ totals }) => count(totals.requests) },
  { head: 'with content', kind: 'number', cell: (report) => count(contentOf(report)) },
  { head: 'empty', kind: 'number', cell: ({ empty }) => count(empty) },
  { head: 'errors', kind: 'number', cell: (report) => count(errorsOf(report)) },
  { head: 'mismatched', kind: 'number', cell: ({ totals }) => count(totals.mismatched) },
  { head: 'failed', kind: 'number', cell: ({ totals }) => count(totals.failed) },
]
/** The most requests to show per difference. */
const MOST_REQUESTS = 3

/** Writes the report of a probe as text for a terminal: what was compared, what differs in which requests, and `advice`. */
function writeSummary(report: Report, advice: readonly string[], style: Style): string {
  const { operations, totals, complete } = report
  const probe = report.probe ?? { control: 0, candidate: 0, isCut: false, asked: [] }
  return [
    ...nothingFirst(report, style),
    ...terminalTable(COLUMNS, operations, style),
    '',
    ...operations.flatMap((operation) => whyOf(operation, probe)),
    ...unreachedLines(report),
    `${counted(totals.requests, 'exchange')}: ${outcomesInWords(totals)}.`,
    `${counted(probe.control, 'call')} to the legacy service, ${count(probe.candidate)} to v1.${probe.isCut ? ' There is more to probe: raise --budget.' : ''}`,
    ...(complete ? [] : ['Stopped before the end.']),
    'A probe finds differences, but makes no operation ready: only client calls do.',
    ...advice,
    '',
  ].join('\n')
}

function whyOf({ operation, differences, uncompared }: ReplayedReport, { asked }: ProbeReport): readonly string[] {
  const requestsOf = (lines: readonly number[]): readonly string[] =>
    lines.slice(0, MOST_REQUESTS).flatMap((line) => {
      const text = asked[line - 1]
      return text === undefined ? [] : [`    with ${text.slice(operation.length + 2)}`]
    })
  const counting = differences.filter(({ ignored }) => ignored === null)
  const all = [
    ...counting.map((difference) => [`  ${describe(difference)}`, ...requestsOf(difference.lines)]),
    ...uncompared.map(({ outcome, reason, requests, lines }) => [
      `  ${outcome} (${reason}): ${count(requests)}`,
      ...requestsOf(lines),
    ]),
  ]
  if (all.length === 0) return []
  const more = all.length > MOST_SHOWN ? [`  and ${all.length - MOST_SHOWN} more`] : []
  return [`${operation}:`, ...[...all.slice(0, MOST_SHOWN).flat(), ...more].map(printable), '']
}

/** Says which mapping lines of the probed operations no request reached, as a block that ends with an empty line. */
function unreachedLines({ operations }: Pick<Report, 'operations'>): readonly string[] {
  const sum = (count: (report: Report['operations'][number]) => number): number =>
    operations.reduce((total, report) => total + count(report), 0)
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
