import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, onTestFinished } from 'vitest'
import { openPostgresStore } from '../../../../../src/app/postgres-stores.ts'
import { IMPORTS, openFileStore, type Stores } from '../../../../../src/app/stores.ts'
import type { Engine } from '../../../../../src/control-plane/store/engine.ts'
import { openDatabase } from '../../../../../src/control-plane/store/postgres/open-database.ts'
import { postgresEngine } from '../../../../../src/control-plane/store/postgres/postgres-engine.ts'
import type { PostgresSettings } from '../../../../../src/control-plane/store/postgres/postgres-settings.ts'
import { sqliteEngine } from '../../../../../src/control-plane/store/sqlite-engine.ts'
import { stateFolder } from '../../../../support/comparing-process.ts'
import { newSchema, type SharedPostgres, sharedPostgres } from '../../../../support/shared-postgres.ts'
import { STATUS } from '../../../store/support/replicas.ts'

/** One state that several processes open. */
export interface State {
  /** Opens it as another process does. */
  open(replica?: string): Promise<Stores>
  /** Opens the database itself. @param now the clock of a file; a database has its own. */
  engine(now?: () => Date): Promise<Engine>
  /** Writes bytes in SQL. */
  bytes(bytes: Buffer): string
  /** Runs a statement on it from outside. */
  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** What was warned of. */
  readonly warnings: readonly string[]
}

/** Returns the time so long ago, as a value in SQL. */
export const ago = (milliseconds: number): string => `'${new Date(Date.now() - milliseconds).toISOString()}'`

const logTo = (warnings: string[]) => ({ warn: (_: unknown, message = '') => void warnings.push(message) })

async function opened(stores: Stores): Promise<Stores> {
  onTestFinished(() => stores.store.close(500))
  await stores.store.open()
  return stores
}

/** A state in a file of SQLite. */
export function fileState(file = join(stateFolder(), 'state.db')): State {
  const warnings: string[] = []
  const log = logTo(warnings)
  return {
    warnings,
    open: (replica = 'this') => opened(openFileStore(file, { replica, log })),
    async engine(now) {
      const engine = sqliteEngine({ path: file, holder: randomUUID(), imports: IMPORTS, ...(now && { now }) })
      onTestFinished(engine.close)
      engine.open()
      return engine
    },
    bytes: (bytes) => `X'${bytes.toString('hex')}'`,
    async sql(text) {
      const db = new DatabaseSync(file, { timeout: 10_000 })
      try {
        return db.prepare(text).all()
      } finally {
        db.close()
      }
    },
  }
}

/** A state in a PostgreSQL database. */
export interface DatabaseState extends State {
  readonly schema: string
  /** Runs a statement in a transaction, which goes on until it is released. */
  hold(text: string): Promise<{ release(): Promise<void> }>
  /** Returns how many transactions on it wait for a lock. */
  waiting(): Promise<number>
}

/** @param as how it is opened, where that differs from how the server says. */
export function databaseState(
  server: Pick<SharedPostgres, 'settings' | 'query'>,
  as: Partial<PostgresSettings> = {},
  schema = newSchema(),
): DatabaseState {
  const warnings: string[] = []
  // Its sessions can be told from those of other tests.
  const settings = { ...server.settings, ...as, schema, applicationName: schema }
  const options = (replicaId: string) => ({
    ...{ settings, replicaId, status: () => STATUS, onOffset: () => undefined, log: logTo(warnings) },
  })
  const connect = async (): Promise<Client> => {
    const { hosts, user, password, database } = server.settings
    const client = new Client({ ...hosts[0], user, password, database, options: `-c search_path=${schema}` })
    await client.connect()
    return client
  }
  return {
    ...{ schema, warnings },
    open: (replica = randomUUID()) => opened(openPostgresStore(options(replica))),
    async engine() {
      const engine = postgresEngine({
        database: openDatabase(settings),
        schema,
        holder: randomUUID(),
        imports: IMPORTS,
      })
      onTestFinished(() => engine.close(function* () {}, 500))
      await engine.statement('SELECT 1')
      return engine
    },
    bytes: (bytes) => `'\\x${bytes.toString('hex')}'::bytea`,
    async sql(text) {
      const client = await connect()
      try {
        return (await client.query<Record<string, unknown>>(text)).rows
      } finally {
        await client.end()
      }
    },
    async hold(text) {
      const client = await connect()
      try {
        await client.query(`BEGIN; ${text}`)
      } catch (error) {
        await client.end()
        throw error
      }
      return {
        async release() {
          await client.query('COMMIT')
          await client.end()
        },
      }
    },
    waiting: async () =>
      (
        await server.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = '${schema}'`,
        )
      ).length,
  }
}

/** Runs the same tests on each engine. PostgreSQL is skipped by name where it is not installed. */
export function onBothEngines(what: string, tests: (newState: () => State) => void): void {
  describe(`${what} on SQLite`, () => tests(() => fileState()))
  onPostgres(what, tests)
}

/** Tests of PostgreSQL alone. */
export function onPostgres(what: string, tests: (newState: () => DatabaseState) => void): void {
  const server = sharedPostgres()
  describe.skipIf(server === undefined)(`${what} on PostgreSQL`, () =>
    tests(() => databaseState(server as SharedPostgres)),
  )
}
