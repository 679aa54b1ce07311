import { Socket } from 'node:net'
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls'
import { Client, type QueryResult } from 'pg'
import { serial } from '../../../common/promises.ts'
import type { Row } from './database.ts'
import { failureOf, PostgresError } from './postgres-error.ts'
import type { PostgresSettings, PostgresTls } from './postgres-settings.ts'
import { databaseName, hostName } from './postgres-settings.ts'

/** How long the server may work on a statement, and a transaction may wait for its next one. */
export const STATEMENT_MS = 5_000
/** When to stop waiting for an answer: a little later, because a working server reports by itself that a statement took too long. */
const ANSWER_MS = STATEMENT_MS + 500
/** A peer that has vanished is noticed in twice this time. */
const KEEP_ALIVE_MS = 10_000

/** A connection to one server. Every promise settles within seconds, however the server hangs. */
export interface Connection {
  readonly isOpen: boolean
  /**
   * Runs a statement, or several separated by semicolons if there are no values. Calls are answered in order.
   * @returns the rows of the last statement, and its name, such as `COMMIT`.
   * @throws PostgresError
   */
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[]; readonly command: string }>
  onNotification(heard: () => void): void
  /** Calls `closed` once the connection is lost or destroyed. */
  onClose(closed: () => void): void
  /** Ends the session; if that takes longer than `withinMs`, destroys the connection. */
  end(withinMs: number): Promise<void>
  destroy(): void
}

/** What a connection is opened to, and how. */
export interface Target {
  readonly host: PostgresSettings['hosts'][number]
  readonly settings: PostgresSettings
  /** Undefined: without TLS. */
  readonly tls: ConnectionOptions | undefined
  /** Whether the connection keeps the process alive. */
  readonly isBackground: boolean
  /** Destroys the connection, even one that is still being opened. */
  readonly signal: AbortSignal
}

/**
 * Opens a connection to one server.
 * @throws PostgresError
 */
async function openConnection(target: Target, database: string): Promise<Connection> {
  const { host, settings, tls, isBackground, signal } = target
  const socket = new Socket({ signal })
  if (isBackground) socket.unref()
  const client = new Client({
    ...{ host: host.host, port: host.port, database: settings.database, user: settings.user },
    // Set explicitly, because the library takes unset options from the environment.
    ...{ password: () => settings.password ?? '', application_name: settings.applicationName },
    ...{
      ssl: tls ?? false,
      sslnegotiation: 'postgres',
      stream: () => socket,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    },
  })
  let isOpen = true
  // The socket itself may break at any time. The library then rejects the calls that wait for an answer.
  client.on('error', () => {
    isOpen = false
    socket.destroy()
  })
  client.on('end', () => {
    isOpen = false
  })
  const settled = async <Result>(promise: Promise<Result>, withinMs: number): Promise<Result> => {
    const timer = setTimeout(() => {
      isOpen = false
      socket.destroy(new PostgresError(database, { reason: 'it does not answer' }))
    }, withinMs).unref()
    try {
      return await promise
    } catch (error) {
      const known = error instanceof PostgresError ? error : new PostgresError(database, failureOf(error))
      if (known.isConnectionLost) {
        isOpen = false
        socket.destroy()
      }
      throw known
    } finally {
      clearTimeout(timer)
    }
  }
  await settled(client.connect(), settings.connectTimeoutMs)
  const next = serial()
  return {
    get isOpen() {
      return isOpen
    },
    async query(text, values) {
      const parameters = values === undefined || values.length === 0 ? undefined : [...values]
      const result: QueryResult<Row> | QueryResult<Row>[] = await next(() =>
        settled(client.query<Row>(text, parameters), ANSWER_MS),
      )
      return (Array.isArray(result) ? result.at(-1) : result) ?? { rows: [], command: '' }
    },
    onNotification: (heard) => void client.on('notification', heard),
    onClose: (closed) => void socket.once('close', closed),
    async end(withinMs) {
      isOpen = false
      const timer = setTimeout(() => socket.destroy(), withinMs)
      await client.end()
      clearTimeout(timer)
      socket.destroy()
    },
    destroy: () => {
      isOpen = false
      socket.destroy()
    },
  }
}

type Host = PostgresSettings['hosts'][number]

/** Opens a connection to the first host that can be written to; if there is none, to the first that answers. */
export type Connect = (isBackground: boolean) => Promise<Connection>

/**
 * Makes a `Connect` that tries the hosts in order.
 * @param signal destroys all connections, including those that are being opened.
 * @throws PostgresError when the `Connect` is called; it says for each host why it failed.
 */
export function connecting(settings: PostgresSettings, signal: AbortSignal): Connect {
  const name = databaseName(settings)
  const { hosts, tls: wanted } = settings
  const tls = wanted && tlsOptions(wanted)
  const open = async (host: Host, isBackground: boolean): Promise<Connection> => {
    const target = { host, settings, isBackground, signal }
    // A Unix socket never has TLS.
    const secure: ConnectionOptions | undefined = host.host.startsWith('/') ? undefined : tls
    try {
      return await openConnection({ ...target, tls: secure }, name)
    } catch (error) {
      if (secure === undefined || wanted?.mode !== 'prefer' || !(error instanceof PostgresError) || !error.hasNoTls)
        throw error
      return openConnection({ ...target, tls: undefined }, name)
    }
  }
  return async (isBackground) => {
    const [only] = hosts
    if (only !== undefined && hosts.length === 1) return open(only, isBackground)
    let readOnly: Connection | undefined
    const problems: string[] = []
    for (const host of hosts) {
      try {
        const connection = await open(host, isBackground)
        const { rows } = await connection.query('SHOW transaction_read_only')
        if (rows[0]?.transaction_read_only !== 'on') {
          readOnly?.destroy()
          return connection
        }
        if (readOnly === undefined) readOnly = connection
        else connection.destroy()
      } catch (error) {
        if (!(error instanceof PostgresError)) throw error
        problems.push(`${hostName(host)}: ${error.reason}`)
      }
    }
    if (readOnly !== undefined) return readOnly
    throw new PostgresError(name, { reason: problems.join('; ') })
  }
}

/** Returns the TLS options of a connection. Create them once: reading the system's authorities takes a while. */
function tlsOptions({ mode, ca, cert, key }: PostgresTls): ConnectionOptions {
  // As in libpq, `require` with an authority means `verify-ca`.
  const verifies = mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && ca !== undefined)
  const authorities = ca ?? (verifies ? [...getCACertificates('default'), ...getCACertificates('system')] : undefined)
  return {
    secureContext: createSecureContext({ ca: authorities, cert, key, minVersion: 'TLSv1.2' }),
    rejectUnauthorized: verifies,
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  }
}
