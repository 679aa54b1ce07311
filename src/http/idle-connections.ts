import type { Connection } from './connection.ts'
import { ConnectionLine } from './connection-line.ts'

/** How long a connection without any call must be silent before it may be closed for another one; ms. */
const FRESH_MS = 500

/** The connections of a port without a call under way. A connection leaves its line by itself, in `line`. */
export class IdleConnections {
  /** Idle: all calls so far are answered. Fresh: no call so far. */
  readonly #idle = new ConnectionLine()
  readonly #fresh = new ConnectionLine()

  /** Adds one that has been accepted. */
  addFresh(connection: Connection): void {
    this.#fresh.add(connection)
  }

  /** Adds one whose calls are all answered. */
  add(connection: Connection): void {
    this.#idle.add(connection)
  }

  /** Returns the connection that has been idle for longest, if for `idleMs`; otherwise a fresh one that has been silent for half a second. */
  longest(idleMs: number): Connection | undefined {
    return firstOf(this.#idle, idleMs) ?? firstOf(this.#fresh, FRESH_MS)
  }
}

/** Returns the first connection of a line if it has been idle for this long. */
function firstOf(line: ConnectionLine, milliseconds: number): Connection | undefined {
  const since = performance.now() - milliseconds
  for (let { first } = line; first !== undefined && first.idleSince <= since; { first } = line) {
    if (!first.isReceiving) return first
    // It is not idle: a request is arriving.
    line.delete(first)
  }
  return undefined
}
