import { type Line, newLine } from '../queue/line.ts'
import type { Turn } from './turn.ts'

/** A connection is not left unread for longer; ms. */
export const MAX_PAUSE_MS = 5_000

/** The connections from one address. Only `ReadingTurns` uses it. */
export class Peer {
  readonly address: string
  connections = 0
  readonly #limit: number
  readonly #line: Line<undefined> = newLine<undefined>('', 0, () => undefined)
  /** How many connections have a call under way, or are expected to call. */
  #busy = 0
  /** Those that are expected to call, because they have just been read again, in order; and some that have called since. */
  #expected: Turn[] = []
  #client: string | undefined
  #isShared = false

  constructor(address: string, limit: number) {
    this.address = address
    this.#limit = limit
  }

  /** Whether any connection is not read, or is expected to call. */
  get isCrowded(): boolean {
    return this.#line.length > 0 || this.#expected.length > 0
  }

  /** Whether a connection whose calls are answered must let others come first. */
  get isFull(): boolean {
    return !this.#isShared && (this.#line.length > 0 || this.#busy >= this.#limit)
  }

  /** Notes who calls. Once two clients have called, or a proxy has, all connections are always read. */
  calledBy(client: string | undefined, isProxy: boolean): void {
    if (this.#isShared) return
    this.#isShared = isProxy || (client !== undefined && this.#client !== undefined && client !== this.#client)
    this.#client ??= client
    if (this.#isShared) this.readAll()
  }

  /** A call begins on the connection. */
  enter(turn: Turn): void {
    if (!turn.isExpected) this.#busy++
    turn.isExpected = false
    turn.isBusy = true
  }

  /** The connection has no call under way any more. */
  leave(turn: Turn): void {
    if (turn.isBusy || turn.isExpected) this.#busy--
    turn.isBusy = false
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
    this.leave(turn)
    if (turn.isPaused) this.#line.remove(turn)
    turn.isPaused = false
  }

  /** Reads the next connections in line, if there is room for their calls. */
  readNext(): void {
    if (this.#line.length === 0) return
    const now = performance.now()
    while (this.#busy < this.#limit && this.#line.length > 0) {
      const turn = this.#line.next(now) as Turn
      turn.begin()
      this.#busy++
      turn.isExpected = true
      turn.readSince = now
      this.#expected.push(turn)
    }
  }

  readAll(): void {
    while (this.#line.length > 0) this.#line.next(0).begin(undefined)
  }

  /** Reads those that have been left unread for too long. Expects no more of those that have not called for so many ms. */
  look(now: number, expectedMs: number): void {
    for (
      let { oldest } = this.#line;
      oldest !== undefined && now - oldest.since >= MAX_PAUSE_MS;
      { oldest } = this.#line
    ) {
      this.#line.remove(oldest)
      oldest.begin(undefined)
    }
    const expected = this.#expected
    this.#expected = []
    for (const turn of expected) {
      if (!turn.isExpected) continue
      if (now - turn.readSince < expectedMs) this.#expected.push(turn)
      else this.leave(turn)
    }
    this.readNext()
  }
}
