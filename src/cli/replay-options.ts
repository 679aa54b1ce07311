import type { ReplaySettings } from '../app/build-replay.ts'
import {
  type CommandConfig,
  mistypedVariable,
  readCommandConfig,
  readReplaySecrets,
  readTokenKeys,
} from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { counted } from '../common/figures.ts'
import { bothRefused } from '../control-plane/evidence/observation.ts'
import type { Report } from '../control-plane/evidence/report/report-json.ts'
import { isToken } from '../recordings/replay/replay-login.ts'
import { OptionsError } from './printing.ts'
import { secretOf } from './secret-file.ts'

/** The options as given on the command line. */
export interface ReplayOptions {
  readonly legacy?: string
  readonly v1?: string
  readonly legacyToken?: string
  readonly v1Token?: string
  readonly clientId?: string
  readonly secretKey?: string
  readonly legacyTokenFile?: string
  readonly v1TokenFile?: string
  readonly secretKeyFile?: string
  readonly report: string
  readonly recorded?: true
  readonly repeatControl?: true
  readonly confirm: boolean
  readonly untilDifference?: true
  readonly includeWrites?: true
  readonly mapping?: string
  readonly operation?: readonly string[] | undefined
  readonly theseAreCopies?: true
  readonly target?: string
  readonly concurrency: string
  readonly rate?: string
}

const MOST_AT_A_TIME = 1_000

/**
 * Checks the options, and completes them from the configuration.
 * @throws OptionsError that lists all problems, without secrets.
 */
export function settingsOf(options: ReplayOptions, config: CommandConfig): Omit<ReplaySettings, 'purpose'> {
  const problems: string[] = []
  const check = <T>(value: T | undefined, problem: string): T | undefined => {
    if (value === undefined) problems.push(problem)
    return value
  }
  const side = (option: '--legacy' | '--v1', written: string | undefined): URL | undefined => {
    const [variable, name] =
      option === '--v1' ? (['V1_BASE_URL', 'v1BaseUrl'] as const) : (['LEGACY_BASE_URL', 'legacyBaseUrl'] as const)
    if (written === undefined)
      return check(config[name], `${option} is missing: give it, or set ${variable}${insteadOf(variable)}`)
    try {
      return check(readCommandConfig({ [variable]: written })[name], `${option} is empty`)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems.map((problem) => problem.replace(variable, option)))
      return undefined
    }
  }
  const number = (option: string, written: string, isRight: (value: number) => boolean, says: string): number => {
    const value = written.trim() === '' ? Number.NaN : Number(written)
    if (!isRight(value)) problems.push(`${option} must be ${says}`)
    return value
  }
  const { target, rate, concurrency } = options
  const isRecorded = options.recorded === true
  if (isRecorded) problems.push(...contradictions(options))
  const settings = {
    legacyUrl: isRecorded ? undefined : side('--legacy', options.legacy),
    v1Url: side('--v1', options.v1),
    tokenKeys: isRecorded ? readTokenKeys() : [],
    credentials: credentialsOf(options, isRecorded, problems),
    repeatControl: options.repeatControl === true,
    confirm: options.confirm,
    includeWrites: options.includeWrites === true,
    only: options.operation,
    target:
      target === undefined
        ? undefined
        : number('--target', target, (value) => value > 0 && value < 1, 'a number between 0 and 1, for instance 0.99'),
    concurrency: number(
      '--concurrency',
      concurrency,
      (value) => Number.isInteger(value) && value >= 1 && value <= MOST_AT_A_TIME,
      `a whole number from 1 to ${MOST_AT_A_TIME}`,
    ),
    rate:
      rate === undefined
        ? undefined
        : number('--rate', rate, (value) => value > 0 && value < Number.POSITIVE_INFINITY, 'a number above 0'),
  }
  const areCopies = options.theseAreCopies === true || [settings.legacyUrl, settings.v1Url].every(isLoopback)
  if (settings.includeWrites && !areCopies && !isRecorded) problems.push(NOT_SAID_TO_BE_COPIES)
  if (options.report === '') problems.push('--report is empty')
  const { v1Url } = settings
  if (v1Url === undefined || problems.length > 0) throw new OptionsError(problems.join('\n'))
  return { ...settings, v1Url }
}

/** Returns which other options `--recorded` excludes, and why. */
function contradictions(options: ReplayOptions): readonly string[] {
  const { legacy, legacyToken, legacyTokenFile, repeatControl, includeWrites, theseAreCopies } = options
  const given = (all: Readonly<Record<string, unknown>>): readonly string[] =>
    Object.entries(all).flatMap(([option, value]) => (value === undefined ? [] : [option]))
  const ofLegacy = given({
    ...{ '--legacy': legacy, '--legacy-token': legacyToken, '--legacy-token-file': legacyTokenFile },
    '--repeat-control': repeatControl,
  })
  const ofWrites = given({ '--include-writes': includeWrites, '--these-are-copies': theseAreCopies })
  return [
    ...ofLegacy.map((option) => `--recorded asks no legacy service: leave out ${option}`),
    ...ofWrites.map(
      (option) => `--recorded sends no write, because it would create every recorded order again: leave out ${option}`,
    ),
  ]
}

/** Names a mistyped variable, to continue a sentence; empty if there is none. */
function insteadOf(variable: 'V1_BASE_URL' | 'LEGACY_BASE_URL'): string {
  const mistyped = mistypedVariable(variable)
  return mistyped === undefined ? '' : ` (${mistyped} is set, which is not read)`
}

const NOT_SAID_TO_BE_COPIES =
  '--include-writes creates every recorded order again, in both services: if both are copies, say so with --these-are-copies'

/** Whether a service is on this machine. Also true for a missing URL, which is reported elsewhere. */
const isLoopback = (url: URL | undefined): boolean =>
  url === undefined || url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.[\d.]+$/.test(url.hostname)

/**
 * Returns the account, or the tokens. What is on the command line counts, else the files that it names, else the variables: SECRET_KEY with
 * a client id, LEGACY_TOKEN and V1_TOKEN without one.
 */
function credentialsOf(options: ReplayOptions, isRecorded: boolean, problems: string[]): ReplaySettings['credentials'] {
  const { clientId } = options
  const secret = (option: string, value: string | undefined, file: string | undefined): string | undefined => {
    try {
      return secretOf({ option, value, file })
    } catch (error) {
      if (!(error instanceof OptionsError)) throw error
      problems.push(error.message)
      // Only this is wrong, not that it is missing as well.
      return value ?? '?'
    }
  }
  const given = {
    secretKey: secret('--secret-key', options.secretKey, options.secretKeyFile),
    legacyToken: secret('--legacy-token', options.legacyToken, options.legacyTokenFile),
    v1Token: secret('--v1-token', options.v1Token, options.v1TokenFile),
  }
  const set = readReplaySecrets()
  const logsIn = clientId !== undefined || given.secretKey !== undefined
  const token = (side: 'legacyToken' | 'v1Token', option: string, variable: string): string | undefined => {
    const isRead = !logsIn && !(isRecorded && side === 'legacyToken')
    const text = given[side] ?? (isRead ? set[side] : undefined)
    const name = given[side] === undefined ? variable : option
    if (text !== undefined && !isToken(text)) problems.push(`${name} must be the token alone, without Bearer`)
    return text
  }
  const tokens = {
    legacyToken: token('legacyToken', '--legacy-token', 'LEGACY_TOKEN'),
    v1Token: token('v1Token', '--v1-token', 'V1_TOKEN'),
  }
  if (!logsIn) return tokens
  const secretKey = given.secretKey ?? set.secretKey
  if (!clientId || !secretKey) {
    problems.push(
      '--client-id and --secret-key must both be given, and not empty; the key may be in --secret-key-file or SECRET_KEY',
    )
  }
  if (tokens.legacyToken !== undefined || tokens.v1Token !== undefined) {
    problems.push('--client-id logs in by itself: it cannot be used with --legacy-token or --v1-token')
  }
  return { clientId: clientId ?? '', secretKey: secretKey ?? '' }
}

/** The sides, in the order of a change of status: `200 → 401`. */
const SIDES = [
  { name: 'The legacy service', option: '--legacy-token' },
  { name: 'v1', option: '--v1-token' },
] as const

/**
 * Returns advice for each side that answered with 401: which options are missing, or that the side refused its token for every
 * exchange, or for some of an operation together with the other side. Gives no other advice if a token was sent and only some calls were refused.
 */
export function adviceOnTokens(report: Report, credentials: ReplaySettings['credentials']): readonly string[] {
  const refusedByBoth = timesOf(report, bothRefused(401))
  const asked = report.totals.requests - report.totals.skipped + refusedByBoth
  const tokens = 'clientId' in credentials ? undefined : [credentials.legacyToken, credentials.v1Token]
  return SIDES.flatMap(({ name, option }, side) => {
    const refused = refusedByBoth + refusedAlone(report, side)
    if (refused === 0) return []
    const what = `${name} answered ${refused} of ${counted(asked, 'exchange')} with 401`
    if (tokens?.every((token) => token === undefined)) {
      return [`${what}: no token was sent. Give ${report.recorded === undefined ? BOTH : OF_V1}.`]
    }
    if (tokens !== undefined && tokens[side] === undefined)
      return [`${what}: no token was sent. Give ${option} as well.`]
    if (refused === asked) return [`${what}: it refuses the token, which may be wrong or have expired.`]
    if (!wasAccepted(report)) return []
    return [
      tokens === undefined
        ? `${what}: it refuses the token, also after another login.`
        : `${what}: the token may have expired. With --client-id and --secret-key, replay logs in again.`,
    ]
  })
}

/** Whether calls of an operation were refused by both sides while others of it were answered: then a token has expired. */
const wasAccepted = ({ operations }: Report): boolean =>
  operations.some(({ account: { compared, unjudged } }) => compared > 0 && unjudged[bothRefused(401)] !== undefined)

const BOTH = '--client-id and --secret-key, or --legacy-token and --v1-token'
const OF_V1 = '--client-id and --secret-key, or --v1-token'

function timesOf({ operations }: Report, reason: string): number {
  return operations
    .flatMap(({ uncompared }) => uncompared)
    .filter((group) => group.reason === reason)
    .reduce((times, { requests }) => times + requests, 0)
}

/** How often one side answered with 401 and the other did not. */
function refusedAlone({ operations }: Report, side: number): number {
  return operations
    .flatMap(({ differences }) => differences)
    .filter(({ kind }) => kind === 'status')
    .flatMap(({ details }) => Object.entries(details ?? {}))
    .reduce((times, [change, count]) => times + (change.split(' → ')[side] === '401' ? count : 0), 0)
}
