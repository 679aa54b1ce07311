import { buildDistil } from '../app/build-distil.ts'
import { readDistilConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { VERSION } from '../app/version.ts'
import { count, counted, percent } from '../common/figures.ts'
import { type TerminalColumn, terminalTable } from '../common/tables.ts'
import { MappingError } from '../engine/compile/compile-operations.ts'
import type { Operation } from '../mapping/operation.ts'
import { chooseExchanges } from '../recordings/distil/choose-exchanges.ts'
import { OutError } from '../recordings/distil/out-directory.ts'
import { MOST_UNKNOWN } from '../recordings/distil/walk-body.ts'
import { type DistilReport, writeDistilled } from '../recordings/distil/write-distilled.ts'
import { findRecordings } from '../recordings/find-recordings.ts'
import { RecordingError } from '../recordings/recorded-exchange.ts'
import { unknownOperations } from './misspelt.ts'
import { OptionsError, orSayWhy, printable } from './printing.ts'
import { printLeftOut, printReading } from './scan-recordings.ts'
import { abortOnSignals } from './signals.ts'

/** The options as given on the command line. */
interface DistilOptions {
  readonly out: string
  readonly max?: string
  readonly operation?: readonly string[]
  readonly force?: true
}

const COULD_NOT_RUN = 2

/** `legacy-gateway distil FILE… --out DIR`: distils recordings into a directory, and returns the exit code. */
export const distil = (paths: readonly string[], options: DistilOptions): Promise<number> =>
  orSayWhy(COULD_NOT_RUN, [RecordingError, ConfigError, MappingError, OutError], async () => {
    const config = readDistilConfig()
    const { sources, translate, mappings } = buildDistil(config)
    const { max, only } = settingsOf(options, mappings)
    const recordings = await findRecordings(paths)
    printLeftOut(recordings.leftOut)
    const stop = abortOnSignals()
    const reading = printReading()
    try {
      const choice = await chooseExchanges({ ...recordings, max, only }, sources, reading, stop.signal)
      if (choice.read === 0) throw new RecordingError(nothingIn(paths, only, choice.leftOut))
      const directory = options.out
      const replaces = options.force === true
      const report = await writeDistilled(
        choice,
        { directory, replaces, version: VERSION, max, only, translate },
        stop.signal,
      )
      process.stdout.write(writeSummary(report, directory, config.tokenKeys.length > 0))
      return 0
    } catch (error) {
      const exitCode = stop.exitCode()
      if (exitCode === undefined) throw error
      console.error('Stopped: nothing was written.')
      return exitCode
    } finally {
      reading.stop()
    }
  })

/** @throws OptionsError that lists all problems. */
function settingsOf({ max, operation = [], out }: DistilOptions, mappings: readonly Operation[]) {
  const number = max === undefined || max.trim() === '' ? Number.NaN : Number(max)
  const problems = [
    ...(out === '' ? ['--out is empty'] : []),
    ...(max !== undefined && !(Number.isSafeInteger(number) && number >= 1)
      ? ['--max must be a whole number of at least 1']
      : []),
    ...unknownOperations(operation, mappings),
  ]
  if (problems.length > 0) throw new OptionsError(problems.join('\n'))
  return { max: max === undefined ? undefined : number, only: operation }
}

function nothingIn(paths: readonly string[], only: readonly string[], leftOut: number): string {
  const where = leftOut > 0 ? ` of ${only.join(', ')}` : ''
  return `${paths.join(' ')}: no exchange${where} in ${paths.length === 1 ? 'this recording' : 'these recordings'}`
}

const NO_KEY = ' TOKEN_KEY is not set: every run makes different pseudonyms.'

const COLUMNS: readonly TerminalColumn<DistilReport['operations'][number]>[] = [
  { head: 'operation', cell: ({ operation }) => operation },
  { head: 'exchanges', kind: 'number', cell: ({ read }) => count(read) },
  { head: 'kept', kind: 'number', cell: ({ kept }) => count(kept) },
  { head: 'covered', kind: 'number', cell: ({ covered, elements }) => `${count(covered)} of ${count(elements)}` },
]

/** Writes a summary of what was kept, as text for a terminal. */
function writeSummary(report: DistilReport, directory: string, hasKey: boolean): string {
  const { read, kept, elements, covered, bytes, max, leftOut, redacted, tooManyMembers, unreadable, exchanges } = report
  const cases = exchanges.filter((exchange) => exchange.case !== null).length
  return [
    ...terminalTable(COLUMNS, report.operations),
    '',
    `kept ${count(kept)} of ${count(read)} exchanges (${percent(kept / read)}), ${percent(bytes.kept / bytes.read)} of their bytes: ${count(covered)} of ${count(elements)} elements`,
    ...(max !== null && covered < elements
      ? [
          `--max ${max} leaves ${counted(elements - covered, 'element')} uncovered (covered: ${percent(covered / elements)}).`,
        ]
      : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'exchange')} of other operations left out.`] : []),
    ...(unreadable.count > 0
      ? [
          `${counted(unreadable.count, 'line')} could not be read, or not kept as recorded: distil.json lists the first ones.`,
        ]
      : []),
    ...tooManyMembers.map(
      (operation) =>
        `${operation} has more than ${MOST_UNKNOWN} members that no mapping line knows: the rest count as one.`,
    ),
    ...(redacted > 0
      ? [`${counted(redacted, 'exchange')} redacted that no gateway had recorded.${hasKey ? '' : NO_KEY}`]
      : []),
    `Written to ${printable(directory)}: recording.ndjson, recording.har, ${counted(cases, 'golden case')} in cases/, distil.json.`,
    '',
  ].join('\n')
}
