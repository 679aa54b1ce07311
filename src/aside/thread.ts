import { workerData } from 'node:worker_threads'
import { answerTasks } from './answer-tasks.ts'
import { openTasks } from './tasks.ts'

// The thread for large texts.
answerTasks(openTasks((workerData as { readonly key: Uint8Array }).key))
