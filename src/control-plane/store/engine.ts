import { type Lease, stillHolds } from './lease.ts'
import { isoOf, query, type SqlRow, type SqlValue, type Work } from './sql.ts'

/** A database that holds the state: a file of SQLite, or PostgreSQL. Statements and tables are the same for both. */
export interface Engine {
  /**
   * Runs `work` in one transaction, and commits it.
   * @param kind `read`: all statements see the same data, and nothing is locked.
   * @throws StateError if the database fails. Then the transaction may or may not have been committed.
   */
  transaction<Result>(work: (now: Date) => Work<Result>, kind?: 'read'): Promise<Result>
  /** Runs one statement by itself, in one round trip. `$schema` in it stands for the schema that has the tables. */
  statement(text: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]>
  /** Takes or extends a lease; undefined if another process holds it. Who closes the engine gives it back. */
  lease(name: string): Promise<Lease | undefined>
  /** Makes other processes read decisions again once the transaction is committed. */
  announce(): Work<void>
  /** Follows the keyword of a statement that keeps a row from being changed until the transaction ends. */
  readonly shareLock: string
}

/** Runs a transaction if a lease holds; undefined if it does not. Nobody can take over the lease before the transaction ends. */
export const whileHeld = <Result>(
  engine: Pick<Engine, 'transaction' | 'shareLock'>,
  lease: Lease,
  work: (now: Date) => Work<Result>,
): Promise<Result | undefined> =>
  engine.transaction(function* (now) {
    return (yield* stillHolds(lease, now, engine.shareLock)) ? yield* work(now) : undefined
  })

/** Returns when the results begin; ISO 8601. */
export function* begunAt(): Work<string> {
  const [row] = yield* query<{ readonly at: unknown }>('SELECT at FROM begun')
  return isoOf(row?.at)
}

/** Fills tables that were just created or brought up to date: the results begin now, unless they have begun before. */
export function* fillTables(now: Date, imports: readonly Import[], hasTable: (name: string) => boolean): Work<void> {
  const begun = yield* query('SELECT at FROM begun')
  if (begun.length === 0) yield* query('INSERT INTO begun (at) VALUES ($1)', now.toISOString())
  for (const copy of imports) yield* copy(now, hasTable)
}

/** Notes that something was decided. */
export function* countChange(): Work<void> {
  yield* query(
    'INSERT INTO change (one, version) VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET version = change.version + 1',
  )
}

/** Copies what earlier versions stored elsewhere, within the transaction that creates the tables. */
export type Import = (now: Date, hasTable: (name: string) => boolean) => Work<void>
