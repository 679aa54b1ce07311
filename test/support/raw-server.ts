import { type AddressInfo, createServer, type Socket } from 'node:net'
import { closeAtEnd } from './clean-up.ts'

/** A peer that may break every rule of HTTP. */
export interface RawServer {
  readonly url: string
  /** The heads of the requests that arrived whole, in order. */
  readonly requests: readonly string[]
  /** The number of connections so far. */
  readonly connections: () => number
}

/** Writes any answer; `number` counts requests from 1. */
export type RawAnswer = (socket: Socket, number: number) => void

/** Listens on loopback until the file's tests have run; each whole request is answered by `answer`. */
export async function startRawServer(answer: RawAnswer): Promise<RawServer> {
  const requests: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let received = ''
    // A connection that its peer closes is part of the test.
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (headEnd < 4 || received.length < headEnd + length) return
      requests.push(received.slice(0, headEnd))
      received = received.slice(headEnd + length)
      answer(socket, requests.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, connections: () => sockets.length }
}

/** A port of loopback that nothing listens on. */
export async function deadUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** A whole answer as sent on the wire. */
export function http(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers })
  const head = [`HTTP/1.1 ${status} Whatever`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}
