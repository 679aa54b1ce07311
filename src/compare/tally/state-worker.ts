import { parentPort, workerData } from 'node:worker_threads'
import { StateError } from '../../state/state-error.ts'
import type { Answered, Asked } from './file-store.ts'
import { stateDb } from './state-db.ts'
import { StateLost } from './state-store.ts'

// The thread of `fileStore`: only it waits for the disk and for locks of other processes.
const { path, writer } = workerData as { readonly path: string; readonly writer: string }
const db = stateDb(path, writer)

parentPort?.on('message', ({ id, call, args }: Asked) => {
  parentPort?.postMessage({ id, ...answer(call, args) } satisfies Answered)
  if (call === 'close') parentPort?.close()
})

function answer(call: Asked['call'], args: readonly unknown[]): Omit<Answered, 'id'> {
  try {
    return { value: (db[call] as (...args: readonly unknown[]) => unknown)(...args) }
  } catch (error) {
    if (error instanceof StateLost) return { lost: { isEmpty: error.isEmpty } }
    const message = error instanceof Error ? error.message : String(error)
    return { error: { message, isBusy: error instanceof StateError && error.isBusy } }
  }
}
