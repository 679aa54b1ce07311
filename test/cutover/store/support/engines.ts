import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, onTestFinished } from 'vitest'
import { openFileStore, type Stores } from '../../../../src/aside/open-file-store.ts'
import { openPostgresStore } from '../../../../src/aside/open-postgres-store.ts'
import { STATUS } from '../../../state/support/replicas.ts'
import { stateFolder } from '../../../support/comparing-process.ts'
import { isInstalled, type PostgresServer, startPostgres } from '../../../support/postgres.ts'

/** One state that several processes open. */
export interface State {
  /** Opens it as another process does. */
  open(replica?: string): Promise<Stores>
  /** Runs a statement on it from outside; `rows` of the last one. */
  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Returns the time so long ago, as a value in SQL. */
  ago(milliseconds: number): string
}

export interface EngineUnderTest {
  readonly name: string
  newState(): State
}

const isoBefore = (milliseconds: number): string => `'${new Date(Date.now() - milliseconds).toISOString()}'`
const QUIET = { warn: () => undefined }

const sqlite: EngineUnderTest = {
  name: 'SQLite',
  newState() {
    const file = join(stateFolder(), 'state.db')
    return {
      open: (replica) => opened(openFileStore(file, randomUUID(), replica)),
      async sql(text) {
        const db = new DatabaseSync(file)
        try {
          return db.prepare(text).all()
        } finally {
          db.close()
        }
      },
      ago: isoBefore,
    }
  },
}

const postgres = (server: PostgresServer): EngineUnderTest => ({
  name: 'PostgreSQL',
  newState() {
    const schema = `s_${randomBytes(6).toString('hex')}`
    return {
      open(replicaId = randomUUID()) {
        const store = openPostgresStore({
          settings: { ...server.settings, schema },
          ...{ replicaId, status: () => STATUS, onOffset: () => undefined, log: QUIET },
        })
        return opened({ store, cutover: store.cutover })
      },
      async sql(text) {
        const { user, password, database } = server.settings
        const options = `-c search_path=${schema}`
        const client = new Client({ host: '127.0.0.1', port: server.port, user, password, database, options })
        await client.connect()
        try {
          return (await client.query<Record<string, unknown>>(text)).rows
        } finally {
          await client.end()
        }
      },
      ago: isoBefore,
    }
  },
})

async function opened(stores: Stores): Promise<Stores> {
  onTestFinished(() => stores.store.close(500))
  await stores.store.open(new Date())
  return stores
}

/** Runs the same tests on each engine. PostgreSQL is skipped by name where it is not installed. */
export async function onBothEngines(what: string, tests: (engine: EngineUnderTest) => void): Promise<void> {
  const server = isInstalled ? await startPostgres({ fsync: false }) : undefined
  describe(`${what} on SQLite`, () => tests(sqlite))
  describe.skipIf(server === undefined)(`${what} on PostgreSQL`, () => tests(postgres(server as PostgresServer)))
}
