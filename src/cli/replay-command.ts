import type { Command } from 'commander'
import { count, counted, provenInWords } from '../common/figures.ts'
import { type Style, type TerminalColumn, terminalTable } from '../common/tables.ts'
import { notSentInWords } from '../control-plane/evidence/coverage/not-sent.ts'
import { byTypeInWords } from '../control-plane/evidence/report/recorded-answers.ts'
import type { Report } from '../control-plane/evidence/report/report-json.ts'
import { provesNothing, shareOfContent } from '../control-plane/evidence/report/report-words.ts'
import type { DifferenceReport } from '../control-plane/evidence/tally/report-differences.ts'
import { findRecordings, isNamedLikeRecording } from '../recordings/find-recordings.ts'
import { placeIn, readRecordings } from '../recordings/merge-recordings.ts'
import { ReplayError } from '../recordings/replay/replay.ts'
import type { ReplayedReport } from '../recordings/replay/replay-results.ts'
import { compareSides, type Source } from './compare-sides.ts'
import { printable } from './printing.ts'
import type { ReplayOptions } from './replay-options.ts'
import { showProgress } from './replay-progress.ts'
import { printLeftOut, scanRecordings } from './scan-recordings.ts'

/**
 * `legacy-gateway replay FILE…`: replays files and the recordings in directories, merged by time, writes the
 * reports and returns the exit code (docs/decisions/0047). Never rejects.
 */
export function replay(paths: readonly string[], options: ReplayOptions, command: Command): Promise<number> {
  const { rawArgs: words = [] } = (command.parent ?? command) as { readonly rawArgs?: readonly string[] }
  return compareSides(options, () =>
    openRecordings(paths, words, { everything: options.recorded === true, only: options.operation }),
  )
}

/**
 * Opens the recordings that a command names.
 * @param words the command line.
 * @param everything whether recorded answers are compared.
 * @param only the operations to replay; undefined: all.
 * @throws RecordingError, or ReplayError if there is no exchange.
 */
export async function openRecordings(
  paths: readonly string[],
  words: readonly string[],
  { everything = false, only }: { readonly everything?: boolean; readonly only?: readonly string[] | undefined } = {},
): Promise<Source> {
  const recordings = await findRecordings(paths, mayBeSecret(words))
  printLeftOut(recordings.leftOut)
  const { files, exchanges, unplayable, unreadable } = await scanRecordings(recordings)
  const names = paths.join(' ')
  const isOne = files.length === 1
  if (exchanges === 0) throw new ReplayError(`${names}: no exchange in ${isOne ? 'this file' : 'these files'}`)
  const { count, first } = unreadable
  return {
    file: names,
    ...(isOne ? {} : { files: files.map(({ path }) => path), placeOf: (number: number) => placeIn(files, number) }),
    says: `Replaying ${counted(exchanges, 'exchange')}${isOne ? '' : ` of ${counted(files.length, 'file')}`}`,
    entries: () => readRecordings(files, { everything }),
    unreadable: isOne ? { count, first: first.map(({ line, problem }) => ({ line, problem })) } : unreadable,
    showProgress: () => showProgress(process.stderr, exchanges, undefined, only !== undefined),
    writeSummary: (report, advice, style) =>
      writeSummary(report, [...leftOutInWords(report, exchanges, only), ...advice], style),
    whyNothing:
      count + unplayable > 0
        ? `${names}: nothing was compared: ${counted(count + unplayable, 'exchange')} could not be read, or not replayed as recorded`
        : only && `${names}: nothing was compared: no exchange of ${only.join(', ')} could be`,
  }
}

function leftOutInWords(
  { totals, complete }: Report,
  exchanges: number,
  only: readonly string[] | undefined,
): readonly string[] {
  if (only === undefined || !complete) return []
  return [`${counted(exchanges - totals.requests, 'exchange')} of other operations left out.`]
}

/** Matches an option, also with a dash of a text processor. */
const OPTION = /^[-\u2010-\u2015\u2212]/
/** Matches an option whose value is a secret, of which a part may follow as a word of its own. */
const SECRET = /(?:token|key|secret|id)\b/i

/**
 * Whether a path may be a secret after a mistyped option, so that no message may show it. A word that is named like a recording, or
 * does not follow an option, is a path.
 * @param words the command line.
 */
const mayBeSecret =
  (words: readonly string[]) =>
  (path: string): boolean => {
    if (isNamedLikeRecording(path)) return false
    const at = words.indexOf(path)
    const [before = '', last = ''] = [words[at - 2], words[at - 1]]
    return OPTION.test(last) || (OPTION.test(before) && SECRET.test(before))
  }

const COLOURS = { ready: 'green', 'not ready': 'red', 'insufficient data': 'yellow' } as const
const COLUMNS: readonly TerminalColumn<ReplayedReport>[] = [
  { head: 'operation', cell: ({ operation }) => operation },
  { head: 'exchanges', kind: 'number', cell: ({ totals }) => count(totals.requests) },
  { head: 'match rate', kind: 'number', cell: (report) => shareOfContent(report, report.matchRate) },
  { head: 'at least', kind: 'number', cell: (report) => shareOfContent(report, report.lowerBound) },
  { head: 'verdict', cell: ({ says }) => says, format: ({ verdict }) => COLOURS[verdict] },
  { head: 'units needed', kind: 'number', cell: ({ needed }) => count(needed) },
]
/** The most differences and reasons to show per operation. The reports have all of them. */
export const MOST_SHOWN = 5

/**
 * Writes a report as text for a terminal: the verdicts, the reasons, and `advice` at the end, one sentence per line.
 */
function writeSummary(report: Report, advice: readonly string[], style: Style): string {
  const { operations, overall, totals, complete, unreadable, recorded } = report
  const { requests } = totals
  return [
    ...nothingFirst(report, style),
    ...terminalTable(COLUMNS, operations, style),
    '',
    ...operations.flatMap(whyOf),
    inAll(overall),
    `${counted(requests, 'exchange')}: ${outcomesInWords(totals)}.`,
    ...[recorded && byTypeInWords(recorded)].flatMap((text) => text ?? []),
    ...(unreadable.count === 0 ? [] : [`${counted(unreadable.count, 'line')} could not be read.`]),
    ...(complete ? [] : ['Stopped before the end of the recording.']),
    ...advice,
    '',
  ].join('\n')
}

/** Says first which answers look like matches and prove nothing. */
export function nothingFirst(report: Report, style: Style): readonly string[] {
  const says = provesNothing(report)
  return says.length === 0 ? [] : [...says.map((text) => style('yellow', text)), '']
}

/** `98 matched, 0 ignored, 1 mismatched, 0 failed, 1 skipped` */
export const outcomesInWords = (totals: Report['totals']): string =>
  (['matched', 'ignored', 'mismatched', 'failed', 'skipped'] as const)
    .map((outcome) => `${count(totals[outcome])} ${outcome}`)
    .join(', ')

/** The verdict on all operations together. */
const inAll = (overall: Report['overall']): string => `All together: ${overall.says}. ${provenInWords(overall)}`

function whyOf({ operation, differences, uncompared, missing, verdict, coverage }: ReplayedReport): readonly string[] {
  const counting = differences
    .filter(({ ignored }) => ignored === null)
    .map((difference) => [describe(difference), ...difference.shownBy.flatMap(({ says }) => says)].join('\n    '))
  const reasons = uncompared.map(({ outcome, reason, requests }) => `${outcome} (${reason}): ${count(requests)}`)
  const lacks = verdict === 'insufficient data' ? missing.map((text) => `missing: ${text}`) : []
  // `ready` says so itself.
  const notSent = verdict === 'ready' ? [] : notSentInWords(coverage.notSent)
  const all = [...counting, ...reasons, ...lacks, ...notSent]
  if (all.length === 0) return []
  const more = all.length > MOST_SHOWN ? [`and ${all.length - MOST_SHOWN} more`] : []
  return [`${operation}:`, ...[...all.slice(0, MOST_SHOWN), ...more].map(indented), '']
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${printable(line)}`)
    .join('\n')

/** Writes a difference in one line. */
export function describe({ kind, path, v1Path, requests, details }: DifferenceReport): string {
  const which = Object.entries(details ?? {}).map(([detail, times]) => `${detail}: ${count(times)}`)
  const from = v1Path === null || v1Path === path ? '' : ` (v1: ${v1Path})`
  const of = which.length === 0 ? '' : ` [${which.join(', ')}]`
  return `${kind}${path === '' ? '' : ` ${path}`}${from}${of}, in ${counted(requests, 'exchange')}`
}
