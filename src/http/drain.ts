import { setImmediate, setTimeout as wait } from 'node:timers/promises'

/** Where nobody has been for so long, nobody is expected; ms. */
const DESERTED_MS = 1_000
const LOOK_MS = 20
/** A turn of the event loop that takes no longer has done nothing; ms. */
const QUIET_TURN_MS = 0.2

/** What is known of the connections of a port that is about to be closed. */
interface Seen {
  /** How many have come so far. */
  readonly accepted: number
  /** For how long nobody has been connected; ms. */
  readonly desertedMs: number
}

/** Waits so long, or until nobody is connected and nobody was in the last second. */
export async function drain(connections: Seen, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end && connections.desertedMs < DESERTED_MS) await wait(LOOK_MS)
}

/**
 * Waits for a turn of the event loop that brings nothing, so long at most. To close a port resets the connections that the
 * system has made and nobody has accepted: right behind such a turn there is hardly one.
 */
export async function quietTurn(connections: Seen, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  for (let isQuiet = false; !isQuiet && performance.now() < end; ) {
    const { accepted } = connections
    const began = performance.now()
    await setImmediate()
    isQuiet = connections.accepted === accepted && performance.now() - began < QUIET_TURN_MS
  }
}
