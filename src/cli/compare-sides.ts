import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildReplay, type ReplayResult, type ReplaySettings, type RunReplay } from '../app/build-replay.ts'
import { type CommandConfig, readCommandConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { connectingTo } from '../app/connect-services.ts'
import { readMappings } from '../app/read-mappings.ts'
import { rolloutParser } from '../app/rollout-parser.ts'
import { VERSION } from '../app/version.ts'
import { reasonOf } from '../common/reason-of.ts'
import type { Style } from '../common/tables.ts'
import { repeatableOf } from '../control-plane/evidence/comparable.ts'
import type { ProposalsReport } from '../control-plane/evidence/proposals/proposals.ts'
import { reportHtml } from '../control-plane/evidence/report/report-html.ts'
import {
  outcomeOf,
  type Replayed,
  type Report,
  reportJson,
  reportOf,
} from '../control-plane/evidence/report/report-json.ts'
import { reportJunit } from '../control-plane/evidence/report/report-junit.ts'
import { isMostlyNothing } from '../control-plane/evidence/report/report-words.ts'
import { type Rollout, RolloutError } from '../control-plane/rollout/rollout.ts'
import { watchRollout } from '../control-plane/rollout/rollout-file.ts'
import { connectorTo, tryConnection } from '../data-plane/upstream/connector.ts'
import { MappingError } from '../engine/compile/compile-operations.ts'
import type { Purpose } from '../exchange/purpose.ts'
import type { Operation } from '../mapping/operation.ts'
import { addressOf } from '../observe/readiness.ts'
import { steadyTime } from '../observe/steady-time.ts'
import type { Place } from '../recordings/merge-recordings.ts'
import type { Probe } from '../recordings/probe/probe.ts'
import type { BadEntry, RecordedExchange } from '../recordings/recorded-exchange.ts'
import { RecordingError } from '../recordings/recorded-exchange.ts'
import { changeInWords } from '../recordings/replay/mapping-change.ts'
import { ReplayError } from '../recordings/replay/replay.ts'
import { withPlaces } from '../recordings/replay/replay-results.ts'
import { unknownOperations } from './misspelt.ts'
import { OptionsError, orSayWhy, styleFor, writeWhole } from './printing.ts'
import { adviceOnTokens, type ReplayOptions, settingsOf } from './replay-options.ts'
import type { Progress } from './replay-progress.ts'
import { abortOnSignals } from './signals.ts'

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
  writeSummary(report: Report & Pick<ReplayResult, 'proposals'>, advice: readonly string[], style: Style): string
  /** Whether standard output gets nothing but the summary. */
  readonly isSummaryAlone?: boolean
  /** Does what is left, and returns the exit code; unset: as the verdicts say. */
  end?(report: Report & Pick<ReplayResult, 'proposals'>): Promise<number>
  /** Says why nothing was compared, where the cause lies in the source. */
  readonly whyNothing?: string | undefined
}

const COULD_NOT_RUN = 2
const EXIT_CODES = { 'all ready': 0, difference: 1, 'not enough data': 3 } as const

/**
 * Sends the requests of a source to both sides, writes the reports and returns the exit code (docs/decisions/0047). Never
 * rejects.
 * @param open called before any service is asked, with the mappings to compare by.
 * @param purpose what the services are told that the calls are for.
 */
export const compareSides = (
  options: ReplayOptions,
  open: (operations: readonly Operation[]) => Promise<Source>,
  purpose: Purpose = 'replay',
): Promise<number> =>
  orSayWhy(COULD_NOT_RUN, [ReplayError, RecordingError, ConfigError, MappingError, RolloutFileError], async () => {
    const config = readCommandConfig()
    const settings = { ...settingsOf(options, config), purpose }
    const inForce = readMappings(config.mappingFile)
    const operations = options.mapping === undefined ? inForce : readMappings(options.mapping, '--mapping')
    const unknown = unknownOperations(options.operation ?? [], operations)
    if (unknown.length > 0) throw new OptionsError(unknown.join('\n'))
    const rollout = rolloutOf(config.rolloutFile, operations)
    const replay = buildReplay(
      config,
      settings,
      rollout,
      operations,
      options.mapping === undefined ? undefined : inForce,
    )
    try {
      await makeReportDirectory(options.report)
      const source = await open(operations)
      const { legacyUrl, v1Url } = settings
      await checkConnections(settings, config)
      const runReplay = await replay.logIn()
      const control = legacyUrl === undefined ? 'what is recorded' : addressOf(legacyUrl)
      console.error(`${source.says}: ${control} is compared with ${addressOf(v1Url)}`)
      if (settings.includeWrites) console.error('Writes are sent to both services.')
      const stop = abortOnSignals()
      const { problems, proposals, change, ...compared } = await run(runReplay, source, stop.signal)
      const report = {
        ...compared,
        ...(change && { change }),
        replayed: aboutReplay(source, settings, options.mapping),
      }
      const files = writeReports(options.report, report, proposals)
      // The summary is printed even if the reports cannot be written.
      await files.catch(() => undefined)
      const advice = [
        ...(change === undefined ? [] : [changeInWords(change)]),
        ...problems.map((problem) => `${problem}, after its token had been refused.`),
        ...adviceOnTokens(report, settings.credentials),
      ]
      const found = { ...report, proposals }
      process.stdout.write(source.writeSummary(found, advice, styleFor(process.stdout)))
      const names = source.isSummaryAlone === true ? process.stderr : process.stdout
      names.write(`${(await files).join('\n')}\n`)
      return stop.exitCode() ?? (await source.end?.(found)) ?? exitCodeOf(source, report, options, operations)
    } finally {
      await replay.close()
    }
  })

/** The rollout file cannot be used. */
class RolloutFileError extends Error {}

/** @throws RolloutFileError */
function rolloutOf(path: string | undefined, operations: readonly Operation[]): Rollout {
  try {
    const file = watchRollout({ path, parse: rolloutParser(operations) })
    file.close()
    return file.current().rollout
  } catch (error) {
    if (!(error instanceof RolloutError)) throw error
    throw new RolloutFileError(error.message.replaceAll(/^/gm, 'ROLLOUT_FILE: '))
  }
}

/**
 * Returns the exit code. With `untilDifference`, only a difference matters, not whether enough was compared; but what both services
 * refuse alike never passes for a match.
 */
function exitCodeOf(
  { whyNothing }: Source,
  report: Report,
  { untilDifference, includeWrites }: ReplayOptions,
  operations: readonly Operation[],
): number {
  const { totals } = report
  const comparable = new Set(repeatableOf(operations, includeWrites === true))
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
): Promise<Report & Pick<ReplayResult, 'problems' | 'proposals' | 'change'>> {
  const { probe, unreadable, placeOf } = source
  const { now } = steadyTime()
  const startedAt = new Date(now()).toISOString()
  const progress = source.showProgress()
  try {
    const replayed = await replay(source.entries(signal), progress.add, signal, probe?.listener)
    const { operations, overall, unjudgedLimit, recorded, problems, proposals, change } = replayed
    const result = { operations: placeOf === undefined ? operations : withPlaces(operations, placeOf), overall }
    const finishedAt = new Date(now()).toISOString()
    const made = probe === undefined ? {} : { probe: { ...probe.spent(), asked: probe.asked() } }
    const report = reportOf({
      ...{ startedAt, finishedAt, ...result, unjudgedLimit },
      ...{ complete: !signal.aborted, unreadable, ...made, ...(recorded && { recorded }) },
    })
    return { ...report, problems, proposals, ...(change && { change }) }
  } finally {
    progress.stop()
  }
}

/**
 * Returns what the reports say about the run: files, sides, options and version, without tokens and accounts. `file` is
 * undefined if the requests are made up.
 */
function aboutReplay(
  { file, files }: Pick<Source, 'file' | 'files'>,
  settings: ReplaySettings,
  mapping: string | undefined,
): Replayed {
  const { legacyUrl, v1Url, repeatControl, confirm, includeWrites, only = [], target, concurrency, rate } = settings
  return {
    file: file ?? null,
    ...(files === undefined ? {} : { files }),
    legacy: legacyUrl === undefined ? null : addressOf(legacyUrl),
    v1: addressOf(v1Url),
    options: [
      ...(legacyUrl === undefined ? ['--recorded'] : []),
      ...(repeatControl ? ['--repeat-control'] : []),
      ...(confirm ? [] : ['--no-confirm']),
      ...(includeWrites ? ['--include-writes'] : []),
      ...only.map((id) => `--operation ${id}`),
      ...(mapping === undefined ? [] : [`--mapping ${mapping}`]),
      ...(target === undefined ? [] : [`--target ${target}`]),
      `--concurrency ${concurrency}`,
      ...(rate === undefined ? [] : [`--rate ${rate}`]),
    ],
    gateway: VERSION,
  }
}

/**
 * Checks that both sides accept connections: opens one to each, as the replay does, and closes it again.
 * @throws ReplayError that names every side that accepts none.
 */
async function checkConnections({ legacyUrl, v1Url }: ReplaySettings, config: CommandConfig): Promise<void> {
  const sides = [
    ...(legacyUrl === undefined
      ? []
      : [
          {
            ...{ name: 'the legacy service', url: legacyUrl },
            connecting: connectingTo('legacy', legacyUrl, config.connecting),
          },
        ]),
    { name: 'v1', url: v1Url, connecting: connectingTo('v1', v1Url, config.connecting) },
  ]
  const checks = sides.map(async ({ name, url, connecting }) => {
    const why = await tryConnection(url, connectorTo(connecting, config.upstreamTimeoutMs))
    return why === undefined ? [] : [`cannot connect to ${name} at ${url.href.replace(/\/$/, '')}: ${why}`]
  })
  const problems = (await Promise.all(checks)).flat()
  if (problems.length > 0) throw new ReplayError(problems.join('\n'))
}

/**
 * Creates the directory for the reports, with its parents. Called before the replay, so that a directory without write
 * permission is noticed early.
 * @throws ReplayError
 */
async function makeReportDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await access(directory, constants.W_OK)
  } catch (error) {
    throw new ReplayError(`--report: ${directory}: ${reasonOf(error)}`, { cause: error })
  }
}

/**
 * Writes the reports, each one completely or not at all, and returns their paths.
 * @throws ReplayError
 */
async function writeReports(directory: string, report: Report, proposals: ProposalsReport): Promise<readonly string[]> {
  const texts = {
    'report.json': reportJson(report),
    'report.html': reportHtml(report),
    'junit.xml': reportJunit(report),
    'propose.json': `${JSON.stringify(proposals, null, 2)}\n`,
  }
  const files: string[] = []
  for (const [name, text] of Object.entries(texts)) {
    const file = join(directory, name)
    await writeWhole(file, text).catch((error: unknown) => {
      throw new ReplayError(`${file}: ${reasonOf(error)}`, { cause: error })
    })
    files.push(file)
  }
  return files
}
