import { setImmediate, setTimeout as wait } from 'node:timers/promises'

/** After this long without a connection, no client is expected. */
const UNUSED_MS = 1_000
const LOOK_MS = 20
/** A turn of the event loop that takes no longer than this has done nothing. */
const QUIET_TURN_MS = 0.2

/** The connections of a port that is about to be closed. */
interface ClosingConnections {
  /** The number of connections accepted so far. */
  readonly accepted: number
  /** Milliseconds since the last connection closed; 0 while there are any. */
  readonly unusedMs: number
}

/** Waits for `milliseconds`, or until there has been no connection for a second. */
export async function drain(connections: ClosingConnections, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end && connections.unusedMs < UNUSED_MS) await wait(LOOK_MS)
}

/**
 * Waits, for at most `milliseconds`, until a turn of the event loop does nothing. Closing a port resets the connections that
 * the system has established and Node has not accepted yet. Right after such a turn there is hardly any.
 */
export async function quietTurn(connections: ClosingConnections, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  for (let isQuiet = false; !isQuiet && performance.now() < end; ) {
    const { accepted } = connections
    const began = performance.now()
    await setImmediate()
    isQuiet = connections.accepted === accepted && performance.now() - began < QUIET_TURN_MS
  }
}
