import type { Socket } from 'node:net'

interface Waiting {
  readonly socket: Socket
  readonly impatience: NodeJS.Timeout
}

/** Connections that have been accepted, and of which nothing is read before there is room for them. */
export class WaitingRoom {
  readonly #seats: number
  readonly #patienceMs: number
  readonly #onImpatient: (socket: Socket) => void
  readonly #waiting: Waiting[] = []

  /** @param onImpatient gets who has waited for `patienceMs`. */
  constructor(seats: number, patienceMs: number, onImpatient: (socket: Socket) => void) {
    this.#seats = seats
    this.#patienceMs = patienceMs
    this.#onImpatient = onImpatient
  }

  get size(): number {
    return this.#waiting.length
  }

  /** Whether there is a seat for a connection that has just come. */
  enter(socket: Socket): boolean {
    if (this.#waiting.length >= this.#seats) return false
    // Node goes on reading at the end of this tick, whoever has paused it before.
    process.nextTick(() => socket.pause())
    const impatience = setTimeout(() => {
      // All wait equally long: it is the first.
      this.#waiting.shift()
      this.#onImpatient(socket)
    }, this.#patienceMs)
    this.#waiting.push({ socket, impatience })
    return true
  }

  /** Who has waited longest, and is read again; undefined: it was hung up on meanwhile. */
  leave(): Socket | undefined {
    const next = this.#waiting.shift()
    if (next === undefined) return undefined
    clearTimeout(next.impatience)
    if (next.socket.destroyed) return undefined
    next.socket.resume()
    return next.socket
  }
}
