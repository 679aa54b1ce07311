import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { closeAtEnd } from './clean-up.ts'

/** A requested tunnel. */
export interface Tunnel {
  /** Host and port of its other end. */
  readonly authority: string
  readonly headers: IncomingHttpHeaders
}

export interface ConnectProxy {
  readonly url: string
  readonly asked: readonly Tunnel[]
}

/** Opens a tunnel. Tests replace it by other things that a proxy may do. */
export function openTunnelTo(authority: string, socket: Socket): void {
  const { hostname, port } = new URL(`http://${authority}`)
  const other = connect(Number(port), hostname, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(other).pipe(socket)
  })
  other.on('error', () => socket.destroy())
  socket.on('close', () => other.destroy())
}

/**
 * A proxy that accepts only CONNECT, on loopback, until the file's tests have run. With `tls` it is reached over TLS.
 */
export async function startConnectProxy(
  answer: (authority: string, socket: Socket) => void = openTunnelTo,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<ConnectProxy> {
  const asked: Tunnel[] = []
  const sockets = new Set<Socket>()
  const server: Server = tls === undefined ? createServer() : createSecureServer(tls)
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push({ authority: url, headers })
    sockets.add(socket.on('error', () => undefined))
    answer(url, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, asked }
}
