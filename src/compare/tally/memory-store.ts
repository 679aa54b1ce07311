import { stateDb } from './state-db.ts'
import type { StateStore } from './state-store.ts'

/** Keeps results while the process runs. Memory is neither locked nor slow, so no thread is needed. */
export function memoryStore(): StateStore {
  const db = stateDb(':memory:', 'this')
  return {
    name: 'memory',
    isShared: false,
    open: async (now) => db.open(now),
    read: async (after) => db.read(after),
    keep: async (what) => db.keep(what),
    resets: async () => db.resets(),
    forgetBefore: async (day) => db.forgetBefore(day),
    close: async () => db.close(),
  }
}
