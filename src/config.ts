import type { BlockList } from 'node:net'
import { z } from 'zod'
import { readAddressRanges } from './address-ranges.ts'
import type { ProxySettings, TunnelProxy } from './upstream/proxy.ts'
import { type PemFile, readTlsFiles, type TlsFiles, TlsFilesError } from './upstream/tls-files.ts'

/** Everything an operator can set, in its final form. Times are in milliseconds. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Starts with a slash and does not end with one; empty: none. */
  readonly basePath: string
  readonly adminHost: string
  readonly adminPort: number
  readonly adminToken: string | undefined
  /** Undefined: the sandbox is started and used. */
  readonly v1BaseUrl: URL | undefined
  /** Where clients find v1; undefined: at `v1BaseUrl`, unless that looks like an address within a network. */
  readonly v1PublicUrl: URL | undefined
  /** Undefined: with the sandbox its legacy face, else none. */
  readonly legacyBaseUrl: URL | undefined
  /** How both services are connected to. */
  readonly connecting: ConnectingSettings
  /** 32 bytes each: the first one seals tokens, all of them open them. Empty: a random one. */
  readonly tokenKeys: readonly Uint8Array[]
  /** Undefined: v1 answers everything, and nothing is compared. */
  readonly rolloutFile: string | undefined
  /** A file, or `:memory:`. */
  readonly stateDb: string
  /** Undefined: nothing is recorded. */
  readonly recordFile: string | undefined
  readonly sandboxV1Port: number
  readonly sandboxLegacyPort: number
  readonly sandboxDb: string
  readonly upstreamTimeoutMs: number
  readonly maxBodyBytes: number
  readonly referenceTtlMs: number
  readonly referenceStaleMs: number
  readonly sunset: Date | undefined
  /** From whom `Forwarded` and `X-Forwarded-For` tell who called; undefined: from nobody. */
  readonly trustedProxies: BlockList | undefined
  /** How long an idle connection of a client is kept. */
  readonly keepAliveMs: number
  /** Pages of these origins may call the gateway from a browser; undefined: of none. */
  readonly corsOrigins: '*' | readonly string[] | undefined
  readonly shutdownGraceMs: number
  readonly logLevel: string
  /** Where traces go, and which ones; undefined: there are none. `ratio` is of the samplers that take one. */
  readonly tracing: { readonly endpoint: URL; readonly sampler: TraceSampler; readonly ratio: number } | undefined
}

export interface ConnectingSettings {
  /** The files can be used. Undefined: none is named. */
  readonly v1: TlsFiles | undefined
  readonly legacy: TlsFiles | undefined
  /** Undefined: everything is connected to directly. */
  readonly proxy: ProxySettings | undefined
}

/** OpenTelemetry's names. */
const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type TraceSampler = (typeof TRACE_SAMPLERS)[number]

/** The environment cannot be used; every mistake is named with its variable, none with its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  /** So that whoever reads the file can tell what is wrong with it at once. */
  readonly rolloutFile: string | undefined

  constructor(problems: readonly string[], rolloutFile?: string) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
    this.rolloutFile = rolloutFile
  }
}

function wholeNumber(low: number, high: number, otherwise: number) {
  const says = `must be a whole number from ${low} to ${high}`
  return z
    .string()
    .regex(/^\d{1,15}$/, says)
    .transform(Number)
    .refine((number) => number >= low && number <= high, says)
    .default(otherwise)
}

const port = (otherwise: number) => wholeNumber(0, 65_535, otherwise)
const milliseconds = (otherwise: number) => wholeNumber(1, 2_147_483_647, otherwise)

const baseUrl = z
  .string()
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return false
    return url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  }, 'must be an http or https URL without query, fragment or credentials, for instance https://api.example.com/prefix')
  .transform((text) => new URL(text))

/** As other programs read it, the scheme may be left out. */
const proxyUrl = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return false
    return url.pathname === '/' && url.search === '' && url.hash === '' && authorizationOf(url) !== null
  }, 'must be the http or https URL of a proxy, without a path, for instance http://user:password@proxy.example.com:3128')
  .transform((text): TunnelProxy => {
    const url = new URL(text)
    return { origin: url.origin, authorization: authorizationOf(url) ?? undefined }
  })

/** Of a URL's user and password (RFC 7617); undefined: it has none; null: they cannot be decoded. */
function authorizationOf({ username, password }: URL): string | undefined | null {
  if (username === '' && password === '') return undefined
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(pair).toString('base64')}`
  } catch {
    return null
  }
}

/** Some keys, the newest first, so that they can be exchanged while tokens under the older ones are in use. */
const tokenKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.every((key) => /^[\w+/-]{43}=?$/.test(key)),
    'must be 32 bytes in base64, for instance made by: openssl rand -base64 32 (several: separated by commas)',
  )
  .transform((keys) => keys.map((key) => new Uint8Array(Buffer.from(key, 'base64'))))

const basePath = z
  .string()
  .regex(/^(\/[\w.~-]+)+$/, 'must start with a slash and end without one, for instance /legacy')

/** ISO 8601, as far as it names an instant. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/

/** JavaScript reads the 30th of February as a day of March. */
function isDate(text: string): boolean {
  if (!ISO_DATE.test(text) || Number.isNaN(Date.parse(text))) return false
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  return new Date(day).toISOString().startsWith(day)
}

const date = z
  .string()
  .refine(isDate, 'must be a date that exists, for instance 2027-06-30 or 2027-06-30T12:00:00Z')
  .transform((text) => new Date(text))

const addressRanges = z
  .string()
  .transform((text, { addIssue }) => readAddressRanges(text, (message) => addIssue({ code: 'custom', message })))
const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

const corsOrigins = z
  .string()
  .transform((text) => (text.trim() === '*' ? ('*' as const) : text.split(',').map((origin) => origin.trim())))
  .refine(
    (origins) => origins === '*' || origins.every(isOrigin),
    'must be * alone, or origins separated by commas, each as a browser sends it: scheme, host and port, without a path or a slash at the end, for instance https://app.example.com,http://localhost:3000',
  )

const share = z
  .string()
  .regex(/^(0?\.\d{1,15}|[01](\.0{1,15})?)$/, 'must be a number from 0 to 1')
  .transform(Number)

const variables = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: port(8080),
  BASE_PATH: basePath.optional(),
  ADMIN_HOST: z.string().default('127.0.0.1'),
  ADMIN_PORT: port(8081),
  ADMIN_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  V1_BASE_URL: baseUrl.optional(),
  V1_PUBLIC_URL: baseUrl.optional(),
  LEGACY_BASE_URL: baseUrl.optional(),
  V1_CLIENT_CERT: z.string().optional(),
  V1_CLIENT_KEY: z.string().optional(),
  V1_CA: z.string().optional(),
  LEGACY_CLIENT_CERT: z.string().optional(),
  LEGACY_CLIENT_KEY: z.string().optional(),
  LEGACY_CA: z.string().optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().optional(),
  // Other programs read these names too, and prefer them.
  https_proxy: proxyUrl.optional(),
  no_proxy: z.string().optional(),
  TOKEN_KEY: tokenKeys.default([]),
  ROLLOUT_FILE: z.string().optional(),
  STATE_DB: z.string().default(':memory:'),
  RECORD_FILE: z.string().optional(),
  SANDBOX_V1_PORT: port(8082),
  SANDBOX_LEGACY_PORT: port(8083),
  SANDBOX_DB: z.string().default(':memory:'),
  UPSTREAM_TIMEOUT_MS: milliseconds(30_000),
  MAX_BODY_BYTES: wholeNumber(1, 1_073_741_824, 1_048_576),
  REFERENCE_TTL_S: wholeNumber(0, 31_536_000, 300),
  REFERENCE_STALE_S: wholeNumber(0, 31_536_000, 86_400),
  SUNSET: date.optional(),
  TRUSTED_PROXIES: addressRanges.optional(),
  KEEP_ALIVE_MS: wholeNumber(1_000, 86_400_000, 75_000),
  CORS_ORIGINS: corsOrigins.optional(),
  SHUTDOWN_GRACE_MS: milliseconds(10_000),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  /** OpenTelemetry's booleans: `true` in any case, everything else is false. */
  OTEL_SDK_DISABLED: z
    .string()
    .transform((text) => text.toLowerCase() === 'true')
    .default(false),
  OTEL_TRACES_SAMPLER: z
    .enum(TRACE_SAMPLERS, { error: `must be one of ${TRACE_SAMPLERS.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
})

type Variable = keyof typeof variables.shape

/** What commands need that serve nobody. */
export type CommandConfig = Omit<
  Config,
  | ('host' | 'port' | 'adminHost' | 'adminPort' | 'adminToken' | 'tokenKeys' | 'stateDb' | 'recordFile')
  | ('sunset' | 'trustedProxies' | 'keepAliveMs' | 'corsOrigins' | 'shutdownGraceMs' | 'logLevel' | 'tracing')
>
/** What commands need that ask no service. */
export type OfflineConfig = Omit<CommandConfig, 'connecting'>
/** What the sandbox needs. */
export type SandboxConfig = Pick<Config, 'host' | 'sandboxV1Port' | 'sandboxLegacyPort' | 'sandboxDb'>

const OF_SERVING: readonly Variable[] = [
  ...(['HOST', 'PORT', 'ADMIN_HOST', 'ADMIN_PORT', 'ADMIN_TOKEN', 'TOKEN_KEY', 'STATE_DB', 'RECORD_FILE'] as const),
  ...(['SUNSET', 'TRUSTED_PROXIES', 'KEEP_ALIVE_MS', 'CORS_ORIGINS', 'SHUTDOWN_GRACE_MS', 'LOG_LEVEL'] as const),
  ...(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'] as const),
  'OTEL_SDK_DISABLED',
]
const OF_CONNECTING: readonly Variable[] = [
  ...(['V1_CLIENT_CERT', 'V1_CLIENT_KEY', 'V1_CA', 'LEGACY_CLIENT_CERT', 'LEGACY_CLIENT_KEY', 'LEGACY_CA'] as const),
  ...(['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'] as const),
]
const OF_DESCRIPTION: readonly Variable[] = ['HOST', 'PORT', 'BASE_PATH']
const OF_SANDBOX: readonly Variable[] = ['HOST', 'SANDBOX_V1_PORT', 'SANDBOX_LEGACY_PORT', 'SANDBOX_DB']

/** Like `readConfig`, without the variables of serving: a mistake in one does not stop who has no need of it. */
export const readCommandConfig = (env = process.env): CommandConfig =>
  readConfig(only(env, (name) => !OF_SERVING.includes(name)))

/** Like `readCommandConfig`, for commands that ask no service. */
export const readOfflineConfig = (env = process.env): OfflineConfig =>
  readCommandConfig(only(env, (name) => !OF_CONNECTING.includes(name)))

/** Like `readConfig`, with what the description of the legacy interface says alone. */
export const readDescriptionConfig = (env = process.env): Pick<Config, 'host' | 'port' | 'basePath'> =>
  readConfig({ ...only(env, (name) => OF_DESCRIPTION.includes(name)), ADMIN_PORT: '0' })

/** Like `readConfig`, with the variables of the sandbox alone. */
export const readSandboxConfig = (env = process.env): SandboxConfig =>
  readConfig(only(env, (name) => OF_SANDBOX.includes(name)))

function only(env: NodeJS.ProcessEnv, isNeeded: (name: Variable) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isNeeded(name as Variable)))
}

/**
 * Reads the configuration. A variable that is set but empty counts as unset.
 * @param requiresTokenKey whether a random key is a mistake where there is a legacy service.
 * @throws ConfigError with every mistake at once.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  requiresTokenKey = false,
): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const { data, error } = variables.safeParse(set)
  const problems = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`)
  if (set.ADMIN_TOKEN === undefined && !isLoopback(set.ADMIN_HOST ?? '127.0.0.1')) {
    problems.push('ADMIN_TOKEN must be set when ADMIN_HOST is no loopback address')
  }
  const v1 = tlsFilesOf('V1', set, problems)
  const legacy = tlsFilesOf('LEGACY', set, problems)
  if (requiresTokenKey && set.LEGACY_BASE_URL !== undefined && set.TOKEN_KEY === undefined) {
    problems.push('TOKEN_KEY must be set with LEGACY_BASE_URL, for instance made by: openssl rand -base64 32')
  }
  if (data !== undefined && isOneAddress([data.HOST, data.PORT], [data.ADMIN_HOST, data.ADMIN_PORT])) {
    problems.push(`PORT and ADMIN_PORT are both ${data.PORT}: give each interface a port of its own`)
  }
  if (data === undefined || problems.length > 0) throw new ConfigError(problems, set.ROLLOUT_FILE)
  const proxy = data.https_proxy ?? data.HTTPS_PROXY
  return {
    host: data.HOST,
    port: data.PORT,
    basePath: data.BASE_PATH ?? '',
    adminHost: data.ADMIN_HOST,
    adminPort: data.ADMIN_PORT,
    adminToken: data.ADMIN_TOKEN,
    v1BaseUrl: data.V1_BASE_URL,
    v1PublicUrl: data.V1_PUBLIC_URL,
    legacyBaseUrl: data.LEGACY_BASE_URL,
    connecting: { v1, legacy, proxy: proxy && { proxy, except: data.no_proxy ?? data.NO_PROXY ?? '' } },
    tokenKeys: data.TOKEN_KEY,
    rolloutFile: data.ROLLOUT_FILE,
    stateDb: data.STATE_DB,
    recordFile: data.RECORD_FILE,
    sandboxV1Port: data.SANDBOX_V1_PORT,
    sandboxLegacyPort: data.SANDBOX_LEGACY_PORT,
    sandboxDb: data.SANDBOX_DB,
    upstreamTimeoutMs: data.UPSTREAM_TIMEOUT_MS,
    maxBodyBytes: data.MAX_BODY_BYTES,
    referenceTtlMs: data.REFERENCE_TTL_S * 1000,
    referenceStaleMs: data.REFERENCE_STALE_S * 1000,
    sunset: data.SUNSET,
    trustedProxies: data.TRUSTED_PROXIES,
    keepAliveMs: data.KEEP_ALIVE_MS,
    corsOrigins: data.CORS_ORIGINS,
    shutdownGraceMs: data.SHUTDOWN_GRACE_MS,
    logLevel: data.LOG_LEVEL,
    tracing: tracingOf(data),
  }
}

/** The files of one service; what is wrong with them is added to the problems. */
function tlsFilesOf(
  service: 'V1' | 'LEGACY',
  set: Readonly<Record<string, string | undefined>>,
  problems: string[],
): TlsFiles | undefined {
  const file = (variable: string): PemFile | undefined => {
    const path = set[variable]
    return path === undefined ? undefined : { variable, path }
  }
  const names = [`${service}_CLIENT_CERT`, `${service}_CLIENT_KEY`] as const
  const [certificate, key, ca] = [file(names[0]), file(names[1]), file(`${service}_CA`)]
  if (key === undefined && certificate !== undefined) problems.push(`${names[1]} must be set when ${names[0]} is`)
  if (certificate === undefined && key !== undefined) problems.push(`${names[0]} must be set when ${names[1]} is`)
  const client = certificate && key && { certificate, key }
  if (client === undefined && ca === undefined) return undefined
  const files = { client, ca }
  try {
    readTlsFiles(files)
  } catch (error) {
    if (!(error instanceof TlsFilesError)) throw error
    problems.push(...error.problems)
  }
  return files
}

function tracingOf(data: z.output<typeof variables>): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = data
  return endpoint === undefined || data.OTEL_SDK_DISABLED ? undefined : { endpoint, sampler, ratio }
}

type Address = readonly [host: string, port: number]

/** Whether one who listens at an address leaves none for the other. Port 0 is any that is free. */
function isOneAddress([host, port]: Address, [otherHost, otherPort]: Address): boolean {
  if (port !== otherPort || port === 0) return false
  return host === otherHost || [host, otherHost].some((each) => each === '0.0.0.0' || each === '::')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
