import { type Config, ConfigError, readConfig, type WebhookSettings } from './config.ts'
import { mistypedFormOf } from './config-checks.ts'
import { settingsInForce } from './settings-in-force.ts'
import type { Variable } from './variables.ts'

// The configuration of commands. Each reads only the variables that it needs, so that a mistake in others does not stop it. Commands serve no
// calls and seal no tokens, so TOKEN_KEY need not be set, and each of their services can be given elsewhere.

/** Variables that only serving needs. */
const OF_SERVING: readonly Variable[] = [
  ...(['HOST', 'PORT', 'ADMIN_HOST', 'ADMIN_PORT', 'ADMIN_TOKEN', 'TOKEN_KEY', 'STATE_DB', 'RECORD_FILE'] as const),
  ...(['SUNSET', 'TRUSTED_PROXIES', 'KEEP_ALIVE_MS', 'CORS_ORIGINS', 'SHUTDOWN_GRACE_MS'] as const),
  ...(['LOG_LEVEL', 'LOG_FORMAT', 'TLS_CERT', 'TLS_KEY'] as const),
  ...(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'] as const),
  ...(['STATE_SCHEMA', 'STATE_CACHE', 'REPLICA_ID', 'WEBHOOK_URL', 'WEBHOOK_SECRET', 'SERVE', 'ANSWERED_BY'] as const),
  ...(['CLIENT_GUIDES', 'OTEL_SDK_DISABLED', 'MAX_CONNECTIONS', 'DRAIN_MS', 'MEMORY_MB'] as const),
  ...(['V1_COPY_BASE_URL', 'V1_COPY_IS_A_COPY', 'V1_COPY_CLIENT_ID', 'V1_COPY_SECRET_KEY'] as const),
  ...(['V1_COPY_CLIENT_CERT', 'V1_COPY_CLIENT_KEY', 'V1_COPY_CA', 'V1_COPY_RELEASE_HEADER'] as const),
]
const OF_PROXY: readonly Variable[] = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy']
const OF_CONNECTING: readonly Variable[] = [
  ...(['V1_CLIENT_CERT', 'V1_CLIENT_KEY', 'V1_CA', 'LEGACY_CLIENT_CERT', 'LEGACY_CLIENT_KEY', 'LEGACY_CA'] as const),
  ...OF_PROXY,
]
const OF_ADMIN_PORT: readonly Variable[] = ['ADMIN_HOST', 'ADMIN_PORT', 'ADMIN_TOKEN']
const OF_STATE: readonly Variable[] = ['LEGACY_BASE_URL', 'SERVE', 'STATE_DB', 'STATE_SCHEMA']

/** The configuration of commands that ask no service. */
export type OfflineConfig = Pick<
  Config,
  | ('basePath' | 'v1BaseUrl' | 'v1PublicUrl' | 'legacyBaseUrl' | 'releaseHeaders' | 'rolloutFile' | 'mappingFile')
  | ('upstreamTimeoutMs' | 'maxBodyBytes' | 'referenceTtlMs' | 'referenceStaleMs' | 'sandboxV1Port')
>
/** The configuration of commands that ask services. */
export type CommandConfig = OfflineConfig & Pick<Config, 'connecting'>
/** Where the gateway's admin port is, and its token. */
export type AdminPortConfig = Pick<Config, 'adminHost' | 'adminPort' | 'adminToken'>
/** The configuration of the dossier: where the gateway is, where its state is stored, and the signing key. */
export type DossierConfig = AdminPortConfig &
  Pick<Config, 'rolloutFile' | 'mappingFile' | 'serve' | 'stateDb' | 'postgres' | 'dossierKey'>
/** The configuration of commands that judge a rollout file: which services and state there are, and where the gateway is. */
export type RolloutConfig = AdminPortConfig &
  Pick<
    Config,
    'v1BaseUrl' | 'legacyBaseUrl' | 'copy' | 'mappingFile' | 'serve' | 'stateDb' | 'postgres' | 'webhookSecret'
  >
/** The configuration of distilling: the path prefixes of clients' calls, and the key for pseudonyms. */
export type DistilConfig = Pick<Config, 'basePath' | 'legacyBaseUrl' | 'mappingFile' | 'tokenKeys'>
/** The configuration of the sandbox. */
export type SandboxConfig = Pick<Config, 'host' | 'sandboxV1Port' | 'sandboxLegacyPort' | 'sandboxDb'>

export const readCommandConfig = (env = process.env): CommandConfig => read(env, (name) => !isOneOf(OF_SERVING, name))

/** Reads the keys under which recordings may have been redacted. */
export const readTokenKeys = (env = process.env): Config['tokenKeys'] =>
  read(env, (name) => isOneOf(['TOKEN_KEY'], name)).tokenKeys

export const readOfflineConfig = (env = process.env): OfflineConfig =>
  read(env, (name) => !isOneOf(OF_SERVING, name) && !isOneOf(OF_CONNECTING, name))

/** Reads what the description of the legacy interface contains. */
export const readDescriptionConfig = (env = process.env): Pick<Config, 'host' | 'port' | 'basePath'> =>
  read(env, (name) => isOneOf(['HOST', 'PORT', 'BASE_PATH'], name), 'ADMIN_PORT')

export const readMappingFileConfig = (env = process.env): Pick<Config, 'mappingFile'> =>
  read(env, (name) => isOneOf(['MAPPING_FILE'], name))

export const readV1AddressConfig = (env = process.env): Pick<Config, 'v1PublicUrl' | 'v1BaseUrl'> =>
  read(env, (name) => isOneOf(['V1_PUBLIC_URL', 'V1_BASE_URL'], name))

export const readDossierConfig = (env = process.env): DossierConfig =>
  read(
    env,
    (name) =>
      isOneOf([...OF_ADMIN_PORT, ...OF_STATE, 'ROLLOUT_FILE', 'MAPPING_FILE', 'DOSSIER_KEY'], name) ||
      isOfPostgres(name),
    'PORT',
  )

export const readAdminPortConfig = (env = process.env): AdminPortConfig =>
  read(env, (name) => isOneOf(OF_ADMIN_PORT, name), 'PORT')

/** @throws ConfigError if `WEBHOOK_URL` is not set. */
export function readWebhookConfig(env = process.env): { webhook: WebhookSettings; connecting: Config['connecting'] } {
  const { webhook, connecting } = read(env, (name) => isOneOf(['WEBHOOK_URL', 'WEBHOOK_SECRET', ...OF_PROXY], name))
  if (webhook === undefined) throw new ConfigError(['WEBHOOK_URL must be set: it names the receiver'])
  return { webhook, connecting }
}

export const readRolloutConfig = (env = process.env): RolloutConfig =>
  read(
    env,
    (name) =>
      isOneOf(
        [...OF_ADMIN_PORT, ...OF_STATE, 'V1_BASE_URL', 'V1_COPY_BASE_URL', 'MAPPING_FILE', 'WEBHOOK_SECRET'],
        name,
      ) || isOfPostgres(name),
    'PORT',
  )

export const readDistilConfig = (env = process.env): DistilConfig =>
  read(env, (name) => isOneOf(['BASE_PATH', 'LEGACY_BASE_URL', 'MAPPING_FILE', 'TOKEN_KEY'], name), 'PORT')

export const readSandboxConfig = (env = process.env): SandboxConfig =>
  read(env, (name) => isOneOf(['HOST', 'SANDBOX_V1_PORT', 'SANDBOX_LEGACY_PORT', 'SANDBOX_DB'], name))

/** The secrets with which commands ask services, where the command line gives none. */
export interface ReplaySecrets {
  readonly secretKey: string | undefined
  readonly legacyToken: string | undefined
  readonly v1Token: string | undefined
}

export const readReplaySecrets = ({ SECRET_KEY, LEGACY_TOKEN, V1_TOKEN } = process.env): ReplaySecrets => ({
  secretKey: SECRET_KEY || undefined,
  legacyToken: LEGACY_TOKEN || undefined,
  v1Token: V1_TOKEN || undefined,
})

/** Reads all settings as `serve` does, to show them. */
export const readSettings = (env = process.env) => settingsInForce(env)

/** Returns the variable that is set in place of this one, by a slip of the pen; undefined: there is none. */
export const mistypedVariable = (wanted: Variable, env = process.env): string | undefined => mistypedFormOf(wanted, env)

/**
 * Reads the variables that are needed.
 * @param unused the port of an interface that the command does not open. Unlike the default, 0 is the port of no other interface and of
 *   no service.
 */
function read(env: NodeJS.ProcessEnv, isNeeded: (name: string) => boolean, unused?: 'PORT' | 'ADMIN_PORT'): Config {
  const needed = Object.fromEntries(Object.entries(env).filter(([name]) => isNeeded(name)))
  return readConfig({ ...needed, ...(unused !== undefined && { [unused]: '0' }) }, false, false)
}

const isOneOf = (names: readonly Variable[], name: string): boolean => names.includes(name as Variable)

/** libpq's variables. */
const isOfPostgres = (name: string): boolean => name.startsWith('PG')
