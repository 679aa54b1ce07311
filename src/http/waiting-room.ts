import type { Socket } from 'node:net'

interface Waiting {
  readonly socket: Socket
  readonly timeout: NodeJS.Timeout
}

/** Queue of accepted connections that are not read before there is room for them. */
export class WaitingRoom {
  readonly #seats: number
  readonly #maxWaitMs: number
  readonly #onTimeout: (socket: Socket) => void
  readonly #waiting: Waiting[] = []

  /** @param onTimeout called with a connection that has waited for `maxWaitMs`. */
  constructor(seats: number, maxWaitMs: number, onTimeout: (socket: Socket) => void) {
    this.#seats = seats
    this.#maxWaitMs = maxWaitMs
    this.#onTimeout = onTimeout
  }

  get size(): number {
    return this.#waiting.length
  }

  /** Takes a new connection; returns false if all seats are taken. */
  enter(socket: Socket): boolean {
    if (this.#waiting.length >= this.#seats) return false
    // Node resumes reading at the end of this tick, even if the socket was paused before.
    process.nextTick(() => socket.pause())
    const timeout = setTimeout(() => {
      // All wait equally long, so it is the first.
      this.#waiting.shift()
      this.#onTimeout(socket)
    }, this.#maxWaitMs)
    this.#waiting.push({ socket, timeout })
    return true
  }

  /** Removes the connection that has waited longest and resumes reading it; undefined: it was closed meanwhile. */
  leave(): Socket | undefined {
    const next = this.#waiting.shift()
    if (next === undefined) return undefined
    clearTimeout(next.timeout)
    if (next.socket.destroyed) return undefined
    next.socket.resume()
    return next.socket
  }
}
