import { StateError } from '../state-error.ts'

/** What is known of a failure. By default, the connection is lost, and trying again helps. */
export interface Failure {
  readonly reason: string
  readonly sqlState?: string
  readonly isBusy?: boolean
  readonly isConnectionLost?: boolean
  /** Whether the server may be reachable without TLS. */
  readonly hasNoTls?: boolean
}

/** A database failed. The message names the database and the reason; user, password, statement and values are never in it. */
export class PostgresError extends StateError {
  override readonly name = 'PostgresError'
  readonly reason: string
  /** PostgreSQL's code, such as `42501`; undefined if the server sent none, because it could not be reached. */
  readonly sqlState: string | undefined
  /** The connection cannot be used any more. */
  readonly isConnectionLost: boolean
  readonly hasNoTls: boolean

  constructor(database: string, failure: Failure) {
    const { reason, sqlState, isBusy = true, isConnectionLost = true, hasNoTls = false } = failure
    super(`${database} cannot be used: ${reason}`, isBusy)
    this.reason = reason
    this.sqlState = sqlState
    this.isConnectionLost = isConnectionLost
    this.hasNoTls = hasNoTls
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const REASONS: Readonly<Record<string, string>> = {
  '25006': 'it is read-only',
  '28000': 'it refuses the login: does its pg_hba.conf let this role in from here?',
  '28P01': 'it refuses the password',
  '3D000': 'it does not exist',
  '40001': 'a transaction conflicted with another one',
  '40P01': 'a transaction conflicted with another one',
  '42501': 'the role lacks a right: it needs CONNECT and CREATE on the database, and to own the schema',
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '53300': 'it has too many connections',
  '55P03': 'another transaction holds a lock',
  '57014': 'a statement took longer than 5 s',
  '57P01': 'it is being shut down',
  '57P02': 'it has crashed',
  '57P03': 'it is starting up or shutting down',
  '25P03': 'a transaction was left idle for longer than 5 s',
  '08P01': 'the pooler, or the server, broke off',
}

/** Classes of errors that trying again does not fix: values, constraints, syntax, limits. */
const LASTING = new Set(['0A', '22', '23', '42', '54'])
/** Those of them that an administrator can fix meanwhile. */
const REPAIRABLE = new Set(['42501', '42P01'])
/** After these, a new connection may reach a server that works: the old one gave up its role, or is shutting down. */
const MOVED = new Set(['08', '25006', '57P01', '57P02', '57P03', '58', 'XX', '25P03'])

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name servers do not answer',
  ENOENT: 'there is no such socket',
  ABORT_ERR: 'it was closed',
}

/** Messages of the client library, which gives them no codes. */
const CLIENT_REASONS: readonly (readonly [RegExp, string])[] = [
  [/establishing an SSL connection/, 'what answers does not speak PostgreSQL'],
  [/^SASL: .*password must be/, 'it asks for a password, and none is set'],
  [/^SASL: .*signature/, 'the server does not know the password: it may be an impostor'],
  [/Connection terminated|not queryable|was closed/, 'the connection was closed'],
]

/** Says what an error of the client library means. Quotes nothing that may hold values, statements or secrets. */
export function failureOf(error: unknown): Failure {
  const { code, severity, message = '' } = (error ?? {}) as { code?: unknown; severity?: unknown; message?: string }
  if (typeof code === 'string' && typeof severity === 'string') return serverFailure(code, severity, error as object)
  if (typeof code === 'string') return { reason: SYSTEM_REASONS[code] ?? certificateReason(code) ?? code }
  if (/does not support SSL/.test(message)) return { reason: 'the server has no TLS', hasNoTls: true }
  const known = CLIENT_REASONS.find(([form]) => form.test(message))
  return { reason: known?.[1] ?? 'the connection failed' }
}

function serverFailure(sqlState: string, severity: string, error: object): Failure {
  const kind = sqlState.slice(0, 2)
  const { table, constraint } = error as { table?: string; constraint?: string }
  const place = [table && `table ${table}`, constraint && `constraint ${constraint}`].filter(Boolean).join(', ')
  const code = `SQLSTATE ${sqlState}${place === '' ? '' : `, ${place}`}`
  const words = REASONS[sqlState]
  return {
    reason: words === undefined ? code : `${words} (${code})`,
    sqlState,
    isBusy: !LASTING.has(kind) || REPAIRABLE.has(sqlState),
    // Access rules may differ for connections without TLS.
    hasNoTls: sqlState === '28000',
    isConnectionLost: severity === 'FATAL' || severity === 'PANIC' || MOVED.has(kind) || MOVED.has(sqlState),
  }
}

const certificateReason = (code: string): string | undefined =>
  /CERT|SELF_SIGNED|UNABLE_TO|^ERR_(TLS|SSL)|HOSTNAME/.test(code) ? `TLS failed: ${code}` : undefined
