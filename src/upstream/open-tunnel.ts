import type { LookupFunction, Socket } from 'node:net'
import { Client } from 'undici'
import type { TunnelProxy } from './proxy.ts'
import { toUpstreamError, UpstreamError } from './upstream-error.ts'

/**
 * Opens a tunnel through a proxy (RFC 9110 section 9.3.6) on a new connection.
 * @param authority host and port of the other end.
 * @throws UpstreamError `unreachable` if the proxy is down or refuses. The error has no code: with the code of a broken
 * connection, the client library would retry forever.
 */
export async function openTunnel(
  { origin, authorization }: TunnelProxy,
  authority: string,
  timeoutMs: number,
  lookup?: LookupFunction,
): Promise<Socket> {
  const client = new Client(origin, {
    allowH2: false,
    connect: { timeout: timeoutMs, ...(lookup !== undefined && { lookup }) },
    headersTimeout: timeoutMs,
  })
  try {
    const headers = { host: authority, ...(authorization !== undefined && { 'proxy-authorization': authorization }) }
    const { statusCode, socket } = await client.connect({ path: authority, headers })
    if (statusCode >= 200 && statusCode < 300) return socket as Socket
    socket.on('error', () => undefined).destroy()
    throw new UpstreamError('unreachable', `it answered CONNECT with ${statusCode}`)
  } catch (error) {
    client.destroy().catch(() => undefined)
    const { kind, message } = toUpstreamError(error)
    const reportedKind = kind === 'timeout' ? kind : 'unreachable'
    throw new UpstreamError(reportedKind, `the proxy at ${origin}: ${message}`, { cause: error })
  }
}
