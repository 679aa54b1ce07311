import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLine } from './connection-line.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Who keeps a connection, and is told what becomes of it. */
export interface ConnectionKeeper {
  /** Whether an answer that is the last one so far ends its connection. */
  readonly closesBehindAnswers: boolean
  onBusy(connection: Connection): void
  onIdle(connection: Connection): void
}

/** Calls of one connection that are under way at a time. */
const MAX_UNDER_WAY = 16

/**
 * One client's connection. It has 16 calls under way at most: Node hands over all requests of a read at once, so those beyond
 * that are held back, and nothing more is read until the last of them has begun. A client that asks without waiting for
 * answers thus keeps no more of others' time than 16 clients, and no more memory than one read (64 KB of requests).
 */
export class Connection {
  readonly socket: Socket
  /** When it came, or was answered last; `performance.now()`. */
  idleSince = performance.now()
  /** Takes it off the list of all; undefined: it is not there. */
  takeOut: (() => void) | undefined
  /** Where it waits, and its neighbours there; kept by the line. */
  line: ConnectionLine | undefined
  before: Connection | undefined
  after: Connection | undefined
  readonly #keeper: ConnectionKeeper
  readonly #held: {
    readonly request: IncomingMessage
    readonly response: ServerResponse
    readonly handler: Handler
  }[] = []
  #underWay = 0
  #newest: ServerResponse | undefined
  #bytesWhenIdle = 0
  #isWatched = false

  constructor(socket: Socket, keeper: ConnectionKeeper) {
    this.socket = socket
    this.#keeper = keeper
  }

  /** Whether something has come since the last answer: the beginning of a request. */
  get isReceiving(): boolean {
    return this.socket.bytesRead > this.#bytesWhenIdle
  }

  /** Calls the handler, now or when its turn has come. */
  take(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    if (this.#keeper.closesBehindAnswers) this.#closeBehind(response)
    this.#newest = response
    if (this.#underWay >= MAX_UNDER_WAY) {
      this.#hold(request, response, handler)
      return
    }
    this.#begin(response)
    handler(request, response)
  }

  /** Says "Connection: close" in the last answer under way, if it has not begun. */
  closeBehindNewest(): void {
    if (this.#newest !== undefined) this.#newest.shouldKeepAlive = false
  }

  /** The client is gone: what is held back never begins. */
  forget(): void {
    this.#held.length = 0
  }

  /** RFC 9112 section 9.6: "close" is said in the last answer alone, since none follows it. */
  #closeBehind(response: ServerResponse): void {
    if (this.#newest !== undefined && !this.#newest.headersSent) this.#newest.shouldKeepAlive = true
    response.shouldKeepAlive = false
  }

  #begin(response: ServerResponse): void {
    if (this.#underWay === 0) this.#keeper.onBusy(this)
    this.#underWay++
    // Told once only: `once` would make two functions more of it, for every call.
    response.on('close', this.#end)
  }

  readonly #end = (): void => {
    this.#underWay--
    // Nothing is answered any more: the client is gone, or was told that the connection ends.
    if (!this.socket.writable) {
      this.forget()
      return
    }
    const next = this.#held.shift()
    if (next !== undefined) {
      this.#begin(next.response)
      next.handler(next.request, next.response)
      // The body of the last one may not have come whole.
      if (this.#held.length === 0) this.socket.resume()
    } else if (this.#underWay === 0) {
      this.#newest = undefined
      this.#bytesWhenIdle = this.socket.bytesRead
      this.idleSince = performance.now()
      this.#keeper.onIdle(this)
    }
  }

  #hold(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    this.#held.push({ request, response, handler })
    this.socket.pause()
    if (this.#isWatched) return
    this.#isWatched = true
    // Whoever reads a request's body goes on reading the connection.
    this.socket.on('resume', () => {
      if (this.#held.length > 0) this.socket.pause()
    })
  }
}
