import type { Connection } from './connection.ts'
import { LOOK_MS, Peer, type TurnLimits } from './reading-peer.ts'
import { Turn } from './turn.ts'

/**
 * Lets the connections of a peer take turns in being read while as many of its calls as `limit` have lately begun to wait, or are about to. Then its
 * connections are not read once their calls are answered. Their next calls wait in the system's buffers, where they take no memory and no time of this
 * process. Without it, thousands of waiting calls keep the garbage collector busy, which delays everyone else
 * (docs/decisions/0097).
 *
 * A peer takes part only as long as all its calls come from one client: a proxy must not make its clients wait for each other.
 */
export class ReadingTurns {
  readonly #limits: TurnLimits
  readonly #peers = new Map<string, Peer>()
  /** The peers with connections that are not read, or are expected to call. */
  readonly #crowded = new Set<Peer>()
  #timer: NodeJS.Timeout | undefined
  #isReleased = false

  /** @param limits of each peer. */
  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** How many connections are not read now. */
  get unread(): number {
    let sum = 0
    for (const peer of this.#crowded) sum += peer.unread
    return sum
  }

  /** A new connection, which is read. */
  add(connection: Connection): void {
    const address = connection.socket.remoteAddress ?? ''
    let peer = this.#peers.get(address)
    if (peer === undefined) {
      peer = new Peer(address, this.#limits)
      this.#peers.set(address, peer)
    }
    peer.connections++
    connection.turn = new Turn(connection, peer)
  }

  /** The connection has no call under way any more. Returns whether its owner is told when it is read again: others come first, so it is paused. */
  onIdle({ turn }: Connection): boolean {
    if (turn === undefined) return false
    const { peer } = turn
    peer.expectNoMore(turn)
    if (this.#isReleased || !peer.isFull) return false
    peer.pause(turn)
    this.#crowded.add(peer)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
    peer.readNext()
    return true
  }

  /** The connection has no call under way, and is about to be closed. */
  onEnded({ turn }: Connection): void {
    turn?.peer.expectNoMore(turn)
    turn?.peer.readNext()
  }

  /** The connection is closed. */
  remove({ turn }: Connection): void {
    if (turn === undefined) return
    const { peer } = turn
    peer.forget(turn)
    if (--peer.connections === 0) this.#peers.delete(peer.address)
    else peer.readNext()
  }

  /** Reads all connections from now on. */
  release(): void {
    this.#isReleased = true
    for (const peer of this.#crowded) peer.readAll()
    this.#look()
  }

  #look(): void {
    const now = performance.now()
    for (const peer of this.#crowded) {
      peer.look(now)
      if (!peer.isCrowded) this.#crowded.delete(peer)
    }
    if (this.#crowded.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
