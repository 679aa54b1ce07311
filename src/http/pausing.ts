import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_PAUSE_MS } from './reading-peer.ts'
import { noteWait } from './waited.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** What waited in the system's buffers has been read this long after reading began again, also by a busy process. */
const WAITING_IS_READ_MS = 1_000

/**
 * Leaves a connection unread, and reads it again. While it is not read, nobody sees that its client has hung up. That arrives after the
 * requests, so those that may have waited unread wait for another turn of the event loop: what the client no longer waits for must not be
 * carried out.
 */
export class Pausing {
  readonly #socket: Socket
  /** How long the connection was not read before the next calls; ms. 0: they have not waited. */
  #pausedMs = 0
  /** When reading began again; `performance.now()`. */
  #readAgainAt = 0
  /** How many calls that may have waited have not begun yet. */
  #waiting = 0
  /** How long the connection may be idle after a pause; ms. Undefined: what Node has set goes on. */
  #keepAliveMs: number | undefined

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Reads no more until `readAgain`. The keep-alive time stands still if it could end before: a call may have arrived unread. */
  stopReading(): void {
    const { timeout = 0 } = this.#socket
    this.#keepAliveMs = timeout > MAX_PAUSE_MS * 2 ? undefined : timeout
    if (this.#keepAliveMs !== undefined) this.#socket.setTimeout(0)
    this.#socket.pause()
  }

  /** Reads again after a pause. */
  readAgain(pausedMs: number): void {
    this.#pausedMs = Math.max(pausedMs, 1)
    this.#readAgainAt = performance.now()
    if (this.#keepAliveMs !== undefined) this.#socket.setTimeout(this.#keepAliveMs)
    this.#socket.resume()
  }

  /** Whether a call that arrives now may have waited unread. */
  mayHaveWaited(): boolean {
    if (this.#pausedMs === 0) return false
    // What arrives later has not waited unread; but calls begin in their order.
    if (this.#waiting === 0 && performance.now() - this.#readAgainAt > WAITING_IS_READ_MS) this.#pausedMs = 0
    return this.#pausedMs > 0
  }

  /** Calls the handler for such a call after two turns of the event loop, if the client has not hung up. */
  deliverLater(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    noteWait(request, this.#pausedMs)
    this.#waiting++
    const begin = (): void => {
      if (--this.#waiting === 0) this.#pausedMs = 0
      // Node ends the connection when the client has.
      if (this.#socket.writable) handler(request, response)
    }
    setImmediate(() => setImmediate(begin))
  }
}
