import type { BlockList } from 'node:net'
import type { z } from 'zod'
import type { ProxySettings } from '../upstream/proxy.ts'
import { type PemFile, readTlsFiles, type TlsFiles, TlsFilesError } from '../upstream/tls-files.ts'
import { fittingMemory } from './config/fitting-memory.ts'
import {
  OF_CONNECTING,
  OF_DESCRIPTION,
  OF_SANDBOX,
  OF_SERVING,
  type TraceSampler,
  type Variable,
  variables,
} from './config/variables.ts'

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
  /** What bodies, answers, comparisons and recordings hold together. */
  readonly memoryBytes: number
  readonly referenceTtlMs: number
  readonly referenceStaleMs: number
  readonly sunset: Date | undefined
  /** From whom `Forwarded` and `X-Forwarded-For` tell who called; undefined: from nobody. */
  readonly trustedProxies: BlockList | undefined
  /** How long an idle connection of a client is kept. */
  readonly keepAliveMs: number
  /** Pages of these origins may call the gateway from a browser; undefined: of none. */
  readonly corsOrigins: '*' | readonly string[] | undefined
  /** Connections of clients at most; undefined: as many as there is room for. */
  readonly maxConnections: number | undefined
  /** How long connections are still accepted when it is told to stop. */
  readonly drainMs: number
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
  /** Connections of one pool at most; undefined: as many as a service is asked calls at a time. */
  readonly connections?: number | undefined
}

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

/** What commands need that serve nobody. */
export type CommandConfig = Omit<
  Config,
  | ('host' | 'port' | 'adminHost' | 'adminPort' | 'adminToken' | 'tokenKeys' | 'stateDb' | 'recordFile')
  | ('maxConnections' | 'drainMs' | 'memoryBytes')
  | ('sunset' | 'trustedProxies' | 'keepAliveMs' | 'corsOrigins' | 'shutdownGraceMs' | 'logLevel' | 'tracing')
>
/** What commands need that ask no service. */
export type OfflineConfig = Omit<CommandConfig, 'connecting'>
/** What the sandbox needs. */
export type SandboxConfig = Pick<Config, 'host' | 'sandboxV1Port' | 'sandboxLegacyPort' | 'sandboxDb'>

/** Like `readConfig`, without the variables of serving: a mistake in one does not stop who has no need of it. */
export const readCommandConfig = (env = process.env): CommandConfig =>
  readConfig(only(env, (name) => !OF_SERVING.includes(name)))

/** Like `readCommandConfig`, for commands that ask no service. */
export const readOfflineConfig = (env = process.env): OfflineConfig =>
  readCommandConfig(only(env, (name) => !OF_CONNECTING.includes(name)))

/**
 * Like `readConfig`, with what the description of the legacy interface says alone. Port 0 for the admin port collides with no
 * other: the one that is configured is of no concern here.
 */
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
  for (const name of ['V1_BASE_URL', 'LEGACY_BASE_URL'] as const) {
    const url = data?.[name]
    if (data !== undefined && url !== undefined && isOwnAddress(url, data)) {
      problems.push(`${name} is the gateway's own address (HOST, PORT): it would call itself without end`)
    }
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
    memoryBytes: data.MEMORY_MB === undefined ? fittingMemory() : data.MEMORY_MB * 1024 * 1024,
    referenceTtlMs: data.REFERENCE_TTL_S * 1000,
    referenceStaleMs: data.REFERENCE_STALE_S * 1000,
    sunset: data.SUNSET,
    trustedProxies: data.TRUSTED_PROXIES,
    keepAliveMs: data.KEEP_ALIVE_MS,
    corsOrigins: data.CORS_ORIGINS,
    maxConnections: data.MAX_CONNECTIONS,
    drainMs: data.DRAIN_MS,
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

/** Whether calls of a service would come back here, as far as its address tells. */
function isOwnAddress({ protocol, hostname, port }: URL, { HOST, PORT }: z.output<typeof variables>): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const listensHere = host === HOST || (isLoopback(host) && (isLoopback(HOST) || HOST === '0.0.0.0' || HOST === '::'))
  return protocol === 'http:' && listensHere && Number(port === '' ? 80 : port) === PORT
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
