import { randomBytes } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { postgresDb } from '../../../../src/compare/tally/postgres/postgres-db.ts'
import { type StateDb, stateDb } from '../../../../src/compare/tally/state-db.ts'
import { answerCutover } from '../../../../src/cutover/store/ask-cutover.ts'
import { cutoverStore } from '../../../../src/cutover/store/cutover-store-over.ts'
import { postgresCutover } from '../../../../src/cutover/store/postgres-cutover.ts'
import { sqliteCutover } from '../../../../src/cutover/store/sqlite-cutover.ts'
import { openDatabase } from '../../../../src/state/postgres/open-database.ts'
import { postgresEngine } from '../../../../src/state/postgres/postgres-engine.ts'
import { sqliteEngine } from '../../../../src/state/sql.ts'
import { localLogins, loginDb } from '../../../../src/usage/logins/login-db.ts'
import { answerLogins, loginStore } from '../../../../src/usage/logins/login-store.ts'
import { answerUsage, usageDb } from '../../../../src/usage/store/usage-db.ts'
import { usageStore } from '../../../../src/usage/store/usage-store-over.ts'
import type { FileStoreOptions, PostgresStoreOptions, Stores } from '../../../../src/workers/open-stores.ts'

/** Runs one call after the other, as the thread of a store does. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return <Args extends readonly unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Promise<Awaited<Result>> => {
      const result = last.then(() => call(...args)) as Promise<Awaited<Result>>
      last = result.catch(() => undefined)
      return result
    }
}

/** What `openFileStore` opens, without its thread. */
export function fileStores(path: string, writer: string, { replica, log }: FileStoreOptions): Stores {
  const turn = inTurn()
  const db = stateDb(path, writer)
  const engine = sqliteCutover(db, writer)
  const shared = sqliteEngine(db)
  return {
    store: {
      ...{ name: path, isShared: false, holdsCounts: true },
      open: turn((now: Date) => db.open(now)),
      read: turn((after: Parameters<StateDb['read']>[0]) => db.read(after)),
      keep: turn((what: Parameters<StateDb['keep']>[0]) => db.keep(what)),
      resets: turn(() => db.resets()),
      forgetBefore: turn((day: string) => db.forgetBefore(day)),
      close: turn(async () => {
        await engine.release().catch(() => undefined)
        db.close()
      }),
    },
    cutover: cutoverStore({
      ...{ isShared: false, log, process: { replica, incarnation: writer } },
      ask: turn(answerCutover(engine)),
    }),
    usage: usageStore({ process: writer, ask: turn(answerUsage(usageDb(shared))), log }),
    logins: loginStore(turn(answerLogins(loginDb(localLogins(shared))))),
  }
}

/** What `openPostgresStore` opens, without its thread. */
export function databaseStores({ settings, replicaId, status, log }: PostgresStoreOptions): Stores {
  const turn = inTurn()
  const start = randomBytes(6).toString('hex')
  const { schema } = settings
  const listeners: (() => void)[] = []
  const database = openDatabase(settings)
  const db = postgresDb({
    ...{ database, schema, id: replicaId, start, thread: 0 },
    tell(news) {
      if ('warning' in news) log.warn(news.warning)
      else if ('decided' in news) for (const listener of listeners) listener()
    },
  })
  const engine = postgresEngine(db)
  const onDecided = (listener: () => void): void => void listeners.push(listener)
  return {
    store: {
      ...{ name: database.name, isShared: true, holdsCounts: true },
      open: turn(db.open),
      read: turn(db.read),
      keep: turn((what: Parameters<typeof db.keep>[0]) => db.keep(what, status())),
      resets: turn(db.resets),
      forgetBefore: async () => undefined,
      close: turn(db.close),
      onDecided,
    },
    cutover: cutoverStore({
      ...{ isShared: true, onDecided, log, process: { replica: replicaId, incarnation: start } },
      ask: turn(answerCutover(postgresCutover(db, schema))),
    }),
    usage: usageStore({ process: `${replicaId} ${start}`, ask: turn(answerUsage(usageDb(engine))), log }),
    logins: loginStore(turn(answerLogins(loginDb({ engine, schema: escapeIdentifier(schema), look: db.query })))),
  }
}
