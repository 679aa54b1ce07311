/** A call that waits for a thing, and its place in the line. Only the line writes the place. */
export interface Waiter<Thing> {
  /** Called when the waiter gets the thing. */
  begin(thing: Thing): void
  /** Called when the waiter will not get it. Must remove the waiter from the line. */
  turnAway(): void
  since: number
  /** Whether more calls of its address wait, read or unread, than begin within a second. */
  readonly isOverloaded: boolean
  older: Waiter<Thing> | undefined
  newer: Waiter<Thing> | undefined
}

/** The waiting calls of one client. */
export interface Line<Thing> {
  readonly share: string
  /** How many of the client's calls are under way. */
  running: number
  readonly length: number
  readonly oldest: Waiter<Thing> | undefined
  /** How many lately began within a second, in this line. */
  readonly perSecond: number
  /** Turns the oldest waiter away, because too many wait. */
  cut(now: number): void
  /** Adds the newest waiter. `now` is in ms of a monotonic clock. */
  add(now: number, waiter: Waiter<Thing>): void
  /**
   * Removes and returns the next waiter. The line must not be empty. The oldest comes first, unless one was cut lately; or the
   * oldest has waited for more than a second, and more wait than begin within a second, in this line or of all calls of its
   * address. Then the client is overloaded, and first in, first out would answer every call equally late. So the newest comes first: most
   * calls that are answered are answered soon, and the oldest, whose callers may have given up already, wait in vain.
   * Except if the others, which have not waited for long, are few: then the oldest of these comes first. The newest would come before
   * them again and again, so that some of them become old too.
   */
  next(now: number): Waiter<Thing>
  /** Removes a waiter. */
  remove(waiter: Waiter<Thing>): void
}

/** A longer wait counts as long; ms. What empties within this time is served in order, however long its oldest waited. */
const LONG_MS = 1_000
/** Those that have not waited for long are few if all of them can begin within this time; ms. */
const SOON_MS = 80

/** @param onRemoved called when a waiter has been removed, in any way. */
export function newLine<Thing>(share: string, running: number, onRemoved: (line: Line<Thing>) => void): Line<Thing> {
  let length = 0
  let oldest: Waiter<Thing> | undefined
  let newest: Waiter<Thing> | undefined
  /** The oldest that has not waited for long when last looked at, and how many have. */
  let fresh: Waiter<Thing> | undefined
  let stale = 0
  let cutAt = Number.NEGATIVE_INFINITY
  /** How many have begun since then, and how many began in the same time before. */
  let countedFrom = Number.NEGATIVE_INFINITY
  let begun = 0
  let begunBefore = 0

  function remove(waiter: Waiter<Thing>): void {
    const { older, newer } = waiter
    if (waiter === fresh) fresh = newer
    else if (fresh === undefined || waiter.since < fresh.since) stale--
    if (older === undefined) oldest = newer
    else older.newer = newer
    if (newer === undefined) newest = older
    else newer.older = older
    // For the garbage collector: an old waiter that is still referenced must not keep all later ones alive.
    waiter.older = undefined
    waiter.newer = undefined
    length--
    onRemoved(line)
  }

  /** Notes which waiters have waited for long by now. Those that came at the same time have done so together. */
  function age(now: number): void {
    while (fresh !== undefined && now - fresh.since > LONG_MS) {
      fresh = fresh.newer
      stale++
    }
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

  /** Chooses the next one of an overloaded client. */
  function ofOverloaded(newest: Waiter<Thing>): Waiter<Thing> {
    const areFew = length - stale <= (line.perSecond * SOON_MS) / 1_000
    return areFew && fresh !== undefined ? fresh : newest
  }

  const line: Line<Thing> = {
    share,
    running,
    get length() {
      return length
    },
    get oldest() {
      return oldest
    },
    get perSecond() {
      return Math.max(begun, begunBefore)
    },
    cut(now) {
      cutAt = now
      oldest?.turnAway()
    },
    add(now, waiter) {
      waiter.since = now
      waiter.older = newest
      if (newest === undefined) oldest = waiter
      else newest.newer = waiter
      newest = waiter
      fresh ??= waiter
      length++
    },
    next(now) {
      if (oldest === undefined || newest === undefined) throw new Error('the line is empty')
      count(now)
      age(now)
      const isOverloaded = now - cutAt < LONG_MS || (stale > 0 && (length > line.perSecond || oldest.isOverloaded))
      const waiter = isOverloaded ? ofOverloaded(newest) : oldest
      remove(waiter)
      return waiter
    },
    remove,
  }
  return line
}
