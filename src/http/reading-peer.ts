import { type Line, newLine, type Waiter } from '../queue/line.ts'
import type { Connection } from './connection.ts'

/** A connection is not left unread for longer; ms. */
export const MAX_PAUSE_MS = 5_000

/** A connection that is not read, in the line of its peer. */
class Pause implements Waiter<undefined> {
  since = 0
  older: Waiter<undefined> | undefined = undefined
  newer: Waiter<undefined> | undefined = undefined
  readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  begin(): void {
    this.connection.pause = undefined
    this.connection.readAgain(performance.now() - this.since)
  }

  turnAway(): void {
    this.begin()
  }
}

/** The connections from one address. Only `ReadingTurns` uses it. */
export class Peer {
  readonly address: string
  connections = 0
  readonly #limit: number
  readonly #line: Line<undefined> = newLine<undefined>('', 0, () => undefined)
  /** How many connections have a call under way, or are expected to call. */
  #busy = 0
  /** Those that are expected to call, because they have just been read again, in order; and some that have called since. */
  #expected: Connection[] = []
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
  enter(connection: Connection): void {
    if (!connection.isExpected) this.#busy++
    connection.isExpected = false
    connection.isBusy = true
  }

  /** The connection has no call under way any more. */
  leave(connection: Connection): void {
    if (connection.isBusy || connection.isExpected) this.#busy--
    connection.isBusy = false
    connection.isExpected = false
  }

  pause(connection: Connection): void {
    connection.pause = new Pause(connection)
    connection.stopReading()
    this.#line.add(performance.now(), connection.pause)
  }

  /** The connection is closed. */
  forget(connection: Connection): void {
    this.leave(connection)
    if (connection.pause !== undefined) this.#line.remove(connection.pause)
    connection.pause = undefined
  }

  /** Reads the next connections in line, if there is room for their calls. */
  readNext(): void {
    if (this.#line.length === 0) return
    const now = performance.now()
    while (this.#busy < this.#limit && this.#line.length > 0) {
      const { connection } = this.#line.next(now) as Pause
      ;(connection.pause as Pause).begin()
      this.#busy++
      connection.isExpected = true
      connection.readSince = now
      this.#expected.push(connection)
    }
  }

  readAll(): void {
    while (this.#line.length > 0) (this.#line.next(0) as Pause).begin()
  }

  /** Reads those that have been left unread for too long. Expects no more of those that have not called for so many ms. */
  look(now: number, expectedMs: number): void {
    for (
      let { oldest } = this.#line;
      oldest !== undefined && now - oldest.since >= MAX_PAUSE_MS;
      { oldest } = this.#line
    ) {
      this.#line.remove(oldest)
      ;(oldest as Pause).begin()
    }
    const expected = this.#expected
    this.#expected = []
    for (const connection of expected) {
      if (!connection.isExpected) continue
      if (now - connection.readSince < expectedMs) this.#expected.push(connection)
      else this.leave(connection)
    }
    this.readNext()
  }
}
