import { askThread } from '../../state/ask-thread.ts'
import { StateError } from '../../state/state-error.ts'
import type { StateDb } from './state-db.ts'
import { StateLost, type StateStore } from './state-store.ts'

/** What the thread says of a StateLost. */
export interface LostData {
  readonly isEmpty: boolean
}

/**
 * Stores results in an SQLite file. A thread of its own writes it, so that neither the disk nor a lock of another process
 * blocks the event loop. If the thread ends, the next call starts another.
 */
export function fileStore(path: string, writer: string): StateStore {
  const { ask, close } = askThread<StateDb>({
    program: new URL('./state-worker.ts', import.meta.url),
    workerData: () => ({ path, writer }),
    name: path,
    errorOf: ({ message, isBusy, data }) =>
      data === undefined ? new StateError(message, isBusy) : new StateLost((data as LostData).isEmpty),
  })
  return {
    name: path,
    isShared: false,
    open: (now) => ask('open', now),
    read: (after) => ask('read', after),
    keep: (what) => ask('keep', what),
    resets: () => ask('resets'),
    forgetBefore: (day) => ask('forgetBefore', day),
    close,
  }
}
