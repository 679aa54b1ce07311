import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type RawAnswer, rawAnswer, turnAway, type Unreadable, unreadableOf } from './close-connection.ts'
import { Connection, type Handler } from './connection.ts'
import { Bag, ConnectionLine } from './connection-lists.ts'

export interface ConnectionOptions {
  /** How many connections are served at a time. */
  readonly limit: number
  /** How many more may wait, unread. */
  readonly maxWaiting: number
  /** How many refused clients at a time get a moment to read the refusal. */
  readonly maxLeaving: number
  /** The JSON body of the answer to clients that are turned away. */
  readonly refusal: string
  /** Called when the limit is reached, and when there is room again. */
  readonly onFull?: ((isFull: boolean, counts: ConnectionCounts) => void) | undefined
}

export interface ConnectionCounts {
  /** Connections being served. */
  readonly open: number
  readonly limit: number
  readonly waiting: number
  /** Totals so far: idle connections closed to make room, and new ones turned away for lack of room. */
  readonly closedIdle: number
  readonly turnedAway: number
  /** The number of connections closed so far because what arrived could not be read as a request. */
  readonly unreadable: number
}

/** A new connection that is not read before there is room for it. */
interface Waiting {
  readonly socket: Socket
  readonly timeout: NodeJS.Timeout
  /** Takes calls that had arrived together with the end of TLS's handshake, before reading could pause. */
  readonly early: (() => void)[]
}

/** Makes the answer to what cannot be read as a request. */
export type RefuseUnreadable = (sent: Unreadable) => RawAnswer

/** How long a new connection waits for room. */
const MAX_WAIT_MS = 5_000
/** How long a connection must be idle before it may be closed for a new one. A client that calls more often keeps its own. */
const IDLE_MS = 500
/** How long a connection without any call must be silent before it may be closed for another one. */
const FRESH_MS = 500
/** How often to look for idle connections while others wait. */
const LOOK_MS = 50
/** The port counts as full until its connections fall to this share of the limit. */
const ROOMY = 0.9

/**
 * The connections of one port. At the limit, the connection that has been idle longest is closed for a new one. If none is
 * idle, the new one waits, unread, until there is room. If too many wait, or one waits too long, it is turned away with a
 * 503. (Node accepts every connection: none can be left in the system's own queue.)
 */
export class Connections {
  readonly #options: ConnectionOptions
  readonly #refuseUnreadable: RefuseUnreadable
  readonly #all = new Bag<Connection>()
  /** Idle: all calls so far are answered. Fresh: no call so far. A connection with a call under way is in no line. */
  readonly #idle = new ConnectionLine()
  readonly #fresh = new ConnectionLine()
  readonly #waiting: Waiting[] = []
  #leaving = 0
  #closedIdle = 0
  #turnedAway = 0
  #unreadable = 0
  #isFull = false
  #lookTimer: NodeJS.Timeout | undefined
  #accepted = 0
  closesAfterAnswer = false
  #lastLeftAt = Number.NEGATIVE_INFINITY

  constructor(options: ConnectionOptions, refuseUnreadable: RefuseUnreadable = () => ({ headers: {}, body: '' })) {
    this.#options = options
    this.#refuseUnreadable = refuseUnreadable
  }

  get counts(): ConnectionCounts {
    return {
      open: this.#all.size,
      limit: this.#options.limit,
      waiting: this.#waiting.length,
      closedIdle: this.#closedIdle,
      turnedAway: this.#turnedAway,
      unreadable: this.#unreadable,
    }
  }

  /** The number of connections accepted so far. */
  get accepted(): number {
    return this.#accepted
  }

  /** Milliseconds since the last connection closed; 0 while there are any. */
  get unusedMs(): number {
    return this.#all.size + this.#waiting.length > 0 ? 0 : performance.now() - this.#lastLeftAt
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#all[Symbol.iterator]()
  }

  /** Takes a new connection. Node's server has set it up; nothing has been read from it. */
  accept(socket: Socket): void {
    this.#accepted++
    if (this.#hasRoom()) this.#admit(socket)
    else if (this.#waiting.length < this.#options.maxWaiting) this.#leaveUnread(socket)
    else this.#turnAway(socket)
  }

  /** Passes a call to its connection. */
  take(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    const { socket } = request
    const connection = Connection.of(socket)
    if (connection !== undefined) connection.take(request, response, handler)
    // A connection that was turned away is neither.
    else
      this.#waiting
        .find((waiting) => waiting.socket === socket)
        ?.early.push(() => this.take(request, response, handler))
  }

  /** Handles an error of Node's HTTP server: what a client sent is no request, or has not arrived in time. */
  breakOff(error: NodeJS.ErrnoException, socket: Socket): void {
    // It is closed already, or is being closed.
    if (!socket.writable) return
    // The client hung up within a request: as after a whole one.
    if (error.code === 'HPE_INVALID_EOF_STATE') return void socket.end()
    const connection = Connection.of(socket)
    if (connection === undefined) socket.destroy()
    // A silent connection is closed like an idle one: an answer that nobody asked for could pass for that to the next request.
    else if (!connection.isReceiving) socket.destroySoon()
    else if (!connection.isBroken) {
      this.#unreadable++
      connection.breakOff((isAnswered) => {
        const sent = unreadableOf(error, socket, isAnswered)
        return rawAnswer(sent.status, this.#refuseUnreadable(sent))
      })
    }
  }

  /** Whether a new connection beside so many others that are yet to be accepted would be served, wait, or get an answer. */
  hasPlaceBeside(coming: number): boolean {
    const { limit, maxWaiting, maxLeaving } = this.#options
    return this.#all.size + this.#waiting.length + this.#leaving + coming < limit + maxWaiting + maxLeaving
  }

  /** Closes a new connection for which there is no place, without an answer. */
  drop(socket: Socket): void {
    this.#turnedAway++
    socket.destroy()
  }

  /** Notes what a client sent in place of TLS. Nothing can be answered. */
  refuseUnencrypted(error: NodeJS.ErrnoException, socket: Socket): void {
    this.#unreadable++
    this.#refuseUnreadable(unreadableOf(error, socket, false))
  }

  /** From now on closes each connection after its last answer, unless the head of that answer has been sent. */
  closeAfterAnswers(): void {
    this.closesAfterAnswer = true
    for (const connection of this.#all) connection.closeAfterNewest()
  }

  /** Closes idle connections, and fresh ones that have been silent for a while. */
  closeIdle(): void {
    for (let idle = this.#longestIdle(0); idle !== undefined; idle = this.#longestIdle(0)) this.#close(idle)
  }

  /** A call begins on an idle connection. */
  onBusy(connection: Connection): void {
    connection.line?.delete(connection)
  }

  /** The last call under way has been answered. */
  onIdle(connection: Connection): void {
    this.#idle.add(connection)
  }

  #hasRoom(): boolean {
    if (this.#all.size < this.#options.limit) return true
    this.#reportFull(true)
    const idle = this.#longestIdle(IDLE_MS)
    if (idle === undefined) return false
    this.#closedIdle++
    this.#close(idle)
    return true
  }

  /** Returns the connection that has been idle for longest, if for so long; otherwise a fresh one that has been silent for half a second. */
  #longestIdle(milliseconds: number): Connection | undefined {
    return this.#idle.longestSilent(milliseconds) ?? this.#fresh.longestSilent(FRESH_MS)
  }

  #admit(socket: Socket): void {
    const connection = new Connection(socket, this)
    connection.remove = this.#all.add(connection)
    this.#fresh.add(connection)
    socket.once('close', () => {
      connection.closedAt = performance.now()
      connection.dropHeld()
      this.#leave(connection)
      this.#admitWaiting()
    })
  }

  #leaveUnread(socket: Socket): void {
    // Node resumes reading at the end of this tick, even if the socket was paused before.
    process.nextTick(() => socket.pause())
    const timeout = setTimeout(() => {
      // All wait equally long, so it is the first.
      this.#waiting.shift()
      this.#turnAway(socket)
    }, MAX_WAIT_MS)
    this.#waiting.push({ socket, timeout, early: [] })
    this.#lookLater()
  }

  #admitWaiting(): void {
    while (this.#waiting.length > 0 && this.#hasRoom()) {
      const { socket, timeout, early } = this.#waiting.shift() as Waiting
      clearTimeout(timeout)
      if (socket.destroyed) continue
      socket.resume()
      this.#admit(socket)
      for (const take of early) take()
    }
    this.#lookLater()
  }

  #lookLater(): void {
    if (this.#lookTimer !== undefined || this.#waiting.length === 0) return
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined
      this.#admitWaiting()
    }, LOOK_MS)
  }

  /** Removes a connection at once; its `close` event comes later. */
  #leave(connection: Connection): void {
    connection.line?.delete(connection)
    if (connection.remove === undefined) return
    connection.remove()
    connection.remove = undefined
    this.#lastLeftAt = performance.now()
    if (this.#all.size <= this.#options.limit * ROOMY) this.#reportFull(false)
  }

  #close(connection: Connection): void {
    this.#leave(connection)
    connection.socket.destroy()
  }

  #turnAway(socket: Socket): void {
    this.#turnedAway++
    const hasTime = this.#leaving < this.#options.maxLeaving
    if (hasTime) this.#leaving++
    turnAway(socket, this.#options.refusal, hasTime, () => {
      if (hasTime) this.#leaving--
    })
  }

  #reportFull(isFull: boolean): void {
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#options.onFull?.(isFull, this.counts)
  }
}
