import { type Config, ConfigError, readConfig, type WebhookSettings } from './config.ts'
import { mistypedFormOf } from './config-checks.ts'
import {
  OF_ADMIN_PORT,
  OF_CONNECTING,
  OF_DESCRIPTION,
  OF_DISTIL,
  OF_DOSSIER,
  OF_ROLLOUT,
  OF_SANDBOX,
  OF_SERVING,
  OF_V1_ADDRESS,
  OF_WEBHOOK,
  type Variable,
} from './variables.ts'

/** The port of an interface that a command does not open. Unlike the default, 0 is the port of no other interface and of no service. */
const UNUSED = '0'
/** A command that serves no calls seals no tokens, so TOKEN_KEY need not be set, and each of its services can be given elsewhere. */
const SERVES_NONE = [false, false] as const

/** The configuration of commands that serve no calls. */
export type CommandConfig = Omit<
  Config,
  | ('unread' | 'host' | 'port' | 'adminHost' | 'adminPort' | 'adminToken' | 'tokenKeys' | 'stateDb' | 'recordFile')
  | ('postgres' | 'stateCache' | 'replicaId')
  | ('dossierKey' | 'webhook')
  | ('maxConnections' | 'drainMs' | 'memoryBytes')
  | (
      | 'serve'
      | 'sunset'
      | 'trustedProxies'
      | 'keepAliveMs'
      | 'corsOrigins'
      | 'namesAnswerer'
      | 'clientGuides'
      | 'shutdownGraceMs'
      | 'logLevel'
      | 'tracing'
    )
>
/** The configuration of commands that ask no service. */
export type OfflineConfig = Omit<CommandConfig, 'connecting'>
/** Where the gateway's admin port is, and its token. */
export type AdminPortConfig = Pick<Config, 'adminHost' | 'adminPort' | 'adminToken'>
/** The configuration of the dossier: where the gateway is, where its state is stored, and the signing key. */
export type DossierConfig = Pick<
  Config,
  'adminHost' | 'adminPort' | 'adminToken' | 'rolloutFile' | 'serve' | 'stateDb' | 'postgres' | 'dossierKey'
>
/** The configuration of commands that judge a rollout file: which services and state there are, and where the gateway is. */
export type RolloutConfig = AdminPortConfig &
  Pick<Config, 'v1BaseUrl' | 'legacyBaseUrl' | 'serve' | 'stateDb' | 'postgres'>
/** The configuration of distilling: the path prefixes of clients' calls, and the key for pseudonyms. */
export type DistilConfig = Pick<Config, 'basePath' | 'legacyBaseUrl' | 'tokenKeys'>
/** The configuration of the sandbox. */
export type SandboxConfig = Pick<Config, 'host' | 'sandboxV1Port' | 'sandboxLegacyPort' | 'sandboxDb'>

/**
 * Like `readConfig`, but without the variables of serving, so that a mistake in those does not stop a command that does
 * not need them.
 */
export const readCommandConfig = (env = process.env): CommandConfig =>
  readConfig(
    only(env, (name) => !OF_SERVING.includes(name)),
    ...SERVES_NONE,
  )

/** Like `readCommandConfig`, for commands that ask no service. */
export const readOfflineConfig = (env = process.env): OfflineConfig =>
  readCommandConfig(only(env, (name) => !OF_CONNECTING.includes(name)))

/** Like `readConfig`, but only with what the description of the legacy interface contains. */
export const readDescriptionConfig = (env = process.env): Pick<Config, 'host' | 'port' | 'basePath'> =>
  readConfig({ ...only(env, (name) => OF_DESCRIPTION.includes(name)), ADMIN_PORT: UNUSED }, ...SERVES_NONE)

/** Like `readConfig`, but only with v1's addresses. */
export const readV1AddressConfig = (env = process.env): Pick<Config, 'v1PublicUrl' | 'v1BaseUrl'> =>
  readConfig(
    only(env, (name) => OF_V1_ADDRESS.includes(name)),
    ...SERVES_NONE,
  )

/** Like `readConfig`, but only with what a dossier needs. */
export const readDossierConfig = (env = process.env): DossierConfig =>
  readConfig(
    { ...only(env, (name) => OF_DOSSIER.includes(name) || name.startsWith('PG')), PORT: UNUSED },
    ...SERVES_NONE,
  )

/** Like `readConfig`, but only with what a command needs to ask the admin port. */
export const readAdminPortConfig = (env = process.env): AdminPortConfig =>
  readConfig({ ...only(env, (name) => OF_ADMIN_PORT.includes(name)), PORT: UNUSED }, ...SERVES_NONE)

/** Like `readConfig`, but only with the receiver of webhooks and how to connect to it. @throws ConfigError if `WEBHOOK_URL` is not set. */
export function readWebhookConfig(env = process.env): { webhook: WebhookSettings; connecting: Config['connecting'] } {
  const { webhook, connecting } = readConfig(
    only(env, (name) => OF_WEBHOOK.includes(name)),
    ...SERVES_NONE,
  )
  if (webhook === undefined) throw new ConfigError(['WEBHOOK_URL must be set: it names the receiver'])
  return { webhook, connecting }
}

/** Like `readConfig`, but only with what is needed to judge a rollout file. */
export const readRolloutConfig = (env = process.env): RolloutConfig =>
  readConfig(
    { ...only(env, (name) => OF_ROLLOUT.includes(name) || name.startsWith('PG')), PORT: UNUSED },
    ...SERVES_NONE,
  )

/** Like `readConfig`, but only with what distilling needs. */
export const readDistilConfig = (env = process.env): DistilConfig =>
  readConfig({ ...only(env, (name) => OF_DISTIL.includes(name)), PORT: UNUSED }, ...SERVES_NONE)

/** Like `readConfig`, but only with the variables of the sandbox. */
export const readSandboxConfig = (env = process.env): SandboxConfig =>
  readConfig(
    only(env, (name) => OF_SANDBOX.includes(name)),
    ...SERVES_NONE,
  )

/** Returns the variable that is set in place of this one, by a slip of the pen; undefined: there is none. */
export const mistypedVariable = (wanted: Variable, env = process.env): string | undefined => mistypedFormOf(wanted, env)

function only(env: NodeJS.ProcessEnv, isNeeded: (name: Variable) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isNeeded(name as Variable)))
}
