import { styleText } from 'node:util'
import { operations } from '../../../mappings/index.ts'
import { buildReplay, type RunReplay } from '../../app/build-replay.ts'
import { readCommandConfig } from '../../app/command-config.ts'
import { ConfigError } from '../../app/config/config-error.ts'
import { connectingTo } from '../../app/connecting.ts'
import { linesOf } from '../../app/lines-of.ts'
import { ReplayError } from '../../compare/replay/replay-error.ts'
import { outcomeOf, type Report, reportOf } from '../../compare/report/report-json.ts'
import { plural } from '../../compare/report/report-words.ts'
import { comparableOf } from '../../compare/rollout/demands.ts'
import { parseRollout, type Rollout, RolloutError } from '../../compare/rollout/rollout.ts'
import { watchRollout } from '../../compare/rollout/rollout-file.ts'
import { MappingError } from '../../engine/compile/mapping-error.ts'
import { steadyTime } from '../../observe/steady-time.ts'
import { readRecording } from '../../recording/read-recording.ts'
import { RecordingError } from '../../recording/recording-error.ts'
import type { Style } from '../explain/write-lines.ts'
import { SEE_HELP } from '../see-help.ts'
import { aboutReplay, shown } from './replay-about.ts'
import { adviceOnTokens } from './replay-advice.ts'
import { checkConnections } from './replay-connect.ts'
import { OptionsError, type ReplayOptions, settingsOf } from './replay-options.ts'
import { showProgress } from './replay-progress.ts'
import { makeReportDirectory, writeReports } from './replay-reports.ts'
import { abortOnSignals } from './replay-signals.ts'
import { writeSummary } from './replay-summary.ts'

const COULD_NOT_RUN = 2
const NOT_ENOUGH_DATA = 3
const EXIT_CODES = { 'all ready': 0, difference: 1, 'not enough data': NOT_ENOUGH_DATA } as const

/** Replays a file, writes the reports and returns the exit code (docs/decisions/0047). Never rejects. */
export const replayFile = (file: string, options: ReplayOptions): Promise<number> =>
  runFile(file, options).catch(sayWhy)

async function runFile(file: string, options: ReplayOptions): Promise<number> {
  // A reader such as head may close the pipe early, which is no error.
  process.stdout.on('error', () => undefined)
  const config = readCommandConfig()
  const settings = settingsOf(options, config)
  const replay = buildReplay(config, settings, rolloutOf(config.rolloutFile))
  try {
    await makeReportDirectory(options.report)
    const { exchanges, unreadable } = await scan(file)
    const { legacyUrl, v1Url } = settings
    const sides = [
      { name: 'the legacy service', url: legacyUrl, connecting: connectingTo('legacy', legacyUrl, config.connecting) },
      { name: 'v1', url: v1Url, connecting: connectingTo('v1', v1Url, config.connecting) },
    ]
    await checkConnections(sides, config.upstreamTimeoutMs)
    const runReplay = await replay.logIn()
    console.error(`Replaying ${plural(exchanges, 'exchange')}: ${shown(legacyUrl)} is compared with ${shown(v1Url)}`)
    if (settings.includeWrites) console.error('Writes are sent to both.')
    const stop = abortOnSignals()
    const replayed = await run(runReplay, file, exchanges, unreadable, stop.signal)
    const report = { ...replayed, replayed: aboutReplay(file, settings) }
    const files = writeReports(options.report, report)
    // If the reports cannot be written, the summary is printed all the same.
    await files.catch(() => undefined)
    const advice = adviceOnTokens(report, settings.credentials)
    const style: Style = (format, text) => styleText(format, text, { stream: process.stdout })
    process.stdout.write(writeSummary(report, advice, style))
    process.stdout.write(`${(await files).join('\n')}\n`)
    return stop.exitCode() ?? exitCodeOf(file, report, options)
  } finally {
    await replay.close()
  }
}

/** Returns the exit code; `untilDifference`: only a difference is of interest, not whether enough was shown. */
function exitCodeOf(file: string, report: Report, { untilDifference, includeWrites }: ReplayOptions): number {
  const { totals, unreadable } = report
  const outcome = outcomeOf(report, new Set(comparableOf(operations, includeWrites === true)))
  if (totals.requests === totals.skipped && unreadable.count > 0) {
    console.error(`${file}: nothing was compared: ${plural(unreadable.count, 'exchange')} could not be read`)
    return NOT_ENOUGH_DATA
  }
  return untilDifference === true && outcome !== 'difference' ? 0 : EXIT_CODES[outcome]
}

async function run(
  replay: RunReplay,
  file: string,
  exchanges: number,
  unreadable: Report['unreadable'],
  signal: AbortSignal,
): Promise<Report> {
  const { now } = steadyTime()
  const startedAt = new Date(now()).toISOString()
  const progress = showProgress(process.stderr, exchanges)
  try {
    const { operations, overall } = await replay(readRecording(file), progress.add, signal)
    const finishedAt = new Date(now()).toISOString()
    return reportOf({ startedAt, finishedAt, operations, overall, complete: !signal.aborted, unreadable })
  } finally {
    progress.stop()
  }
}

/** At most this many problems are kept for the reports. */
const KEPT = 20
/** How often to print progress while a large file is read. */
const SAY_EVERY_MS = 5_000

/**
 * Reads the file once before the replay. Counts the exchanges, and prints each line that cannot be read.
 * @throws RecordingError, or ReplayError if the file has no exchange.
 */
async function scan(file: string): Promise<{ readonly exchanges: number; readonly unreadable: Report['unreadable'] }> {
  const first: Report['unreadable']['first'][number][] = []
  let exchanges = 0
  let count = 0
  const timer = setInterval(
    () => console.error(`Reading ${file}: ${plural(exchanges, 'exchange')} so far`),
    SAY_EVERY_MS,
  )
  try {
    for await (const entry of readRecording(file)) {
      if ('problem' in entry) {
        console.error(`${file}:${entry.line}: ${entry.problem}`)
        if (count++ < KEPT) first.push(entry)
      } else exchanges++
    }
  } finally {
    clearInterval(timer)
  }
  if (exchanges === 0) throw new ReplayError(`${file}: no exchange in this file`)
  return { exchanges, unreadable: { count, first } }
}

function rolloutOf(path: string | undefined): Rollout {
  const ids = operations.map(({ id }) => id)
  const file = watchRollout({ path, parse: (text) => parseRollout(text, ids, true, linesOf(operations)) })
  file.close()
  return file.current().rollout
}

const EXPECTED = [ReplayError, RecordingError, ConfigError, MappingError]

/** Prints why the replay could not run: only the message if an operator can fix the cause, otherwise the stack. */
function sayWhy(error: unknown): number {
  if (error instanceof RolloutError) {
    for (const line of error.message.split('\n')) console.error(`ROLLOUT_FILE: ${line}`)
  } else if (EXPECTED.some((kind) => error instanceof kind)) console.error((error as Error).message)
  else console.error(error instanceof Error ? error.stack : error)
  if (error instanceof OptionsError) console.error(SEE_HELP)
  return COULD_NOT_RUN
}
