import { workerData } from 'node:worker_threads'
import { stateDb } from '../compare/tally/state-db.ts'
import { StateLost } from '../compare/tally/state-store.ts'
import { answerCutover } from '../cutover/store/ask-cutover.ts'
import { sqliteCutover } from '../cutover/store/sqlite-cutover.ts'
import { answerAsked } from '../state/answer-asked.ts'
import { sqliteEngine } from '../state/sql.ts'
import { localLogins, loginDb } from '../usage/logins/login-db.ts'
import { answerLogins } from '../usage/logins/login-store.ts'
import { answerUsage, usageDb } from '../usage/store/usage-db.ts'
import type { LostData } from './open-file-store.ts'

// The thread of `openFileStore`. Only this thread waits for the disk and for other processes' locks.
const { path, writer } = workerData as { readonly path: string; readonly writer: string }
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

answerAsked({ ...db, cutover, usage, logins, close }, (error): LostData | undefined =>
  error instanceof StateLost ? { isEmpty: error.isEmpty } : undefined,
)
