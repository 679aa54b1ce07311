import { styleText } from 'node:util'
import { operations } from '../../../mappings/index.ts'
import { buildReplay, type ReplayResult, type RunReplay } from '../../app/build-replay.ts'
import { readCommandConfig } from '../../app/command-config.ts'
import { ConfigError } from '../../app/config/config-error.ts'
import { connectingTo } from '../../app/connecting.ts'
import { rolloutParser } from '../../app/rollout-parser.ts'
import type { Style } from '../../common/tables.ts'
import { ReplayError } from '../../compare/replay/replay-error.ts'
import { withPlaces } from '../../compare/report/places.ts'
import { isMostlyNothing } from '../../compare/report/proves-nothing.ts'
import { outcomeOf, type Report, reportOf } from '../../compare/report/report-json.ts'
import { comparableOf } from '../../compare/rollout/demands.ts'
import { type Rollout, RolloutError } from '../../compare/rollout/rollout.ts'
import { watchRollout } from '../../compare/rollout/rollout-file.ts'
import { MappingError } from '../../engine/compile/compile-operations.ts'
import { steadyTime } from '../../observe/steady-time.ts'
import type { Probe } from '../../probe/probe.ts'
import type { Place } from '../../recording/merge-recordings.ts'
import type { BadEntry, RecordedExchange } from '../../recording/recorded-exchange.ts'
import { RecordingError } from '../../recording/recorded-exchange.ts'
import { SEE_HELP } from '../see-help.ts'
import { aboutReplay, shown } from './replay-about.ts'
import { adviceOnTokens } from './replay-advice.ts'
import { checkConnections } from './replay-connect.ts'
import { OptionsError, type ReplayOptions, settingsOf } from './replay-options.ts'
import type { Progress } from './replay-progress.ts'
import { makeReportDirectory, writeReports } from './replay-reports.ts'
import { abortOnSignals } from './replay-signals.ts'

/** Where the requests of a comparison come from, and how to report on it. */
export interface Source {
  /** The recording, as it was given; unset: the requests are made up. */
  readonly file?: string
  /** The files to read, and the place in them that an entry's line number stands for. Unset: there is only one file. */
  readonly files?: readonly string[]
  readonly placeOf?: (line: number) => Place
  /** Announces the run: `Replaying 3 exchanges`. */
  readonly says: string
  entries(signal: AbortSignal): AsyncIterable<RecordedExchange | BadEntry>
  readonly probe?: Probe | undefined
  /** What could not be read. */
  readonly unreadable: Report['unreadable']
  showProgress(): Progress
  writeSummary(report: Report, advice: readonly string[], style: Style): string
  /** Says why nothing was compared, where the cause lies in the source. */
  readonly whyNothing?: string | undefined
}

const COULD_NOT_RUN = 2
const EXIT_CODES = { 'all ready': 0, difference: 1, 'not enough data': 3 } as const

/**
 * Sends the requests of a source to both sides, writes the reports and returns the exit code (docs/decisions/0047). Never
 * rejects.
 * @param open called before any service is asked.
 */
export const compareSides = (options: ReplayOptions, open: () => Promise<Source>): Promise<number> =>
  compare(options, open).catch(sayWhy)

async function compare(options: ReplayOptions, open: () => Promise<Source>): Promise<number> {
  const config = readCommandConfig()
  const settings = settingsOf(options, config)
  const replay = buildReplay(config, settings, rolloutOf(config.rolloutFile))
  try {
    await makeReportDirectory(options.report)
    const source = await open()
    const { legacyUrl, v1Url } = settings
    const sides = [
      { name: 'the legacy service', url: legacyUrl, connecting: connectingTo('legacy', legacyUrl, config.connecting) },
      { name: 'v1', url: v1Url, connecting: connectingTo('v1', v1Url, config.connecting) },
    ]
    await checkConnections(sides, config.upstreamTimeoutMs)
    const runReplay = await replay.logIn()
    console.error(`${source.says}: ${shown(legacyUrl)} is compared with ${shown(v1Url)}`)
    if (settings.includeWrites) console.error('Writes are sent to both services.')
    const stop = abortOnSignals()
    const { problems, ...compared } = await run(runReplay, source, stop.signal)
    const report = { ...compared, replayed: aboutReplay(source, settings) }
    const files = writeReports(options.report, report)
    // The summary is printed even if the reports cannot be written.
    await files.catch(() => undefined)
    const advice = [
      ...problems.map((problem) => `${problem}, after its token had been refused.`),
      ...adviceOnTokens(report, settings.credentials),
    ]
    const style: Style = (format, text) => styleText(format, text, { stream: process.stdout })
    process.stdout.write(source.writeSummary(report, advice, style))
    process.stdout.write(`${(await files).join('\n')}\n`)
    return stop.exitCode() ?? exitCodeOf(source, report, options)
  } finally {
    await replay.close()
  }
}

/**
 * Returns the exit code. With `untilDifference`, only a difference matters, not whether enough was compared; but what both services
 * refuse alike never passes for a match.
 */
function exitCodeOf({ whyNothing }: Source, report: Report, { untilDifference, includeWrites }: ReplayOptions): number {
  const { totals } = report
  const comparable = new Set(comparableOf(operations, includeWrites === true))
  const outcome = outcomeOf(report, comparable)
  if (totals.requests === totals.skipped && whyNothing !== undefined) {
    console.error(whyNothing)
    return EXIT_CODES['not enough data']
  }
  const isQuick = untilDifference === true && outcome !== 'difference' && !isMostlyNothing(report, comparable)
  return isQuick ? 0 : EXIT_CODES[outcome]
}

async function run(
  replay: RunReplay,
  source: Source,
  signal: AbortSignal,
): Promise<Report & Pick<ReplayResult, 'problems'>> {
  const { probe, unreadable, placeOf } = source
  const { now } = steadyTime()
  const startedAt = new Date(now()).toISOString()
  const progress = source.showProgress()
  try {
    const found = await replay(source.entries(signal), progress.add, signal, probe?.listener)
    const { operations, overall, unjudgedLimit, problems } = found
    const result = { operations: placeOf === undefined ? operations : withPlaces(operations, placeOf), overall }
    const finishedAt = new Date(now()).toISOString()
    const made = probe === undefined ? {} : { probe: { ...probe.spent(), asked: probe.asked() } }
    const report = reportOf({
      ...{ startedAt, finishedAt, ...result, unjudgedLimit },
      ...{ complete: !signal.aborted, unreadable, ...made },
    })
    return { ...report, problems }
  } finally {
    progress.stop()
  }
}

function rolloutOf(path: string | undefined): Rollout {
  const file = watchRollout({ path, parse: rolloutParser(operations) })
  file.close()
  return file.current().rollout
}

const EXPECTED = [ReplayError, RecordingError, ConfigError, MappingError]

/** Prints why the comparison could not run: only the message if an operator can fix the cause, otherwise the stack. */
function sayWhy(error: unknown): number {
  if (error instanceof RolloutError) {
    for (const line of error.message.split('\n')) console.error(`ROLLOUT_FILE: ${line}`)
  } else if (EXPECTED.some((kind) => error instanceof kind)) console.error((error as Error).message)
  else console.error(error instanceof Error ? error.stack : error)
  if (error instanceof OptionsError) console.error(SEE_HELP)
  return COULD_NOT_RUN
}
