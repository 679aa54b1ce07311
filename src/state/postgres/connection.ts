import { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { Client, type QueryResult } from 'pg'
import { serial } from '../../common/promises.ts'
import type { Row } from './database.ts'
import { failureOf, PostgresError } from './postgres-error.ts'
import type { PostgresSettings } from './postgres-settings.ts'

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
  onNotification(heard: (channel: string) => void): void
  /** Calls `closed` once the connection is lost or destroyed. */
  onClose(closed: () => void): void
  /** Ends the session; if that takes longer than `withinMs`, destroys the connection. */
  end(withinMs: number): Promise<void>
  destroy(): void
}

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

/** @throws PostgresError */
export async function openConnection(target: Target, database: string): Promise<Connection> {
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
      const given = values === undefined || values.length === 0 ? undefined : [...values]
      const result: QueryResult<Row> | QueryResult<Row>[] = await next(() =>
        settled(client.query<Row>(text, given), ANSWER_MS),
      )
      return (Array.isArray(result) ? result.at(-1) : result) ?? { rows: [], command: '' }
    },
    onNotification: (heard) => void client.on('notification', ({ channel }) => heard(channel)),
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
