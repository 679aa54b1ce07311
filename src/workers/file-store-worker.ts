import { workerData } from 'node:worker_threads'
import { sqliteEngine } from '../state/sqlite-engine.ts'
import { IN_MEMORY, ON_DISK } from '../usage/store/usage-db.ts'
import { answerParts, type FileStoreData } from './open-stores.ts'
import { answerCalls, tell } from './rpc.ts'
import { IMPORTS, storeFunctions } from './store-functions.ts'

// The thread of `openFileStore`. Only this thread waits for the disk and for other processes' locks.
const { path, process } = workerData as FileStoreData
const engine = sqliteEngine({ path, holder: process, imports: IMPORTS })
const bounds = path === ':memory:' ? IN_MEMORY : ON_DISK
// Nobody else is told, but a file that is gone is noticed.
const functions = storeFunctions({ engine, process, tell, bounds, beat: engine.open })

answerCalls(answerParts(functions, engine.close))
