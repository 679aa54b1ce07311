import { stateDb } from './state-db.ts'
import type { StateStore } from './state-store.ts'

/** Keeps results as long as the process runs. Nothing is locked or slow there, so that it needs no thread. */
export function memoryStore(): StateStore {
  const db = stateDb(':memory:', 'this')
  return {
    name: 'memory',
    open: async (now) => db.open(now),
    read: async (after) => db.read(after),
    keep: async (what) => db.keep(what),
    forgetBefore: async (day) => db.forgetBefore(day),
    close: async () => db.close(),
  }
}
