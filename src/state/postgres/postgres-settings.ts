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
