import type { Waiter } from '../queue/line.ts'
import type { Connection } from './connection.ts'
import type { Peer } from './reading-peer.ts'

/** What a connection's turns in being read need to know of it, and its place in the line of its peer. Only `Peer` and the line write it. */
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
  }

  get elsewhere(): number {
    return this.peer.waiting
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
