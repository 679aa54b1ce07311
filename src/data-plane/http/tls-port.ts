import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Connections } from './connections.ts'

/** A certificate with its intermediate certificates, and its key, both in PEM. */
export interface KeyPair {
  readonly cert: string | undefined
  readonly key: string | undefined
}

/** What turns the connections of a port into TLS connections. */
export interface TlsPort {
  /** Takes a connection as the system has accepted it. */
  take(raw: Socket): void
  /** Closes connections that have not come to an agreement on TLS within half a second. */
  closeSilent(): void
}

/** How long a client may take to agree on TLS. Then the time of a request's head begins. */
const HANDSHAKE_MS = 15_000
/** How long a connection may be silent when the port is closed, or others need its place. */
const SILENT_MS = 500

/** The client hung up, or has sent nothing: no request was lost. */
const NOTHING_SENT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_TLS_HANDSHAKE_TIMEOUT'])

/**
 * Speaks TLS 1.2 or newer on the connections of a port, and passes them on to an HTTP server, for HTTP/1.1. They count as connections once
 * TLS is agreed on; before, they take the places that are left. If none is, the longest silent one is closed for a new one, or else the new one.
 * @param pair returns the current certificate and key. Called for each connection; they are used anew when they change.
 */
export function openTls(server: Server, connections: Connections, pair: () => KeyPair): TlsPort {
  let current = pair()
  /** Connections that have not agreed on TLS, by the address at their other end. */
  const agreeing = new Map<string, { readonly raw: Socket; readonly since: number }>()
  const tls = createServer(
    { ...current, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'], handshakeTimeout: HANDSHAKE_MS },
    (socket) => {
      agreeing.delete(otherEnd(socket))
      server.emit('connection', socket)
    },
  )
  tls.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    if (!NOTHING_SENT.has(error.code ?? '')) connections.refuseUnencrypted(error, socket)
    socket.destroy()
  })
  /** Closes the connection that has not agreed for longest, if it has been silent for a while. */
  const makeRoom = (): boolean => {
    const [oldest] = agreeing
    if (oldest === undefined || performance.now() - oldest[1].since < SILENT_MS) return false
    agreeing.delete(oldest[0])
    oldest[1].raw.destroy()
    return true
  }
  return {
    take(raw) {
      if (!connections.hasPlaceBeside(agreeing.size) && !makeRoom()) return connections.drop(raw)
      const now = pair()
      if (now !== current) {
        current = now
        tls.setSecureContext({ ...now, minVersion: 'TLSv1.2' })
      }
      const end = otherEnd(raw)
      agreeing.set(end, { raw, since: performance.now() })
      raw.once('close', () => {
        if (agreeing.get(end)?.raw === raw) agreeing.delete(end)
      })
      tls.emit('connection', raw)
    },
    closeSilent() {
      for (const { raw, since } of agreeing.values()) if (performance.now() - since > SILENT_MS) raw.destroy()
    },
  }
}

const otherEnd = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
