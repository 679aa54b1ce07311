import type { Logger } from 'pino'
import { stateDb } from '../compare/tally/state-db.ts'
import { answerCutover } from '../cutover/store/ask-cutover.ts'
import { cutoverStore } from '../cutover/store/cutover-store-over.ts'
import { sqliteCutover } from '../cutover/store/sqlite-cutover.ts'
import { sqliteEngine } from '../state/sql.ts'
import { memoryUsageDb } from '../usage/store/memory-db.ts'
import { answerUsage } from '../usage/store/usage-db.ts'
import { usageStore } from '../usage/store/usage-store-over.ts'
import type { Stores } from './open-file-store.ts'

/** Keeps decisions, the cut-over and usage while the process runs. Memory is neither locked nor slow, so no thread is needed. */
export function openMemoryStore(log: Pick<Logger, 'warn'>): Stores {
  const db = stateDb(':memory:', 'this')
  const store = {
    name: 'memory',
    isShared: false,
    holdsCounts: false,
    open: async (now: Date) => db.open(now),
    read: async (after: Parameters<typeof db.read>[0]) => db.read(after),
    keep: async (what: Parameters<typeof db.keep>[0]) => db.keep(what),
    resets: async () => db.resets(),
    forgetBefore: async (day: string) => db.forgetBefore(day),
    close: async () => db.close(),
  }
  const cutover = cutoverStore({
    ...{ isShared: false, log, process: { replica: 'this', incarnation: 'this' } },
    ask: answerCutover(sqliteCutover(db, 'this')),
  })
  const usage = usageStore({ process: 'this', ask: answerUsage(memoryUsageDb(db, sqliteEngine(db))), log })
  return { store, cutover, usage, logins: undefined }
}
