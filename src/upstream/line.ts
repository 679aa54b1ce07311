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
   * Removes and returns the next waiter. The line must not be empty. The oldest comes first, unless more wait than begin
   * within a second and the oldest has waited for longer than that, or one was cut lately. Then the service is
   * overloaded, and first in, first out would answer every call equally late. So the newest comes first: most calls that
   * are answered are answered soon, and the oldest, whose callers may have given up already, wait in vain.
   */
  next(now: number): Waiter<Thing>
  /** Removes a waiter. */
  remove(place: Place<Thing>): void
}

/** A longer wait counts as long; ms. A line that empties within this time is served in order, however long its oldest waited. */
const LONG_MS = 1_000

export function newLine<Thing>(share: string, running: number): Line<Thing> {
  let length = 0
  let oldest: Place<Thing> | undefined
  let newest: Place<Thing> | undefined
  let cutAt = Number.NEGATIVE_INFINITY
  /** How many have begun since then, and how many began in the same time before. */
  let countedFrom = Number.NEGATIVE_INFINITY
  let begun = 0
  let begunBefore = 0

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

  /** Counts a waiter that begins. */
  function count(now: number): void {
    const elapsed = now - countedFrom
    if (elapsed >= LONG_MS) {
      begunBefore = (begun * LONG_MS) / elapsed
      begun = 0
      countedFrom = now
    }
    begun++
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
      count(now)
      const isLong = length > Math.max(begun, begunBefore) && now - oldest.since > LONG_MS
      const place = isLong || now - cutAt < LONG_MS ? newest : oldest
      remove(place)
      return place
    },
    remove,
  }
}
