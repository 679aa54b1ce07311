import { within } from '../common/promises.ts'
import { StateError } from '../state/state-error.ts'

/** How long results are shared. */
const FRESH_MS = 1_000
/** The most different results shared at once: they may be large. */
const MOST_SHARED = 8
/** How long a reader waits for the store. */
const PATIENCE_MS = 3_000

/**
 * Returns a function that reads and shares results: reads with the same key share one read under way, and its result for a second after it ends. A
 * caller's wait rejects with a StateError after three seconds, but the read goes on, and others can join it.
 */
export function sharedReads(): <T extends object>(key: string, read: () => Promise<T>) => Promise<T> {
  const shared = new Map<string, Promise<unknown>>()
  return <T extends object>(key: string, read: () => Promise<T>) => {
    const existing = shared.get(key) as Promise<T> | undefined
    if (existing !== undefined) return inTime(existing)
    const reading = read()
    if (shared.size < MOST_SHARED) {
      shared.set(key, reading)
      const forget = (): void => void setTimeout(() => shared.delete(key), FRESH_MS).unref()
      reading.then(forget, forget)
    }
    return inTime(reading)
  }
}

async function inTime<T extends object>(reading: Promise<T>): Promise<T> {
  const result = await within(PATIENCE_MS, reading)
  if (result === undefined) throw new StateError('the state does not answer', true)
  return result
}
