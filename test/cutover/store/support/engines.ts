import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { Client } from 'pg'
import { describe, onTestFinished } from 'vitest'
import { openFileStore, type Stores } from '../../../../src/aside/open-file-store.ts'
import { openPostgresStore } from '../../../../src/aside/open-postgres-store.ts'
import { forgetOld } from '../../../../src/compare/tally/postgres/forget-old.ts'
import type { Lease } from '../../../../src/state/lease.ts'
import { takeLease } from '../../../../src/state/postgres/lease.ts'
import { openDatabase } from '../../../../src/state/postgres/open-database.ts'
import type { PostgresSettings } from '../../../../src/state/postgres/postgres-settings.ts'
import { STATUS } from '../../../state/support/replicas.ts'
import { stateFolder } from '../../../support/comparing-process.ts'
import { isInstalled, type PostgresOptions, type PostgresServer, startPostgres } from '../../../support/postgres.ts'

/** One state that several processes open. */
export interface State {
  /** Opens it as another process does. */
  open(replica?: string): Promise<Stores>
  /** Runs a statement on it from outside. */
  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Ends what writes it, whatever it is doing. It can be used again at once. */
  kill(): Promise<void>
  /** Deletes what is too old, if the engine does so by itself. */
  forgetOld(): Promise<void>
  /** What was warned of. */
  readonly warnings: readonly string[]
}

/** Returns the time so long ago, as a value in SQL. */
export const ago = (milliseconds: number): string => `'${new Date(Date.now() - milliseconds).toISOString()}'`

const logTo = (warnings: string[]) => ({ warn: (_: unknown, message = '') => void warnings.push(message) })

async function opened(stores: Stores): Promise<Stores> {
  onTestFinished(() => stores.store.close(500))
  await stores.store.open(new Date())
  return stores
}

/** A state in a file of SQLite. */
export function fileState(file = join(stateFolder(), 'state.db')): State {
  const warnings: string[] = []
  const threads: Worker[] = []
  const keep = (thread: Worker): void => void threads.push(thread)
  process.on('worker', keep)
  onTestFinished(() => void process.off('worker', keep))
  return {
    warnings,
    open: (replica = 'this') => opened(openFileStore(file, randomUUID(), { replica, log: logTo(warnings) })),
    async sql(text) {
      const db = new DatabaseSync(file, { timeout: 10_000 })
      try {
        return db.prepare(text).all()
      } finally {
        db.close()
      }
    },
    async kill() {
      await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
    },
    forgetOld: async () => undefined,
  }
}

/** A state in a PostgreSQL database. */
export interface DatabaseState extends State {
  /** Runs a statement in a transaction, which goes on until it is released. */
  hold(text: string): Promise<{ release(): Promise<void> }>
}

/** @param as how it is opened, where that differs from how the server says. */
export function databaseState(
  server: PostgresServer,
  as: Partial<PostgresSettings> = {},
  schema = `s_${randomBytes(6).toString('hex')}`,
): DatabaseState {
  const warnings: string[] = []
  const connect = async (): Promise<Client> => {
    const { user, password, database } = server.settings
    const options = `-c search_path=${schema}`
    const client = new Client({ host: '127.0.0.1', port: server.port, user, password, database, options })
    await client.connect()
    return client
  }
  return {
    warnings,
    open(replicaId = randomUUID()) {
      const store = openPostgresStore({
        settings: { ...server.settings, ...as, schema },
        ...{ replicaId, status: () => STATUS, onOffset: () => undefined, log: logTo(warnings) },
      })
      return opened({ store, cutover: store.cutover, usage: store.usage, logins: store.logins })
    },
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
    async kill() {
      await server.kill9()
      await server.restart()
    },
    async forgetOld() {
      const database = openDatabase({ ...server.settings, schema })
      onTestFinished(() => database.close(0))
      const wanted = { name: 'test', holder: 'test', seconds: 30 }
      const lease = await database.transaction((transaction) => takeLease(transaction, wanted))
      await forgetOld(() => undefined)(database, lease as Lease)
    },
  }
}

/** Runs the same tests on each engine. PostgreSQL is skipped by name where it is not installed. */
export async function onBothEngines(
  what: string,
  tests: (newState: () => State) => void,
  options?: PostgresOptions,
): Promise<void> {
  describe(`${what} on SQLite`, () => tests(() => fileState()))
  await onPostgres(what, tests, options)
}

/** Tests of PostgreSQL alone. */
export async function onPostgres(
  what: string,
  tests: (newState: () => DatabaseState) => void,
  options: PostgresOptions = { fsync: false },
): Promise<void> {
  const server = isInstalled ? await startPostgres(options) : undefined
  describe.skipIf(server === undefined)(`${what} on PostgreSQL`, () =>
    tests(() => databaseState(server as PostgresServer)),
  )
}
