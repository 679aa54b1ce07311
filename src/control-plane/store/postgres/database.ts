import { runInTurn, type Work } from '../sql.ts'

/** A row of a result, by column. PostgreSQL's `bigint` and `numeric` come as text, `jsonb` as values, `bytea` as a Buffer. */
export type Row = Readonly<Record<string, unknown>>

/** Statements within one transaction. */
export interface Transaction {
  /** @param values for `$1`, `$2` and so on. Without any, `text` may hold several statements. */
  query<Result extends Row>(text: string, values?: readonly unknown[]): Promise<readonly Result[]>
}

/**
 * A PostgreSQL database, reached directly or through a pooler in transaction mode. So nothing outlives a transaction, neither a
 * prepared statement nor a setting. Connects on first use, and again after a failure.
 */
export interface Database {
  /** For logs and messages: `postgres://host:5432/name`, never with a user or a password. */
  readonly name: string
  /**
   * Runs `work` in one transaction, one at a time, and commits it. A statement takes at most five seconds. A database that does not
   * answer by then is given up, however it hangs.
   * @param kind `read`: a read-only snapshot (repeatable read), in which all statements see the same data.
   * @throws StateError if the database fails; the transaction may or may not have been committed. Errors that `work` itself throws
   *   are passed on, after a rollback.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>, kind?: 'read'): Promise<Result>
  /**
   * Runs one statement by itself, which saves the round trips of a transaction. The statement must name the schema.
   * @throws StateError as for `transaction`.
   */
  query: Transaction['query']
  /**
   * Calls `onNotify` for each `NOTIFY` on the one channel that is listened to, over a separate connection that is reopened when it is
   * lost. Behind a pooler, notifications may never arrive.
   */
  listen(channel: string, onNotify: () => void): void
  /** Closes all connections, within `withinMs` at the latest. */
  close(withinMs: number): Promise<void>
}

/** Runs work within a transaction. Its time is the database's. */
export async function runWithin<Result>(transaction: Transaction, work: (now: Date) => Work<Result>): Promise<Result> {
  const [row] = await transaction.query<{ readonly now: Date }>('SELECT clock_timestamp() AS now')
  return runInTurn(work(row?.now as Date), ({ text, values }) => transaction.query(text, values))
}
