import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { closeGently, stopParsing } from './close-connection.ts'
import type { ConnectionLine } from './connection-lists.ts'
import type { Connections } from './connections.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** The maximum number of calls under way on one connection. */
const MAX_UNDER_WAY = 16

const CONNECTION = Symbol('connection')
type SocketOfConnection = Socket & { [CONNECTION]?: Connection }

/**
 * A client's connection. At most 16 of its calls are under way at a time. Node emits all pipelined requests of a read at
 * once, so further ones are held back, and reading pauses until the last of them has begun. A client that pipelines thus
 * takes no more time than 16 clients, and no more memory than one read (64 KB of requests).
 */
export class Connection {
  readonly socket: Socket
  /** When it was opened, or its last answer ended; `performance.now()`. */
  idleSince = performance.now()
  /** When it was closed; `performance.now()`. Undefined: it is open. */
  closedAt: number | undefined
  /** Removes it from the collection of all connections; undefined: it is not in there. */
  remove: (() => void) | undefined
  /** The line that it is in, and its neighbours there; set by the line. */
  line: ConnectionLine | undefined
  before: Connection | undefined
  after: Connection | undefined
  readonly #owner: Connections
  readonly #held: {
    readonly request: IncomingMessage
    readonly response: ServerResponse
    readonly handler: Handler
  }[] = []
  #underWay = 0
  #newest: ServerResponse | undefined
  #bytesWhenIdle: number
  #isWatched = false
  /** The answer to what is no request; empty: none. Undefined: all that arrived could be read. */
  #refusal: string | undefined

  constructor(socket: Socket, owner: Connections) {
    this.socket = socket
    this.#owner = owner
    // Agreeing on TLS is no request.
    this.#bytesWhenIdle = socket.bytesRead
    ;(socket as SocketOfConnection)[CONNECTION] = this
  }

  /** Returns the connection of a socket; undefined: it was turned away, or belongs to another server. */
  static of(socket: Socket): Connection | undefined {
    return (socket as SocketOfConnection)[CONNECTION]
  }

  /** Whether bytes of a request have arrived since the last answer. */
  get isReceiving(): boolean {
    return this.socket.bytesRead > this.#bytesWhenIdle
  }

  /** Calls the handler, now or once enough earlier calls have ended. */
  take(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    if (this.#owner.closesAfterAnswer) this.#closeAfter(response)
    this.#newest = response
    if (this.#underWay >= MAX_UNDER_WAY) {
      this.#hold(request, response, handler)
      return
    }
    this.#begin(response)
    handler(request, response)
  }

  /** Sends "Connection: close" in the last answer under way, unless its head has been sent. */
  closeAfterNewest(): void {
    if (this.#newest !== undefined) this.#newest.shouldKeepAlive = false
  }

  /** Whether bytes have arrived that are no request. */
  get isBroken(): boolean {
    return this.#refusal !== undefined
  }

  /**
   * Reads no more, because what arrived is no request, and nothing that follows may be taken for one. Answers the calls under way in full,
   * then closes the connection.
   * @param refuse returns the answer to what arrived. It is not sent (`isAnswered` is false) after calls whose requests are complete: the
   *   last of their answers says that the connection is closed.
   */
  breakOff(refuse: (isAnswered: boolean) => string): void {
    const isAnswered = this.#isCut || this.#unanswered === 0
    const refusal = refuse(isAnswered)
    this.#refusal = isAnswered ? refusal : ''
    if (!isAnswered) this.closeAfterNewest()
    stopParsing(this.socket)
    this.#pause()
    closeGently(this.socket)
    this.#closeIfAnswered()
  }

  /** Drops the calls that are held back, because the client is gone. */
  dropHeld(): void {
    this.#held.length = 0
  }

  /** Sends "close" in the last answer only: no answer may follow it (RFC 9112 section 9.6). */
  #closeAfter(response: ServerResponse): void {
    if (this.#newest !== undefined && !this.#newest.headersSent) this.#newest.shouldKeepAlive = true
    response.shouldKeepAlive = false
  }

  #begin(response: ServerResponse): void {
    if (this.#underWay === 0) this.#owner.onBusy(this)
    this.#underWay++
    // Emitted once; `once` would create two more functions per call.
    response.on('close', this.#end)
  }

  readonly #end = (): void => {
    this.#underWay--
    // No answer can follow: the client is gone, or the connection was announced to close.
    if (!this.socket.writable) {
      this.dropHeld()
      return
    }
    const next = this.#held.shift()
    if (next !== undefined) {
      this.#begin(next.response)
      next.handler(next.request, next.response)
      // The last call may still need the rest of its body.
      if (this.#held.length === 0) this.socket.resume()
    } else if (this.isBroken) this.#closeIfAnswered()
    else if (this.#underWay === 0) {
      this.#newest = undefined
      this.#bytesWhenIdle = this.socket.bytesRead
      this.idleSince = performance.now()
      this.#owner.onIdle(this)
    }
  }

  #hold(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    this.#held.push({ request, response, handler })
    this.#pause()
  }

  #pause(): void {
    this.socket.pause()
    if (this.#isWatched) return
    this.#isWatched = true
    // Reading a request's body resumes the socket.
    this.socket.on('resume', () => {
      if (this.#held.length > 0 || (this.isBroken && this.socket.writable)) this.socket.pause()
    })
  }

  get #unanswered(): number {
    return this.#underWay + this.#held.length
  }

  /** Whether the newest request itself has not arrived whole, and nothing has answered it. */
  get #isCut(): boolean {
    return this.#newest !== undefined && !this.#newest.req.complete && !this.#newest.headersSent
  }

  /** Closes the connection once only a call is left whose request will never be whole. */
  #closeIfAnswered(): void {
    const isCut = this.#isCut
    if (this.#unanswered > (isCut ? 1 : 0)) return
    if (this.#refusal !== '' && (isCut || this.#newest === undefined)) this.socket.write(this.#refusal ?? '')
    this.socket.destroySoon()
  }
}
