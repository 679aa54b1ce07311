import { PARAMETERS } from '../control-plane/store/postgres/read-postgres-settings.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { notRead, similarNames } from './config-checks.ts'
import { type Variable, variables } from './variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What holds for a variable. */
interface Setting {
  readonly name: string
  /** What is in force, without secrets; null: nothing is set, or `note` says what holds instead. */
  readonly value: string | null
  readonly source: 'variable' | 'default'
  /** Whether the value, or a part of it, is secret, and `***` stands for it. */
  readonly masked: boolean
  /** What the value does not say: how a default comes about, or what takes precedence; null: nothing. */
  readonly note: string | null
}

/** What an environment says. */
interface SettingsInForce {
  /** Every variable; empty if there are mistakes. */
  readonly settings: readonly Setting[]
  /** Says which variables are not read, though their names are much like one that is. */
  readonly warnings: readonly string[]
  /** Says of every variable that cannot be used what would be right. */
  readonly mistakes: readonly string[]
  /** Undefined: there are mistakes. */
  readonly config: Config | undefined
  /** The operator's files. */
  readonly files: Pick<Config, 'rolloutFile' | 'mappingFile'>
}

const NO_FILES = { rolloutFile: undefined, mappingFile: undefined }

const MASK = '***'

const SECRETS: readonly string[] = ['ADMIN_TOKEN', 'TOKEN_KEY', 'V1_COPY_SECRET_KEY', 'WEBHOOK_SECRET', 'PGPASSWORD']

/** Returns the settings with which `serve` would start in an environment, and no secret. */
export function settingsInForce(env: Environment): SettingsInForce {
  const warnings = similarNames(env).map(notRead)
  try {
    const config = readConfig(env)
    const settings = [...settingsOf(env, config), ...ofPostgres(env, config)]
    return { settings, warnings, mistakes: [], config, files: config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const mistakes = error.problems.filter((problem) => !warnings.includes(problem))
    return { settings: [], warnings, mistakes, config: undefined, files: error.files ?? NO_FILES }
  }
}

function settingsOf(env: Environment, config: Config): readonly Setting[] {
  const defaults = variables.parse({})
  return (Object.keys(variables.shape) as Variable[]).map((name) => {
    const written = env[name]
    if (written !== undefined && written !== '') return setting(name, written, config, env)
    const { value = null, note = null } = derived(name, config) ?? { value: texts(defaults[name]) }
    return { name, value, source: 'default', masked: false, note }
  })
}

function setting(name: string, written: string, { stateDb }: Config, env: Environment): Setting {
  const value = name === 'STATE_DB' ? stateDb : withoutSecrets(name, written)
  const masked = value !== written
  return { name, value, source: 'variable', masked, note: precedence(name, env) }
}

/** Masks what is secret in a value that is valid. */
function withoutSecrets(name: string, written: string): string {
  if (SECRETS.includes(name)) return MASK
  if (name === 'WEBHOOK_URL') {
    const { origin, pathname, search } = new URL(written)
    return `${pathname}${search}` === '/' ? written : `${origin}/${MASK}`
  }
  return written.replace(CREDENTIALS, `$1${MASK}@`)
}

/** What precedes the host in an address, also after blanks or slashes that URLs do not need. A proxy's may have no scheme. */
const CREDENTIALS = /^(\s*\w+:\/{2,})?[^/]*@/

function precedence(name: string, env: Environment): string | null {
  const lower = name.toLowerCase()
  const isOverruled = (name === 'HTTPS_PROXY' || name === 'NO_PROXY') && (env[lower] ?? '') !== ''
  return isOverruled ? `not in force: ${lower} takes precedence` : null
}

/** Defaults that depend on something else. */
function derived(name: Variable, config: Config): { readonly value?: string; readonly note: string } | undefined {
  const { serve, legacyBaseUrl, v1BaseUrl, memoryBytes } = config
  switch (name) {
    case 'SERVE':
      return { value: serve, note: `LEGACY_BASE_URL is ${legacyBaseUrl === undefined ? 'not ' : ''}set` }
    case 'V1_BASE_URL':
      return { note: 'the sandbox' }
    case 'V1_PUBLIC_URL':
      return v1BaseUrl && { note: 'V1_BASE_URL, unless its address is an internal one' }
    case 'LEGACY_BASE_URL':
      return v1BaseUrl === undefined ? { note: 'the sandbox' } : undefined
    case 'TOKEN_KEY':
      return { note: 'random at each start: clients must log in again after a restart' }
    case 'REPLICA_ID':
      return { note: 'the name of the host, and a random part' }
    case 'MEMORY_MB':
      return { value: `${Math.floor(memoryBytes / 1024 / 1024)}`, note: 'what this machine and the heap allow' }
    case 'MAX_CONNECTIONS':
      return { note: 'as many as there is room for' }
    default:
      return undefined
  }
}

const texts = (value: unknown): string | null => (value === undefined ? null : String(value))

/** libpq's variables, which the gateway reads for a database. */
function ofPostgres(env: Environment, config: Config): readonly Setting[] {
  if (config.postgres === undefined) return []
  return Object.values(PARAMETERS).flatMap((name) => {
    const written = env[name] ?? ''
    if (written === '') return []
    return [{ ...setting(name, written, config, env), note: 'where STATE_DB does not say it' }]
  })
}
