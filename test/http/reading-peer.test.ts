import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Connection } from '../../src/http/connection.ts'
import { LOOK_MS, MAX_PAUSE_MS, Peer } from '../../src/http/reading-peer.ts'
import { Turn } from '../../src/http/turn.ts'

function turnOf(peer: Peer): Turn {
  const connection = { socket: {} as Socket, stopReading: () => undefined, readAgain: () => undefined }
  return new Turn(connection as unknown as Connection, peer)
}

/** A peer that has no room for calls, with so many connections that are not read. Returns a function that looks at it after so many ms, and says how many connections are read then. */
function peerWith(unread: number): { peer: Peer; readAfter: (milliseconds: number) => number } {
  const peer = new Peer('192.0.2.1', { limit: 0, periodMs: 1_000 })
  for (let number = 0; number < unread; number++) peer.pause(turnOf(peer))
  const pausedAt = performance.now()
  const readAfter = (milliseconds: number): number => {
    const before = peer.unread
    peer.look(pausedAt + milliseconds)
    return before - peer.unread
  }
  return { peer, readAfter }
}

test('connections that become late together are read a few at a time', () => {
  const { readAfter } = peerWith(100)
  expect(readAfter(MAX_PAUSE_MS - 1_000)).toBe(0)
  expect(readAfter(MAX_PAUSE_MS)).toBe(4)
  // Also where a look comes late.
  expect(readAfter(MAX_PAUSE_MS + 1_000)).toBe(4)
})

test('none is late for more than four seconds, however many there are', () => {
  const { peer, readAfter } = peerWith(3_000)
  let looks = 0
  while (peer.unread > 0) readAfter(MAX_PAUSE_MS + LOOK_MS * looks++)
  expect(LOOK_MS * looks).toBeLessThanOrEqual(4_000)
})

test('once two clients have called, those in line are read 16 at a time', () => {
  const { peer, readAfter } = peerWith(100)
  peer.calledBy('one', false)
  expect(readAfter(0)).toBe(0)
  peer.calledBy('two', false)
  expect(readAfter(LOOK_MS)).toBe(16)
})

test('connections that have just been read again count like calls that wait, until they call', () => {
  const peer = new Peer('192.0.2.1', { limit: 2, periodMs: 1_000 })
  const waiting = [peer.waits(turnOf(peer)), peer.waits(turnOf(peer))]
  const unread = [turnOf(peer), turnOf(peer)]
  for (const turn of unread) peer.pause(turn)
  for (const since of waiting) peer.waitsNoMore(since)
  expect(peer).toMatchObject({ unread: 0, waiting: 0, isFull: true })
  peer.asks(unread[0] as Turn)
  expect(peer.isFull).toBe(false)
})
