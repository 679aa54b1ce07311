/** Somebody who waits for a thing. */
export interface Waiter<Thing> {
  /** It has come. */
  readonly begin: (thing: Thing) => void
  /** It will not come. Whoever is told leaves the line. */
  readonly turnAway: () => void
}

/** A waiter in its place. */
export interface Place<Thing> extends Waiter<Thing> {
  readonly since: number
  older: Place<Thing> | undefined
  newer: Place<Thing> | undefined
}

/** Those of one client who wait. */
export interface Line<Thing> {
  readonly share: string
  /** How many of the client's calls are under way. */
  running: number
  readonly length: number
  /** There is no room for all: turns the oldest away. */
  cut(now: number): void
  /** Adds the newest; `now` in ms of a clock that only goes forward. */
  add(now: number, waiter: Waiter<Thing>): Place<Thing>
  /**
   * Takes out who comes next; there is one. In order, as long as nobody has waited for long and there was room for all. Otherwise
   * more is asked than can be done, and in order all would be answered equally late: the newest comes first, so that most who are
   * answered are answered soon, and the oldest, who may have given up already, wait in vain.
   */
  next(now: number): Waiter<Thing>
  /** Takes somebody out. */
  remove(place: Place<Thing>): void
}

/** So long is not long; ms. A line that is worked off within this time is worked off in order. */
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
    // For the collector: one that is old and forgotten must not lead to all that came behind it.
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
      if (oldest === undefined || newest === undefined) throw new Error('nobody waits')
      const isLong = now - oldest.since > LONG_MS || now - cutAt < LONG_MS
      const place = isLong ? newest : oldest
      remove(place)
      return place
    },
    remove,
  }
}
