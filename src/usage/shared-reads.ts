import { StateError } from '../state/state-error.ts'

/** Results are shared for so long. */
const FRESH_MS = 1_000
/** More different ones are not shared: they may be large. */
const MOST_SHARED = 8
/** How long somebody who looks at results waits for the store. */
const PATIENCE_MS = 3_000

/**
 * Returns what reads: who wants the same as somebody else within the last second gets the same, or waits for the same. A read rejects
 * with a StateError after three seconds; it goes on, and others join it.
 */
export function sharedReads(): <T>(key: string, read: () => Promise<T>) => Promise<T> {
  const shared = new Map<string, Promise<unknown>>()
  return <T>(key: string, read: () => Promise<T>) => {
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

async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StateError('the state does not answer', true)), PATIENCE_MS)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}
