import { OF_CONNECTING, OF_DESCRIPTION, OF_SANDBOX, OF_SERVING, type Variable } from './config/variables.ts'
import { type Config, readConfig } from './config.ts'

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
