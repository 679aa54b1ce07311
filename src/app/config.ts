import type { BlockList } from 'node:net'
import type { z } from 'zod'
import { isPostgresUrl } from '../control-plane/store/postgres/parse-postgres-url.ts'
import type { PostgresSettings } from '../control-plane/store/postgres/postgres-settings.ts'
import { databaseName } from '../control-plane/store/postgres/postgres-settings.ts'
import type { ProxySettings } from '../data-plane/upstream/proxy.ts'
import type { sharedLeftAlone } from '../data-plane/upstream/slow-down.ts'
import type { TlsFiles } from '../data-plane/upstream/tls-files.ts'
import type { ReleaseHeaders, Side } from '../exchange/exchange.ts'
import {
  defaultSide,
  isLoopback,
  isOneAddress,
  isOwnAddress,
  missingServices,
  notRead,
  sharedFiles,
  similarNames,
} from './config-checks.ts'
import { type CopySettings, copyOf } from './config-of-copy.ts'
import { fittingMemory, postgresOf, someReplicaId, tlsFilesOf, tlsVariablesOf } from './config-sources.ts'
import { type TraceSampler, variables } from './variables.ts'

/** Everything an operator can set, in its final form. Times are in milliseconds. */
export interface Config {
  /** Warnings about variables that are not read, but are named much like one that is. */
  readonly unread: readonly string[]
  readonly host: string
  readonly port: number
  /** The prefix of legacy paths. Starts with a slash and does not end with one; empty: none. */
  readonly basePath: string
  readonly adminHost: string
  readonly adminPort: number
  readonly adminToken: string | undefined
  /** Undefined: the sandbox is started and used. */
  readonly v1BaseUrl: URL | undefined
  /** Where clients find v1; undefined: at `v1BaseUrl`, unless that looks like an internal address. */
  readonly v1PublicUrl: URL | undefined
  /** Undefined: the sandbox's legacy interface if the sandbox runs, otherwise none. */
  readonly legacyBaseUrl: URL | undefined
  /** A test installation of v1, which is sent writes; undefined: there is none. */
  readonly copy: CopySettings | undefined
  /** The response headers, in lower case, in which the services state their release; undefined: they do not. */
  readonly releaseHeaders: ReleaseHeaders
  /** The certificate and key of the legacy port; undefined: it speaks plain HTTP. */
  readonly tls: TlsFiles | undefined
  /** How to connect to the services. */
  readonly connecting: ConnectingSettings
  /** 32 bytes each. The first one seals tokens, all of them open tokens. Empty: a random one. */
  readonly tokenKeys: readonly Uint8Array[]
  /** Who answers where the rollout file says nothing. */
  readonly serve: Side
  /** Undefined: `serve` answers everything, and nothing is compared. */
  readonly rolloutFile: string | undefined
  /** Undefined: the mappings are the shipped ones. */
  readonly mappingFile: string | undefined
  /** A file, or `:memory:`; with PostgreSQL, the database's name in logs, without user and password. */
  readonly stateDb: string
  /** Undefined: the state is in `stateDb`. */
  readonly postgres: PostgresSettings | undefined
  /** A file that keeps the last decisions, in case PostgreSQL is unavailable at startup. */
  readonly stateCache: string | undefined
  /** The name of this replica, for other replicas. */
  readonly replicaId: string
  /** Undefined: nothing is recorded. */
  readonly recordFile: string | undefined
  /** The PEM file of the key that signs a dossier. */
  readonly dossierKey: string | undefined
  /** Where decisions of the cut-over are sent; undefined: nowhere. */
  readonly webhook: WebhookSettings | undefined
  /** The key that signs what the gates of plans are asked; undefined: no plan may have one. */
  readonly webhookSecret: string | undefined
  readonly sandboxV1Port: number
  readonly sandboxLegacyPort: number
  readonly sandboxDb: string
  readonly upstreamTimeoutMs: number
  readonly maxBodyBytes: number
  /** How much memory bodies, answers, comparisons and recordings may hold together. */
  readonly memoryBytes: number
  readonly referenceTtlMs: number
  readonly referenceStaleMs: number
  readonly sunset: Date | undefined
  /** Proxies whose `Forwarded` and `X-Forwarded-For` name the client; undefined: none. */
  readonly trustedProxies: BlockList | undefined
  /** How long an idle client connection is kept. */
  readonly keepAliveMs: number
  /** Origins whose pages may call the gateway from a browser; undefined: none. */
  readonly corsOrigins: '*' | readonly string[] | undefined
  /** Whether each legacy answer says who gave it. */
  readonly namesAnswerer: boolean
  /** Whether clients read their own guides on the legacy port. */
  readonly clientGuides: boolean
  /** The maximum number of client connections; undefined: as many as there is room for. */
  readonly maxConnections: number | undefined
  /** How long connections are still accepted after the gateway is told to stop. */
  readonly drainMs: number
  readonly shutdownGraceMs: number
  readonly logLevel: string
  /** `pretty`: lines for people at a terminal. */
  readonly logFormat: 'json' | 'pretty'
  /** Where traces go, and which calls are traced; undefined: none. `ratio` is for the samplers that take one. */
  readonly tracing: { readonly endpoint: URL; readonly sampler: TraceSampler; readonly ratio: number } | undefined
}

export interface ConnectingSettings {
  /** Files that can be used; undefined: none are named. */
  readonly v1: TlsFiles | undefined
  readonly legacy: TlsFiles | undefined
  readonly copy?: TlsFiles | undefined
  /** Undefined: all connections are direct. */
  readonly proxy: ProxySettings | undefined
  /** The maximum number of connections in one pool; undefined: as many as a service gets calls at a time. */
  readonly connections?: number | undefined
  /** Unset: only one thread calls the services. */
  readonly leftAlone?: ReturnType<typeof sharedLeftAlone> | undefined
}

export interface WebhookSettings {
  /** Its path and query may be secret. */
  readonly url: URL
  /** The key that bodies are signed with. */
  readonly secret: string
}

/** The same for the whole process. */
const RANDOM_REPLICA_ID = someReplicaId()

/**
 * Reads the configuration. A variable that is set but empty counts as unset.
 * @param requiresTokenKey whether TOKEN_KEY must be set if there is a legacy service.
 * @param servesCalls whether the configuration is for serving. Then the services must go together, and TOKEN_KEY must be set with
 *   PostgreSQL.
 * @throws ConfigError that names every mistake.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  requiresTokenKey = false,
  servesCalls = true,
): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const { data, error } = variables.safeParse(set)
  const problems = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`)
  if (set.ADMIN_TOKEN === undefined && !isLoopback(set.ADMIN_HOST ?? '127.0.0.1')) {
    problems.push('ADMIN_TOKEN must be set when ADMIN_HOST is not a loopback address')
  }
  const v1 = tlsFilesOf(tlsVariablesOf('V1'), set, problems)
  const tls = tlsFilesOf(['TLS_CERT', 'TLS_KEY'], set, problems)
  const legacy = tlsFilesOf(tlsVariablesOf('LEGACY'), set, problems)
  const tlsOfCopy = tlsFilesOf(tlsVariablesOf('V1_COPY'), set, problems)
  if (requiresTokenKey && set.LEGACY_BASE_URL !== undefined && set.TOKEN_KEY === undefined) {
    problems.push('TOKEN_KEY must be set with LEGACY_BASE_URL; make one with: openssl rand -base64 32')
  }
  const postgres = postgresOf(set.STATE_DB ?? '', data?.STATE_SCHEMA ?? '', set, problems)
  if (servesCalls && isPostgresUrl(set.STATE_DB ?? '') && set.TOKEN_KEY === undefined) {
    problems.push(
      "TOKEN_KEY must be set when STATE_DB is PostgreSQL, to the same value at every replica: otherwise replicas could not open each other's tokens; make one with: openssl rand -base64 32",
    )
  }
  if (data !== undefined && isOneAddress([data.HOST, data.PORT], [data.ADMIN_HOST, data.ADMIN_PORT])) {
    problems.push(`PORT and ADMIN_PORT are both ${data.PORT}: give each interface a port of its own`)
  }
  for (const name of ['V1_BASE_URL', 'LEGACY_BASE_URL', 'V1_COPY_BASE_URL'] as const) {
    const url = data?.[name]
    if (data !== undefined && url !== undefined && isOwnAddress(url, data)) {
      problems.push(`${name} is the gateway's own address (HOST, PORT): it would call itself endlessly`)
    }
  }
  if (servesCalls) problems.push(...missingServices(set))
  problems.push(...sharedFiles(set))
  const copy = data && copyOf(data, servesCalls, problems)
  if (set.WEBHOOK_URL !== undefined && set.WEBHOOK_SECRET === undefined) {
    problems.push(
      'WEBHOOK_SECRET must be set with WEBHOOK_URL: messages are signed with it; make one with: openssl rand -hex 32',
    )
  }
  const unread = similarNames(set).map(notRead)
  if (data === undefined || problems.length > 0) {
    const files = { rolloutFile: set.ROLLOUT_FILE, mappingFile: set.MAPPING_FILE }
    throw new ConfigError([...problems, ...unread], files)
  }
  const proxy = data.https_proxy ?? data.HTTPS_PROXY
  return {
    unread,
    host: data.HOST,
    port: data.PORT,
    basePath: data.BASE_PATH ?? '',
    adminHost: data.ADMIN_HOST,
    adminPort: data.ADMIN_PORT,
    adminToken: data.ADMIN_TOKEN,
    v1BaseUrl: data.V1_BASE_URL,
    v1PublicUrl: data.V1_PUBLIC_URL,
    legacyBaseUrl: data.LEGACY_BASE_URL,
    copy,
    releaseHeaders: { v1: data.V1_RELEASE_HEADER, legacy: data.LEGACY_RELEASE_HEADER },
    tls,
    connecting: {
      v1,
      legacy,
      copy: tlsOfCopy,
      proxy: proxy && { proxy, except: data.no_proxy ?? data.NO_PROXY ?? '' },
    },
    tokenKeys: data.TOKEN_KEY,
    serve: defaultSide(data.LEGACY_BASE_URL, data.SERVE),
    rolloutFile: data.ROLLOUT_FILE,
    mappingFile: data.MAPPING_FILE,
    stateDb: postgres === undefined ? data.STATE_DB : databaseName(postgres),
    postgres,
    stateCache: data.STATE_CACHE,
    replicaId: data.REPLICA_ID ?? RANDOM_REPLICA_ID,
    recordFile: data.RECORD_FILE,
    dossierKey: data.DOSSIER_KEY,
    webhook:
      data.WEBHOOK_URL === undefined || data.WEBHOOK_SECRET === undefined
        ? undefined
        : { url: data.WEBHOOK_URL, secret: data.WEBHOOK_SECRET },
    webhookSecret: data.WEBHOOK_SECRET,
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
    namesAnswerer: data.ANSWERED_BY === 'on',
    clientGuides: data.CLIENT_GUIDES === 'on',
    maxConnections: data.MAX_CONNECTIONS,
    drainMs: data.DRAIN_MS,
    shutdownGraceMs: data.SHUTDOWN_GRACE_MS,
    logLevel: data.LOG_LEVEL,
    logFormat: data.LOG_FORMAT,
    tracing: tracingOf(data),
  }
}

function tracingOf(data: z.output<typeof variables>): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = data
  return endpoint === undefined || data.OTEL_SDK_DISABLED ? undefined : { endpoint, sampler, ratio }
}

/** The environment is not a valid configuration. Names the variable of every mistake, but never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  /** The operator's files, so that a command can report their mistakes together with these. */
  readonly files: Pick<Config, 'rolloutFile' | 'mappingFile'> | undefined

  constructor(problems: readonly string[], files?: ConfigError['files']) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
    this.files = files
  }
}
