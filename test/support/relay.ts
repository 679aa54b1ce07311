import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { closeAtEnd } from './clean-up.ts'

/** A TCP relay in front of a server of loopback, which can lose all packets as a broken network does. */
export interface Relay {
  readonly port: number
  /** Forwards nothing any more, in either direction, and still accepts connections. */
  stall(): void
  /** Forwards what clients say, and no answer. */
  mute(): void
  /** Forwards again what comes over new connections. Those that stalled stay as they are. */
  resume(): void
  /** How many connections there have been, and how many are open. */
  readonly accepted: number
  readonly open: number
  /** How often the client has spoken after the server did: round trips. */
  readonly turns: number
}

/** Starts it until the file's tests have run. Without `to` it accepts and never answers. */
export async function startRelay(to?: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  /** Those that lost packets. */
  const stalled = new WeakSet<Socket>()
  let isMute = false
  let [isStalled, accepted, open, turns] = [to === undefined, 0, 0, 0]
  const server = createServer((client) => {
    accepted++
    open++
    const ends = isStalled ? [client] : [client, connect(to ?? 0, '127.0.0.1')]
    let last: Socket | undefined
    for (const socket of ends) {
      sockets.add(socket)
      if (isStalled) stalled.add(socket)
      const other = ends.find((end) => end !== socket)
      socket.on('data', (chunk) => {
        if (stalled.has(socket) || (isMute && socket !== client)) return
        if (socket === client && last !== client) turns++
        last = socket
        other?.write(chunk)
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (socket === client) open--
        if (!stalled.has(socket)) other?.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAtEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => {
      isStalled = true
      for (const socket of sockets) stalled.add(socket)
    },
    mute: () => {
      isMute = true
    },
    resume: () => {
      isStalled = false
      isMute = false
    },
    get accepted() {
      return accepted
    },
    get open() {
      return open
    },
    get turns() {
      return turns
    },
  }
}
