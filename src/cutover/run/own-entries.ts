import type { Logger } from 'pino'
import type { CutoverStore, Decision } from '../cutover-store.ts'
import type { NewEntry } from '../event.ts'
import { type RolloutChange, rolloutChanges } from './rollout-changes.ts'

/** Audit entries that wait to be stored. */
export interface OwnEntries {
  add(entry: NewEntry, message?: Decision['message']): void
  /** Adds a change of the rollout file. By the time it is stored, another process may have added it. */
  addChange(change: RolloutChange): void
  isEmpty(): boolean
  /** Stores them in order. Rejects with a StateError; the rest waits for the next time. */
  store(store: Pick<CutoverStore, 'audit' | 'decide'>): Promise<void>
}

/** The most entries that wait while the store is unavailable. */
const MOST = 1_000

export function ownEntries(log: Pick<Logger, 'warn'>): OwnEntries {
  const waiting: (Decision | RolloutChange)[] = []
  const storeChange = rolloutChanges()
  const add = (one: Decision | RolloutChange): void => {
    if (waiting.length < MOST) return void waiting.push(one)
    const { event, operation } = 'entry' in one ? one.entry : one
    log.warn({ event, operation }, 'the audit lacks an entry: too many wait')
  }
  return {
    add: (entry, message) => add({ entry, message }),
    addChange: add,
    isEmpty: () => waiting.length === 0,
    async store(store) {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        await ('entry' in next ? store.decide(next) : storeChange(store, next))
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
