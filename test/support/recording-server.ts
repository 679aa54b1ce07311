import { type AddressInfo, createServer, type Socket } from 'node:net'
import { closeAtEnd } from './clean-up.ts'
import { type HttpMessage, messagesIn } from './http-message.ts'
import { http } from './raw-server.ts'

/** What has arrived at a service. */
export interface Arrived {
  /** The address of the service. */
  readonly url: string
  /** The complete requests of all connections. */
  readonly requests: readonly HttpMessage[]
  /** All other bytes: incomplete requests, or anything else. */
  readonly rest: string
}

/** A peer that answers every request, and records every byte. */
export interface RecordingServer {
  readonly url: string
  /** Returns what has arrived since this was asked last. */
  take(): Arrived
}

/** Listens on loopback until the file's tests have run; each whole request is answered 200 with a body. */
export async function startRecordingServer(
  bodyOf: (request: HttpMessage) => string = () => '{}',
): Promise<RecordingServer> {
  const received: { text: string; answered: number }[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    const connection = { text: '', answered: 0 }
    received.push(connection)
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      connection.text += chunk.toString('latin1')
      for (const request of messagesIn(connection.text).messages.slice(connection.answered)) {
        connection.answered++
        socket.write(http(200, bodyOf(request), { 'content-type': 'application/json' }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    take() {
      const all = received.map(({ text }) => messagesIn(text))
      for (const connection of received) Object.assign(connection, { text: '', answered: 0 })
      return { url, requests: all.flatMap(({ messages }) => messages), rest: all.map(({ rest }) => rest).join('') }
    },
  }
}
