import { buildDistil } from '../../app/build-distil.ts'
import { readDistilConfig } from '../../app/command-config.ts'
import { ConfigError } from '../../app/config/config-error.ts'
import { VERSION } from '../../app/version.ts'
import { counted } from '../../common/figures.ts'
import { chooseExchanges, type Listener } from '../../distil/choose-exchanges.ts'
import { OutError } from '../../distil/out-directory.ts'
import { writeDistilled } from '../../distil/write-distilled.ts'
import { MappingError } from '../../engine/compile/compile-operations.ts'
import { findRecordings } from '../../recording/find-recordings.ts'
import { RecordingError } from '../../recording/recorded-exchange.ts'
import { sayLeftOut } from '../replay/replay-files.ts'
import { abortOnSignals } from '../replay/replay-signals.ts'
import { sayProblems } from '../replay/say-problems.ts'
import { SEE_HELP } from '../see-help.ts'
import { writeDistilSummary } from './distil-summary.ts'

/** The options as given on the command line. */
export interface DistilOptions {
  readonly out: string
  readonly max?: string
  readonly operation?: readonly string[]
  readonly force?: true
}

const COULD_NOT_RUN = 2

/** The options are wrong. */
class OptionsError extends Error {}

/** Distils recordings into a directory, and returns the exit code. Never rejects. */
export const distilFiles = (given: readonly string[], options: DistilOptions): Promise<number> =>
  distil(given, options).catch(sayWhy)

async function distil(given: readonly string[], options: DistilOptions): Promise<number> {
  const config = readDistilConfig()
  const { sources, translate, ids } = buildDistil(config)
  const { max, only } = settingsOf(options, ids)
  const say = (text: string): void => console.error(text)
  const found = await findRecordings(given)
  sayLeftOut(found.leftOut, say)
  const stop = abortOnSignals()
  const progress = showReading(say)
  try {
    const choice = await chooseExchanges({ ...found, max, only }, sources, progress.listener, stop.signal)
    if (choice.read === 0) throw new RecordingError(nothingIn(given, only, choice.leftOut))
    const { replaces, directory } = { replaces: options.force === true, directory: options.out }
    const report = await writeDistilled(
      choice,
      { directory, replaces, version: VERSION, max, only, translate },
      stop.signal,
    )
    process.stdout.write(writeDistilSummary(report, directory, config.tokenKeys.length > 0))
    return 0
  } catch (error) {
    const exitCode = stop.exitCode()
    if (exitCode === undefined) throw error
    say('Stopped: nothing was written.')
    return exitCode
  } finally {
    progress.stop()
  }
}

/** @throws OptionsError that lists all problems. */
function settingsOf({ max, operation = [], out }: DistilOptions, ids: readonly string[]) {
  const number = max === undefined || max.trim() === '' ? Number.NaN : Number(max)
  const problems = [
    ...(out === '' ? ['--out is empty'] : []),
    ...(max !== undefined && !(Number.isSafeInteger(number) && number >= 1)
      ? ['--max must be a whole number of at least 1']
      : []),
    ...(operation.every((id) => ids.includes(id)) ? [] : [`--operation must be one of ${ids.join(', ')}`]),
  ]
  if (problems.length > 0) throw new OptionsError(problems.join('\n'))
  return { max: max === undefined ? undefined : number, only: operation }
}

function nothingIn(given: readonly string[], only: readonly string[], leftOut: number): string {
  const where = leftOut > 0 ? ` of ${only.join(', ')}` : ''
  return `${given.join(' ')}: no exchange${where} in ${given.length === 1 ? 'this recording' : 'these recordings'}`
}

/** How often to print progress while large files are read. */
const SAY_EVERY_MS = 5_000

function showReading(say: (text: string) => void): { readonly listener: Listener; stop(): void } {
  const problems = sayProblems(say)
  let now: readonly [file: string, exchanges: number] | undefined
  const timer = setInterval(() => {
    if (now !== undefined) say(`Reading ${now[0]}: ${counted(now[1], 'exchange')} so far`)
  }, SAY_EVERY_MS)
  return {
    listener: {
      read(file, exchanges) {
        now = [file, exchanges]
      },
      unreadable: ({ file, line, problem }) => problems.add(file, line, problem),
      endFile: problems.endFile,
      leftOut: (why) => say(`${why}: it is left out`),
    },
    stop: () => clearInterval(timer),
  }
}

const EXPECTED = [RecordingError, ConfigError, MappingError, OutError, OptionsError]

/** Prints why it could not run: only the message if an operator can fix the cause, otherwise the stack. */
function sayWhy(error: unknown): number {
  if (EXPECTED.some((kind) => error instanceof kind)) console.error((error as Error).message)
  else console.error(error instanceof Error ? error.stack : error)
  if (error instanceof OptionsError) console.error(SEE_HELP)
  return COULD_NOT_RUN
}
