import { type Line, newLine } from '../queue/line.ts'
import { RecentWaits } from './recent-waits.ts'
import type { Turn } from './turn.ts'

/** How often a peer with connections in line is looked at; ms. */
export const LOOK_MS = 10
/** A connection is late when it has been left unread for this long; ms. */
export const MAX_PAUSE_MS = 5_000
/**
 * How many late connections are read at a look. Most become late together and call again together, and the fewer are read at a time, the less
 * their refusals delay others. If a look comes late, it reads no more than any other: that would make the next ones late too.
 */
const LATE_PER_LOOK = 4
/** If those in line would take more looks than this (four seconds), more are read at a time. */
const MAX_LOOKS = 400
/** How many are read at a look once they are no longer all of one client: others wait behind them. */
const SHARED_PER_LOOK = 16

export interface TurnLimits {
  /** How many calls of a peer may wait before its connections take turns. `Infinity`: all connections are always read. */
  readonly limit: number
  /** How long a waiting call counts; ms. At most twice as long. */
  readonly periodMs: number
}

/** The connections from one address. Only `ReadingTurns` and `Turn` use it. */
export class Peer {
  readonly address: string
  connections = 0
  /** How many of its calls wait, for however long. */
  waiting = 0
  readonly #limit: number
  readonly #line: Line<undefined> = newLine<undefined>('', 0, () => undefined)
  /** Calls that have waited for longer do not count: if many do, the service is overloaded, and newer ones come first (`line.ts`). */
  readonly #waits: RecentWaits
  /** How many connections are about to call, because they have just been read again. */
  #expected = 0
  /** These, read since the last look and before; and some that have called since. */
  #readAgain: Turn[] = []
  #readBefore: Turn[] = []
  /** How many late ones are read at a look. It falls only when none is late, so that no wait becomes longer. */
  #perLook = LATE_PER_LOOK
  #client: string | undefined
  #isShared = false

  constructor(address: string, { limit, periodMs }: TurnLimits) {
    this.address = address
    this.#limit = limit
    this.#waits = new RecentWaits(periodMs)
  }

  get unread(): number {
    return this.#line.length
  }

  /** Whether any connection is not read, or is expected to call. */
  get isCrowded(): boolean {
    return this.#line.length + this.#readAgain.length + this.#readBefore.length > 0
  }

  /** Whether a connection whose calls are answered must let others come first. */
  get isFull(): boolean {
    if (this.#isShared) return false
    if (this.#line.length > 0) return true
    // So few do not fill the room, however lately they began to wait.
    if (this.waiting + this.#expected < this.#limit) return false
    return !this.#hasRoom(performance.now())
  }

  /**
   * Whether more calls wait, read or unread, than begin within a second. While connections wait unread, nearly all calls come from the line of these, so
   * its pace is that of all calls, for whichever service. Connections without a call count too, until they are read.
   */
  get isOverloaded(): boolean {
    const { length, perSecond } = this.#line
    return !this.#isShared && length > 0 && length + this.waiting > perSecond
  }

  #hasRoom(now: number): boolean {
    return this.#waits.count(now) + this.#expected < this.#limit
  }

  /** Notes who calls. Once two clients have called, or a proxy has, no connection is left unread any more, and those in line count as late. */
  calledBy(client: string | undefined, isProxy: boolean): void {
    if (this.#isShared) return
    this.#isShared = isProxy || (client !== undefined && this.#client !== undefined && client !== this.#client)
    this.#client ??= client
  }

  /** A call of the connection has a slot. */
  asks(turn: Turn): void {
    if (!turn.isExpected) return
    this.expectNoMore(turn)
    this.readNext()
  }

  /** A call of the connection begins to wait. Returns what `waitsNoMore` must be given. */
  waits(turn: Turn): number {
    this.waiting++
    this.expectNoMore(turn)
    return this.#waits.begin(performance.now())
  }

  /** The call no longer waits. */
  waitsNoMore(since: number): void {
    this.waiting--
    this.#waits.end(since, performance.now())
    this.readNext()
  }

  /** The connection has called and waits or is served, or it does not call. */
  expectNoMore(turn: Turn): void {
    if (turn.isExpected) this.#expected--
    turn.isExpected = false
  }

  /** Leaves the connection unread until it is its turn. */
  pause(turn: Turn): void {
    turn.isPaused = true
    turn.connection.stopReading()
    this.#line.add(performance.now(), turn)
  }

  /** The connection is closed. */
  forget(turn: Turn): void {
    this.expectNoMore(turn)
    if (turn.isPaused) this.#line.remove(turn)
    turn.isPaused = false
  }

  /** Reads the next connections in line, if there is room for their calls. */
  readNext(): void {
    if (this.#line.length === 0) return
    const now = performance.now()
    while (this.#hasRoom(now) && this.#line.length > 0) {
      const turn = this.#line.next(now) as Turn
      turn.begin()
      this.#expected++
      turn.isExpected = true
      this.#readAgain.push(turn)
    }
  }

  readAll(): void {
    while (this.#line.length > 0) this.#line.next(0).begin(undefined)
  }

  /** Reads late connections. Expects no more of those that were read before the last look: what they sent has arrived. `now` is `performance.now()`. */
  look(now: number): void {
    this.#readLate(now)
    for (const turn of this.#readBefore) this.expectNoMore(turn)
    this.#readBefore = this.#readAgain
    this.#readAgain = []
    this.readNext()
  }

  #readLate(now: number): void {
    const isLate = ({ since }: { since: number }): boolean => this.#isShared || now - since >= MAX_PAUSE_MS
    this.#perLook = Math.max(this.#perLook, Math.ceil(this.#line.length / MAX_LOOKS))
    for (let left = Math.max(this.#perLook, this.#isShared ? SHARED_PER_LOOK : 0); left > 0; left--) {
      const { oldest } = this.#line
      if (oldest === undefined || !isLate(oldest)) {
        this.#perLook = LATE_PER_LOOK
        return
      }
      this.#line.remove(oldest)
      oldest.begin(undefined)
    }
  }
}
