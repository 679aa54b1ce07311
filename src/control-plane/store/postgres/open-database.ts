import { escapeIdentifier } from 'pg'
import { serial, within } from '../../../common/promises.ts'
import type { Database, Row, Transaction } from './database.ts'
import { listenTo } from './listening.ts'
import { type Connection, connecting, STATEMENT_MS } from './postgres-connection.ts'
import { PostgresError } from './postgres-error.ts'
import type { PostgresSettings } from './postgres-settings.ts'
import { databaseName } from './postgres-settings.ts'

/** A gateway that stalls within a transaction must not hold its locks for longer. All limits take one round trip. */
const LIMITS = `SET LOCAL statement_timeout = ${STATEMENT_MS}; SET LOCAL idle_in_transaction_session_timeout = ${STATEMENT_MS}`
const LEVELS = { write: 'READ COMMITTED', read: 'REPEATABLE READ READ ONLY' }

/** Opens a database. It uses at most two connections: one for all transactions, and one that listens. Each is opened only when it is needed. */
export function openDatabase(settings: PostgresSettings): Database {
  const name = databaseName(settings)
  const ended = new AbortController()
  const connect = connecting(settings, ended.signal)
  const next = serial()
  let connection: Connection | undefined
  let stopListening: ((withinMs: number) => Promise<void>) | undefined
  let isClosed = false
  const refuseIf = (isRefused: boolean): void => {
    if (isRefused) throw new PostgresError(name, { reason: 'it was closed', isBusy: false })
  }
  /** Runs work that needs the connection, one after the other. */
  const inTurn = async <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> => {
    refuseIf(isClosed)
    return next(async () => {
      refuseIf(ended.signal.aborted)
      if (connection?.isOpen !== true) connection = await connect(false)
      return work(connection)
    })
  }
  return {
    name,
    transaction: (work, kind) =>
      inTurn(async (used) => {
        const level = LEVELS[kind ?? 'write']
        const path = `SET LOCAL search_path = ${escapeIdentifier(settings.schema)}`
        return inTransaction(used, name, `BEGIN ISOLATION LEVEL ${level}; ${LIMITS}; ${path}`, work)
      }),
    query: <Result extends Row>(text: string, values?: readonly unknown[]) =>
      inTurn(async (used) => (await used.query(text, values)).rows as readonly Result[]),
    listen(channel, onNotify) {
      if (!isClosed) stopListening ??= listenTo(connect, channel, onNotify)
    },
    async close(withinMs) {
      isClosed = true
      const end = performance.now() + withinMs
      const closing = stopListening?.(withinMs)
      await within(
        withinMs,
        next(async () => undefined),
      )
      await Promise.all([closing, connection?.end(Math.max(0, end - performance.now()))])
      // Breaks off what is still under way.
      ended.abort()
    },
  }
}

async function inTransaction<Result>(
  connection: Connection,
  name: string,
  begin: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let isOver = false
  const transaction: Transaction = {
    async query<Found extends Row>(text: string, values?: readonly unknown[]) {
      if (isOver) throw new Error('This transaction is over')
      return (await connection.query(text, values)).rows as readonly Found[]
    },
  }
  let result: Result
  try {
    // Even if this fails halfway, the transaction may have begun.
    await connection.query(begin)
    result = await work(transaction)
  } catch (error) {
    isOver = true
    // If even this fails, the connection is dropped.
    if (connection.isOpen) await connection.query('ROLLBACK').catch(() => connection.destroy())
    throw error
  }
  isOver = true
  const { command } = await connection.query('COMMIT')
  // Happens when a statement failed, and `work` ignored the error.
  if (command !== 'COMMIT') throw new PostgresError(name, { reason: 'a statement failed', isConnectionLost: false })
  return result
}
