/** A list is read anew no more often than this; ms. */
const EVERY_MS = 10_000
/** So many lists are known; of more, some may be read more often. */
const MOST = 10_000

/** Decides whether a kept list may be read anew for a comparison, beside the calls. */
export interface AnewPace {
  /** Begins a reading; returns what ends it. Undefined: another list is being read, or this one was a moment ago. */
  begin(list: string): (() => void) | undefined
}

/** Lets one list be read at a time, and each at most every ten seconds. `now` is in ms of a clock that only goes forward. */
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
