/** How to connect to PostgreSQL. Plain data, so that it can be sent to a thread. */
export interface PostgresSettings {
  /** In the order in which they are tried. A path (`/run/postgresql`) is the folder of a Unix socket. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly database: string
  readonly user: string
  readonly password: string | undefined
  /** Undefined: no TLS. */
  readonly tls: PostgresTls | undefined
  readonly applicationName: string
  readonly connectTimeoutMs: number
  /** Where the tables are; a plain name in lower case. */
  readonly schema: string
}

/** TLS, as set by libpq's `sslmode` and its files. */
export interface PostgresTls {
  /** `prefer`: without TLS where the server has none. `require` checks the certificate only where there is an `sslrootcert`. */
  readonly mode: 'prefer' | 'require' | 'verify-ca' | 'verify-full'
  /** PEM; undefined: the system's. */
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
}

/** `STATE_DB` or a PG… variable cannot be used. Each problem names where it is, and none quotes a value. */
export class PostgresSettingsError extends Error {
  override readonly name = 'PostgresSettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** What logs and messages call a database: `postgres://host:5432/name`, without user, password and parameters. */
export function databaseName({ hosts, database }: Pick<PostgresSettings, 'hosts' | 'database'>): string {
  return `postgres://${hosts.map(hostName).join(',')}/${encodeURIComponent(database)}`
}

/** `host:5432`, or the folder of a Unix socket in the form used in a URL. */
export function hostName({ host, port }: PostgresSettings['hosts'][number]): string {
  return `${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`
}
