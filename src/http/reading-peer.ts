import { type Line, newLine } from '../queue/line.ts'
import type { Turn } from './turn.ts'

/** A connection is not left unread for longer, or not for much longer if many have to be read then; ms. */
export const MAX_PAUSE_MS = 5_000
/** How many that have been left unread for that long are read at a look. */
const LATE_PER_LOOK = 16
/** If those in line would take more looks than this (four seconds), more are read at a time. */
const MAX_LOOKS = 400
/** How long a connection that is read again may take until it counts as idle, not as about to call; ms. */
const EXPECTED_MS = 50

/** The connections from one address. Only `ReadingTurns` uses it. */
export class Peer {
  readonly address: string
  connections = 0
  readonly #limit: number
  readonly #line: Line<undefined> = newLine<undefined>('', 0, () => undefined)
  /** How many calls wait for a service. */
  #waiting = 0
  /** How many connections are about to call, because they have just been read again. */
  #expected = 0
  /** These in order; and some that have called since. */
  #readAgain: Turn[] = []
  #client: string | undefined
  #isShared = false

  constructor(address: string, limit: number) {
    this.address = address
    this.#limit = limit
  }

  get unread(): number {
    return this.#line.length
  }

  /** Whether any connection is not read, or is expected to call. */
  get isCrowded(): boolean {
    return this.#line.length > 0 || this.#readAgain.length > 0
  }

  /** Whether a connection whose calls are answered must let others come first. */
  get isFull(): boolean {
    return !this.#isShared && (this.#line.length > 0 || !this.#hasRoom)
  }

  get #hasRoom(): boolean {
    return this.#waiting + this.#expected < this.#limit
  }

  /** Notes who calls. Once two clients have called, or a proxy has, all connections are always read. */
  calledBy(client: string | undefined, isProxy: boolean): void {
    if (this.#isShared) return
    this.#isShared = isProxy || (client !== undefined && this.#client !== undefined && client !== this.#client)
    this.#client ??= client
    if (this.#isShared) this.readAll()
  }

  /** Notes that a call of the connection begins to wait for a service, or no longer does. */
  waits(turn: Turn, isWaiting: boolean): void {
    if (isWaiting) {
      turn.waiting++
      this.#waiting++
    } else if (turn.waiting > 0) {
      turn.waiting--
      this.#waiting--
      this.readNext()
    }
  }

  /** The connection has called, or will not. */
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
    this.#waiting -= turn.waiting
    turn.waiting = 0
    if (turn.isPaused) this.#line.remove(turn)
    turn.isPaused = false
  }

  /** Reads the next connections in line, if there is room for their calls. */
  readNext(): void {
    if (this.#line.length === 0) return
    const now = performance.now()
    while (this.#hasRoom && this.#line.length > 0) {
      const turn = this.#line.next(now) as Turn
      turn.begin()
      this.#expected++
      turn.isExpected = true
      turn.readSince = now
      this.#readAgain.push(turn)
    }
  }

  readAll(): void {
    while (this.#line.length > 0) this.#line.next(0).begin(undefined)
  }

  /** Reads those that have been left unread for too long. Expects no more of those that do not call. `now` is `performance.now()`. */
  look(now: number): void {
    let left = Math.max(LATE_PER_LOOK, Math.ceil(this.#line.length / MAX_LOOKS))
    for (
      let { oldest } = this.#line;
      oldest !== undefined && now - oldest.since >= MAX_PAUSE_MS && left > 0;
      { oldest } = this.#line
    ) {
      this.#line.remove(oldest)
      oldest.begin(undefined)
      left--
    }
    const readAgain = this.#readAgain
    this.#readAgain = []
    for (const turn of readAgain) {
      if (!turn.isExpected) continue
      if (now - turn.readSince < EXPECTED_MS) this.#readAgain.push(turn)
      else this.expectNoMore(turn)
    }
    this.readNext()
  }
}
