import { workerData } from 'node:worker_threads'
import { stateDb } from '../compare/tally/state-db.ts'
import { answerCutover } from '../cutover/store/ask-cutover.ts'
import { sqliteCutover } from '../cutover/store/sqlite-cutover.ts'
import { sqliteEngine } from '../state/sql.ts'
import { localLogins, loginDb } from '../usage/logins/login-db.ts'
import { answerLogins } from '../usage/logins/login-store.ts'
import { answerUsage, usageDb } from '../usage/store/usage-db.ts'
import type { FileStoreData } from './open-stores.ts'
import { answerCalls } from './rpc.ts'

// The thread of `openFileStore`. Only this thread waits for the disk and for other processes' locks.
const { path, writer } = workerData as FileStoreData
const db = stateDb(path, writer)

const engine = sqliteCutover(db, writer)
const cutover = answerCutover(engine)
const shared = sqliteEngine(db)
const usage = answerUsage(usageDb(shared))
const logins = answerLogins(loginDb(localLogins(shared)))

const close = async (): Promise<void> => {
  // If this fails, the lease expires by itself.
  await engine.release().catch(() => undefined)
  db.close()
}

answerCalls({ ...db, cutover, usage, logins, close })
