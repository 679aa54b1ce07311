import { workerData } from 'node:worker_threads'
import { answerAsked } from '../../state/answer-asked.ts'
import type { LostData } from './file-store.ts'
import { stateDb } from './state-db.ts'
import { StateLost } from './state-store.ts'

// The thread of `fileStore`: only it waits for the disk and for locks of other processes.
const { path, writer } = workerData as { readonly path: string; readonly writer: string }

answerAsked(stateDb(path, writer), (error): LostData | undefined =>
  error instanceof StateLost ? { isEmpty: error.isEmpty } : undefined,
)
