import type { Logger } from 'pino'
import type { CutoverStore, Decision } from '../cutover-store.ts'
import type { NewEntry } from '../event.ts'

/** Audit entries that wait to be stored. */
export interface OwnEntries {
  add(entry: NewEntry, message?: Decision['message']): void
  isEmpty(): boolean
  /** Stores them in order. Rejects with a StateError; the rest waits for the next time. */
  store(store: Pick<CutoverStore, 'decide'>): Promise<void>
}

/** The most entries that wait while the store is unavailable. */
const MOST = 1_000

export function ownEntries(log: Pick<Logger, 'warn'>): OwnEntries {
  const waiting: Decision[] = []
  return {
    add(entry, message) {
      if (waiting.length < MOST) waiting.push({ entry, message })
      else log.warn({ event: entry.event, operation: entry.operation }, 'the audit lacks an entry: too many wait')
    },
    isEmpty: () => waiting.length === 0,
    async store(store) {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        await store.decide(next)
        waiting.shift()
      }
    },
  }
}

/** Returns the webhook message for an entry. */
export const messageOf = ({ id, event, operation, from, to, why }: NewEntry): NonNullable<Decision['message']> => ({
  ...{ id, event, operation, from, to, why },
  text: `${operation}: ${event}, from ${from} to ${to}: ${why}`,
})
