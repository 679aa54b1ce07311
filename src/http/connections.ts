import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Bag } from './bag.ts'
import { Connection, type ConnectionKeeper, type Handler } from './connection.ts'
import { ConnectionLine } from './connection-line.ts'
import { turnAway } from './turn-away.ts'
import { WaitingRoom } from './waiting-room.ts'

export interface ConnectionLimits {
  /** So many are served at a time. */
  readonly limit: number
  /** So many more wait unread. */
  readonly maxWaiting: number
  /** So many are given the time to read that there is no room for them. */
  readonly maxLeaving: number
}

export interface ConnectionOptions extends ConnectionLimits {
  /** What those are told that are turned away; JSON. */
  readonly refusal: string
  /** Told when the limit is reached, and when there is room again. */
  readonly onFull?: ((isFull: boolean, counts: ConnectionCounts) => void) | undefined
}

export interface ConnectionCounts {
  /** Served now. */
  readonly open: number
  readonly limit: number
  readonly waiting: number
  /** So far: idle ones that were closed to make room, and new ones for which there was none. */
  readonly closedIdle: number
  readonly turnedAway: number
}

/** How long a new connection waits for room; ms. */
const MAX_WAIT_MS = 5_000
/** A connection on which nothing has come for so long may be closed for a new one; whoever calls more often keeps his; ms. */
const IDLE_MS = 500
/** How often it is looked for such connections while others wait; ms. */
const LOOK_MS = 50
/** There is room again when no more than this share of the limit is taken. */
const ROOMY = 0.9

const CONNECTION = Symbol('connection')
type Kept = Socket & { [CONNECTION]?: Connection }

/**
 * The connections of one port. Beyond the limit the one that has been idle longest is closed for a new one. Where none is idle
 * the new one waits, unread, until one is or has gone. Where too many wait, or for too long, it is turned away with a 503.
 * (Node accepts whatever comes: nothing can be left in the system's own queue.)
 */
export class Connections implements ConnectionKeeper {
  readonly #options: ConnectionOptions
  readonly #all = new Bag<Connection>()
  /** Those that have been answered and ask nothing now, and those that have asked nothing yet. */
  readonly #idle = new ConnectionLine()
  readonly #fresh = new ConnectionLine()
  readonly #waiting: WaitingRoom
  #leaving = 0
  #closedIdle = 0
  #turnedAway = 0
  #isFull = false
  #looking: NodeJS.Timeout | undefined
  #accepted = 0
  closesBehindAnswers = false
  #lastLeftAt = Number.NEGATIVE_INFINITY

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#waiting = new WaitingRoom(options.maxWaiting, MAX_WAIT_MS, (socket) => this.#turnAway(socket))
  }

  get counts(): ConnectionCounts {
    return {
      open: this.#all.size,
      limit: this.#options.limit,
      waiting: this.#waiting.size,
      closedIdle: this.#closedIdle,
      turnedAway: this.#turnedAway,
    }
  }

  /** How many have come so far. */
  get accepted(): number {
    return this.#accepted
  }

  /** For how long nobody has been connected; ms. */
  get desertedMs(): number {
    return this.#all.size + this.#waiting.size > 0 ? 0 : performance.now() - this.#lastLeftAt
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#all[Symbol.iterator]()
  }

  /** A new connection. Node's server has seen it before, and nothing of it has been read. */
  accept(socket: Socket): void {
    this.#accepted++
    if (this.#hasRoom()) this.#admit(socket)
    else if (this.#waiting.enter(socket)) this.#lookAgain()
    else this.#turnAway(socket)
  }

  /** A call on one of them. */
  take(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    // One that was turned away is no longer in here.
    ;(request.socket as Kept)[CONNECTION]?.take(request, response, handler)
  }

  /** From now on every answer ends its connection, as far as its head is not written. */
  closeBehindAnswers(): void {
    this.closesBehindAnswers = true
    for (const connection of this.#all) connection.closeBehindNewest()
  }

  /** Closes those that are idle, and new ones on which nothing has come for a while. */
  closeIdle(): void {
    const close = (connection: Connection | undefined): boolean => connection !== undefined && this.#close(connection)
    while (close(this.#longest(this.#idle, 0) ?? this.#longest(this.#fresh, IDLE_MS)));
  }

  onBusy(connection: Connection): void {
    connection.line?.delete(connection)
  }

  onIdle(connection: Connection): void {
    this.#idle.add(connection)
  }

  #hasRoom(): boolean {
    if (this.#all.size < this.#options.limit) return true
    this.#tellFull(true)
    return this.#closeLongestIdle()
  }

  #admit(socket: Socket): void {
    const connection = new Connection(socket, this)
    ;(socket as Kept)[CONNECTION] = connection
    connection.takeOut = this.#all.add(connection)
    this.#fresh.add(connection)
    socket.once('close', () => {
      connection.forget()
      this.#leave(connection)
      this.#admitWaiting()
    })
  }

  #admitWaiting(): void {
    while (this.#waiting.size > 0 && this.#hasRoom()) {
      const socket = this.#waiting.leave()
      if (socket !== undefined) this.#admit(socket)
    }
    this.#lookAgain()
  }

  #lookAgain(): void {
    if (this.#looking !== undefined || this.#waiting.size === 0) return
    this.#looking = setTimeout(() => {
      this.#looking = undefined
      this.#admitWaiting()
    }, LOOK_MS)
  }

  /** Takes it out of the books; what is closed is so at once, and tells of it later. */
  #leave(connection: Connection): void {
    connection.line?.delete(connection)
    if (connection.takeOut === undefined) return
    connection.takeOut()
    connection.takeOut = undefined
    this.#lastLeftAt = performance.now()
    if (this.#all.size <= this.#options.limit * ROOMY) this.#tellFull(false)
  }

  #close(connection: Connection): boolean {
    this.#leave(connection)
    connection.socket.destroy()
    return true
  }

  #closeLongestIdle(): boolean {
    const longest = this.#longest(this.#idle, IDLE_MS) ?? this.#longest(this.#fresh, IDLE_MS)
    if (longest === undefined) return false
    this.#closedIdle++
    return this.#close(longest)
  }

  /** The first of a line, if nothing has come on it for so long. */
  #longest(line: ConnectionLine, milliseconds: number): Connection | undefined {
    const since = performance.now() - milliseconds
    for (let first = line.first; first !== undefined && first.idleSince <= since; first = line.first) {
      if (!first.isReceiving) return first
      // It is busy: its request is coming.
      line.delete(first)
    }
    return undefined
  }

  #turnAway(socket: Socket): void {
    this.#turnedAway++
    const hasTime = this.#leaving < this.#options.maxLeaving
    if (hasTime) this.#leaving++
    turnAway(socket, this.#options.refusal, hasTime, () => {
      if (hasTime) this.#leaving--
    })
  }

  #tellFull(isFull: boolean): void {
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#options.onFull?.(isFull, this.counts)
  }
}
