import { createSecureContext } from 'node:tls'
import { parsePostgresUrl, type UrlParts } from './parse-postgres-url.ts'
import { passwordFrom } from './password-file.ts'
import { type PostgresSettings, PostgresSettingsError, type PostgresTls } from './postgres-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Every supported parameter of a URL, and the variable that is used if the URL does not have it. */
export const PARAMETERS = {
  host: 'PGHOST',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
} as const

type Parameter = keyof typeof PARAMETERS

/** A value, and where it was set: `STATE_DB: sslmode` or `PGSSLMODE`. */
export interface Given {
  readonly value: string
  readonly at: string
}

/** Parameters that libpq supports and the gateway does not. Ignoring them would do something other than what the user asked for. */
const REFUSED: Readonly<Record<string, string>> = {
  options: 'is not supported, as it does not survive a pooler: use ALTER ROLE … SET',
  service: 'is not supported: write host, database and user into the URL',
  hostaddr: 'is not supported: write the address as host',
}
const REFUSED_VARIABLES = { PGOPTIONS: 'options', PGSERVICE: 'service', PGHOSTADDR: 'hostaddr' } as const

const DEFAULT_CONNECT_S = '5'

/**
 * Reads a database's URL as libpq does. What the URL does not say comes from libpq's variables: PGHOST, PGUSER and so on. The caller
 * checks the schema.
 * @param readFile reads certificates, keys and passwords, or throws.
 * @throws PostgresSettingsError that lists every problem.
 */
export function readPostgresSettings(url: string, env: Env, schema: string, readFile: ReadFile): PostgresSettings {
  const parts = parsePostgresUrl(url)
  if (typeof parts === 'string') throw new PostgresSettingsError([`STATE_DB ${parts}`])
  const problems = [...refused(parts, env)]
  const given = givenBy(parts, env)
  const hosts = readHosts(parts.hosts, given('host'), given('port'), problems)
  const user = given('user')
  if (user === undefined) problems.push('STATE_DB names no user, and PGUSER is not set')
  const database = given('dbname') ?? user
  const attributes = given('target_session_attrs')
  if (attributes !== undefined && !['any', 'read-write', 'primary'].includes(attributes.value)) {
    problems.push(`${attributes.at} must be read-write: results are written`)
  }
  const login = { hosts, database: database?.value ?? '', user: user?.value ?? '' }
  const settings = {
    ...login,
    password: given('password')?.value ?? passwordFrom(given('passfile'), login, readFile, problems),
    tls: readTls(given, readFile, problems),
    applicationName: given('application_name')?.value ?? 'legacy-gateway',
    connectTimeoutMs: seconds(given('connect_timeout'), problems) * 1000,
    schema,
  }
  if (problems.length > 0) throw new PostgresSettingsError(problems)
  return settings
}

/** The URL comes first, its parameters before its other parts; a variable that is set but empty counts as unset. */
function givenBy(parts: UrlParts, env: Env): (name: Parameter) => Given | undefined {
  const named: Partial<Record<Parameter, string | undefined>> = {
    ...{ user: parts.user, password: parts.password, dbname: parts.database },
  }
  return (name) => {
    const inUrl = parts.parameters.get(name) ?? named[name]
    if (inUrl !== undefined && inUrl !== '') return { value: inUrl, at: `STATE_DB: ${name}` }
    // If the URL has a host, no variable adds to it.
    if (name === 'host' && parts.hosts.some(({ host }) => host !== '')) return undefined
    const variable = PARAMETERS[name]
    const value = env[variable]
    return value === undefined || value === '' ? undefined : { value, at: variable }
  }
}

function* refused({ parameters }: UrlParts, env: Env): Iterable<string> {
  for (const name of parameters.keys()) {
    if (Object.hasOwn(PARAMETERS, name)) continue
    // Anything but a name may be part of something else, such as a password.
    const shown = /^[a-z_]{1,40}$/i.test(name) ? `parameter ${name}` : 'a parameter'
    yield `STATE_DB: ${shown} ${REFUSED[name] ?? `is unknown; known are ${Object.keys(PARAMETERS).join(', ')}`}`
  }
  for (const [variable, name] of Object.entries(REFUSED_VARIABLES)) {
    if ((env[variable] ?? '') !== '') yield `${variable} ${REFUSED[name]}`
  }
}

function seconds(given: Given | undefined, problems: string[]): number {
  const { value, at } = given ?? { value: DEFAULT_CONNECT_S, at: '' }
  if (/^[1-9]\d?$/.test(value) && Number(value) <= 60) return Number(value)
  problems.push(`${at} must be a whole number of seconds from 1 to 60`)
  return 0
}

const DEFAULT_PORT = '5432'
/** A name or an address; or the folder of a Unix socket. */
const HOST = /^([\w.:%-]+|\/.*)$/

/**
 * Returns the hosts in the order in which they are tried. Adds what is wrong with them to `problems`.
 * @param host one or several, separated by commas, as are ports. A single port applies to all hosts.
 */
function readHosts(
  inUrl: UrlParts['hosts'],
  host: Given | undefined,
  port: Given | undefined,
  problems: string[],
): PostgresSettings['hosts'] {
  const names = host?.value.split(',') ?? inUrl.map((each) => each.host)
  const at = host?.at ?? 'STATE_DB'
  if (names.every((name) => name === '')) {
    problems.push('STATE_DB names no host, and PGHOST is not set')
    return []
  }
  if (!names.every((name) => HOST.test(name)))
    problems.push(`${at} has an invalid host: expected names, addresses or paths`)
  const ports = port?.value.split(',') ?? []
  if (ports.length > 1 && ports.length !== names.length)
    problems.push(`${port?.at} must be one port, or one for each host`)
  return names.map((name, index) => {
    // With `?host=`, the URL may have a port without a host: `postgres://:5433/name?host=/run/postgresql`.
    const own = (host === undefined ? inUrl[index] : inUrl.length === 1 ? inUrl[0] : undefined)?.port
    const text = own ?? (ports.length > 1 ? ports[index] : ports[0]) ?? DEFAULT_PORT
    const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
    if (!isPort)
      problems.push(
        `${own === undefined ? port?.at : 'STATE_DB'} has a port that is not a whole number from 1 to 65535`,
      )
    return { host: name, port: isPort ? Number(text) : 0 }
  })
}

/** Returns a file's text. */
export type ReadFile = (path: string) => string

/** As in libpq: the authorities of the machine. */
const SYSTEM = 'system'
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** Reads the TLS settings and their files. Adds what is wrong with them to `problems`. Undefined if TLS is off. */
function readTls(
  given: (name: Parameter) => Given | undefined,
  readFile: ReadFile,
  problems: string[],
): PostgresTls | undefined {
  const [sslmode, authority, certificate, secret] = [
    ...[given('sslmode'), given('sslrootcert'), given('sslcert'), given('sslkey')],
  ]
  const isSystem = authority?.value === SYSTEM
  const mode = MODES.find((name) => name === (sslmode?.value ?? (isSystem ? 'verify-full' : 'prefer')))
  if (mode === undefined) problems.push(`${sslmode?.at} must be one of ${MODES.join(', ')}`)
  if (mode === 'disable') return undefined
  // Anyone can get a certificate from a public authority.
  if (isSystem && mode !== 'verify-full') problems.push(`${sslmode?.at} must be verify-full when sslrootcert is system`)
  if (certificate !== undefined && secret === undefined)
    problems.push(`${certificate.at} needs a key: set sslkey or PGSSLKEY`)
  if (certificate === undefined && secret !== undefined) {
    problems.push(`${secret.at} needs a certificate: set sslcert or PGSSLCERT`)
  }
  const textOf = (file: Given | undefined): string | undefined => file && readPem(file, readFile, problems)
  const [ca, cert, key] = [textOf(isSystem ? undefined : authority), textOf(certificate), textOf(secret)]
  try {
    createSecureContext({ ca, cert, key })
  } catch {
    // Node's message names a function of OpenSSL, not the file.
    const files = [authority, certificate, secret].flatMap((file) => file?.at ?? [])
    problems.push(
      `${files.join(', ')}: certificate and key do not belong together, or are not PEM without a passphrase`,
    )
  }
  return { mode: mode === undefined || mode === 'allow' ? 'prefer' : mode, ca, cert, key }
}

function readPem({ value, at }: Given, readFile: ReadFile, problems: string[]): string | undefined {
  try {
    const text = readFile(value)
    if (text.includes('-----BEGIN ')) return text
    problems.push(`${at}: the file has no PEM (-----BEGIN …-----)`)
  } catch (error) {
    problems.push(`${at}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`)
  }
  return undefined
}
