/** A call that waits for a thing. */
export interface Waiter<Thing> {
  /** Called when the waiter gets the thing. */
  readonly begin: (thing: Thing) => void
  /** Called when the waiter will not get it. Must remove the waiter from the line. */
  readonly turnAway: () => void
}

/** A waiter and its place in the line. */
export interface Place<Thing> extends Waiter<Thing> {
  readonly since: number
  older: Place<Thing> | undefined
  newer: Place<Thing> | undefined
}

/** The waiting calls of one client. */
export interface Line<Thing> {
  readonly share: string
  /** How many of the client's calls are under way. */
  running: number
  readonly length: number
  /** Turns the oldest waiter away, because too many wait. */
  cut(now: number): void
  /** Adds the newest waiter. `now` is in ms of a monotonic clock. */
  add(now: number, waiter: Waiter<Thing>): Place<Thing>
  /**
   * Removes and returns the next waiter. The line must not be empty. The oldest comes first while no wait is long and
   * none was cut lately. Otherwise the service is overloaded, and first in, first out would answer every call equally
   * late. Then the newest comes first: most calls that are answered are answered soon, and the oldest, whose callers
   * may have given up already, wait in vain.
   */
  next(now: number): Waiter<Thing>
  /** Removes a waiter. */
  remove(place: Place<Thing>): void
}

/** A longer wait counts as long; ms. A line that empties within this time is served in order. */
const LONG_MS = 1_000

export function newLine<Thing>(share: string, running: number): Line<Thing> {
  let length = 0
  let oldest: Place<Thing> | undefined
  let newest: Place<Thing> | undefined
  let cutAt = Number.NEGATIVE_INFINITY

  function remove(place: Place<Thing>): void {
    const { older, newer } = place
    if (older === undefined) oldest = newer
    else older.newer = newer
    if (newer === undefined) newest = older
    else newer.older = older
    // For the garbage collector: an old place that is still referenced must not keep all later ones alive.
    place.older = undefined
    place.newer = undefined
    length--
  }

  return {
    share,
    running,
    get length() {
      return length
    },
    cut(now) {
      cutAt = now
      oldest?.turnAway()
    },
    add(now, { begin, turnAway }) {
      const place: Place<Thing> = { begin, turnAway, since: now, older: newest, newer: undefined }
      if (newest === undefined) oldest = place
      else newest.newer = place
      newest = place
      length++
      return place
    },
    next(now) {
      if (oldest === undefined || newest === undefined) throw new Error('the line is empty')
      const isLong = now - oldest.since > LONG_MS || now - cutAt < LONG_MS
      const place = isLong ? newest : oldest
      remove(place)
      return place
    },
    remove,
  }
}
