import type { Socket } from 'node:net'
import type { Waiter } from '../queue/line.ts'
import type { Connection } from './connection.ts'
import type { Peer } from './reading-peer.ts'

const TURN = Symbol('turn')
type Turned = Socket & { [TURN]?: Turn }

/** A connection's part in its peer's turns in being read: what its calls note, and its place in the line, which only `Peer` and the line write. */
export class Turn implements Waiter<undefined> {
  readonly connection: Connection
  readonly peer: Peer
  /** Whether it is in line, unread. */
  isPaused = false
  /** Whether it is about to call, because it has just been read again. */
  isExpected = false
  since = 0
  older: Waiter<undefined> | undefined = undefined
  newer: Waiter<undefined> | undefined = undefined

  constructor(connection: Connection, peer: Peer) {
    this.connection = connection
    this.peer = peer
    ;(connection.socket as Turned)[TURN] = this
  }

  /** Returns the turn of the connection that a call came over. Undefined: it was turned away. */
  static of(socket: Socket): Turn | undefined {
    return (socket as Turned)[TURN]
  }

  /** Notes who calls over the connection. `isProxy`: the request says that it came through a proxy. */
  calledBy(client: string | undefined, isProxy: boolean): void {
    this.peer.calledBy(client, isProxy)
  }

  /** Notes that a call of the connection has a slot of a service. */
  asks(): void {
    this.peer.asks(this)
  }

  /** Notes that a call of the connection begins to wait, for a service or for its turn. Returns the function that notes that it no longer does; call it once. */
  waits(): () => void {
    const since = this.peer.waits(this)
    return () => this.peer.waitsNoMore(since)
  }

  get isOverloaded(): boolean {
    return this.peer.isOverloaded
  }

  /** When the connection was closed; `performance.now()`. Undefined: it is open. */
  get closedAt(): number | undefined {
    return this.connection.closedAt
  }

  /** Reads the connection again. */
  begin(): void {
    this.isPaused = false
    this.connection.readAgain(performance.now() - this.since)
  }

  turnAway(): void {
    this.begin()
  }
}
