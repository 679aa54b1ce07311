import { escapeIdentifier } from 'pg'
import { serial, within } from '../../../common/promises.ts'
import type { Engine, Import } from '../engine.ts'
import { countChange } from '../engine.ts'
import { endLeases, takeLease } from '../lease.ts'
import { query, type Work } from '../sql.ts'
import { StateError } from '../state-error.ts'
import { type Database, runWithin } from './database.ts'
import { migrate } from './migrate.ts'
import { PostgresError } from './postgres-error.ts'

/** An `Engine` on a PostgreSQL database that several replicas share. */
export interface PostgresEngine extends Engine {
  /** Whether the tables are known to exist. False after a failure: they may be gone, or be those of a backup. */
  isPrepared(): boolean
  /** Closes the database, after `last`, within `withinMs` at the latest. */
  close(last: () => Work<void>, withinMs: number): Promise<void>
}

export interface PostgresEngineOptions {
  readonly database: Database
  readonly schema: string
  /** Identifies this process among the holders of leases. */
  readonly holder: string
  readonly imports?: readonly Import[]
}

/** After a replica is killed, no step of a plan is taken for this long. */
const LEASE_MS = 10_000
/** How long requests are refused at once after a failure, so that those that wait do not try one by one a database that hangs. */
const AWAY_MS = 1_000

const HELD = `
  SELECT 1 AS one FROM $schema.lease WHERE name = $1 AND holder <> $2
    AND until > clock_timestamp() AND until <= clock_timestamp() + interval '${LEASE_MS} ms'`

export function postgresEngine(options: PostgresEngineOptions): PostgresEngine {
  const { database, schema, holder, imports = [] } = options
  let isPrepared = false
  /** Whether newer gateways may have been started since this process was. */
  let canBeNewer = false
  /** How the database failed last, and when; ms, monotonic. */
  let failure: { readonly error: PostgresError; readonly at: number } | undefined

  const trying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      isPrepared = false
      if (error instanceof PostgresError) failure = { error, at: performance.now() }
      if (error instanceof StateError) throw error
      throw new StateError(error instanceof Error ? error.message : String(error), false, { cause: error })
    }
  }
  /** Creates the tables, or brings them up to date. */
  const prepare = async (): Promise<void> => {
    if (isPrepared) return
    if (failure !== undefined && performance.now() - failure.at < AWAY_MS) throw failure.error
    await trying(() => migrate(database, schema, { imports, canBeNewer }))
    isPrepared = true
    canBeNewer = true
  }
  const next = serial()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
    next(async () => {
      await prepare()
      return trying(work)
    })
  const engine: Engine = {
    transaction: (work, kind) =>
      inTurn(() => database.transaction((transaction) => runWithin(transaction, work), kind)),
    statement: (text, ...values) =>
      inTurn(() => database.query(text.replaceAll('$schema', escapeIdentifier(schema)), values)),
    async lease(name) {
      // First without a transaction, because most replicas find that another one holds the lease.
      if ((await engine.statement(HELD, name, holder)).length > 0) return undefined
      return engine.transaction((now) => takeLease({ name, holder, milliseconds: LEASE_MS }, now))
    },
    *announce() {
      yield* countChange()
      // The channel has the schema's name.
      yield* query('SELECT pg_notify($1, $2)', schema, '')
    },
    shareLock: 'FOR SHARE',
  }
  return {
    ...engine,
    isPrepared: () => isPrepared,
    async close(last, withinMs) {
      const end = performance.now() + withinMs
      const leave = function* (now: Date): Work<void> {
        yield* last()
        yield* endLeases(holder, now)
      }
      const left = isPrepared ? database.transaction((transaction) => runWithin(transaction, leave)) : undefined
      await within(withinMs, left?.catch(() => undefined) ?? Promise.resolve())
      await database.close(Math.max(0, end - performance.now()))
    },
  }
}
