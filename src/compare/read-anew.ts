/** The shortest time between two readings of the same list; ms. */
const EVERY_MS = 10_000
/** The most lists whose times are remembered. With more lists, some may be read more often. */
const MOST = 10_000

/** Decides whether a cached list may be read again for a comparison, in addition to the calls. */
export interface AnewPace {
  /** Begins a reading; returns a function that ends it. Undefined: another list is being read, or this one was read recently. */
  begin(list: string): (() => void) | undefined
}

/** Allows one reading at a time, and one per list every ten seconds. `now` returns milliseconds of a monotonic clock. */
export function anewPace(now: () => number): AnewPace {
  const readAt = new Map<string, number>()
  let isReading = false
  return {
    begin(list) {
      const last = readAt.get(list)
      if (isReading || (last !== undefined && now() - last < EVERY_MS)) return undefined
      isReading = true
      if (readAt.size >= MOST) readAt.clear()
      readAt.set(list, now())
      return () => {
        isReading = false
      }
    },
  }
}
