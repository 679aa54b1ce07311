import type { CutoverStore } from '../cutover-store.ts'
import type { NewEntry } from '../event.ts'

/** Ends of all brownouts that were ordered at this process and wait to be stored. */
export interface OwnEnds {
  add(entry: NewEntry): void
  isEmpty(): boolean
  /** Stores them in order, each with the time when it was ordered. Rejects with a StateError; the rest waits for the next time. */
  store(store: Pick<CutoverStore, 'endBrownouts'>): Promise<void>
}

/** @param monotonic returns ms. */
export function ownEnds(monotonic: () => number): OwnEnds {
  const waiting: { readonly entry: NewEntry; readonly orderedAt: number }[] = []
  return {
    add: (entry) => void waiting.push({ entry, orderedAt: monotonic() }),
    isEmpty: () => waiting.length === 0,
    async store(store) {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        await store.endBrownouts(next.entry, monotonic() - next.orderedAt)
        waiting.shift()
      }
    },
  }
}
