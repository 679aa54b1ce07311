import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { noteWait } from './waited.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Also where many connections are read late, by a busy process. */
const LONGEST_PAUSE_MS = 30_000

/**
 * Leaves a connection unread, and reads it again. While it is not read, nobody sees that its client has hung up. That arrives after the
 * requests, so those that may have waited unread wait for another turn of the event loop: what the client no longer waits for must not be
 * carried out.
 */
export class Pausing {
  readonly #socket: Socket
  /** How long the connection was not read before the next calls; ms. 0: they have not waited. */
  #pausedMs = 0
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
    this.#keepAliveMs = timeout > LONGEST_PAUSE_MS ? undefined : timeout
    if (this.#keepAliveMs !== undefined) this.#socket.setTimeout(0)
    this.#socket.pause()
  }

  /** Reads again after a pause. */
  readAgain(pausedMs: number): void {
    this.#pausedMs = Math.max(pausedMs, 1)
    afterReading(this.#waitingIsRead)
    if (this.#keepAliveMs !== undefined) this.#socket.setTimeout(this.#keepAliveMs)
    this.#socket.resume()
  }

  /** Whether a call that arrives now may have waited unread. */
  get mayHaveWaited(): boolean {
    return this.#pausedMs > 0
  }

  /** Calls the handler for such a call later, if the client has not hung up. */
  deliverLater(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    noteWait(request, this.#pausedMs)
    this.#waiting++
    afterReading(() => {
      this.#waiting--
      this.#waitingIsRead()
      // Node ends the connection when the client has.
      if (this.#socket.writable) handler(request, response)
    })
  }

  /** What arrives from now on has not waited. But calls begin in their order. */
  readonly #waitingIsRead = (): void => {
    if (this.#waiting === 0) this.#pausedMs = 0
  }
}

/** Calls back once all that waits in the system's buffers has been read: each turn of the event loop reads before its immediates, but the current turn may have read already. */
function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(callback))
}
