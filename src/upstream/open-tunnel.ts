import type { LookupFunction, Socket } from 'node:net'
import { Client } from 'undici'
import type { TunnelProxy } from './proxy.ts'
import { toUpstreamError, UpstreamError } from './upstream-error.ts'

/**
 * Asks a proxy for a tunnel (RFC 9110 section 9.3.6), on a connection of its own.
 * @param authority host and port of whoever is at its other end.
 * @throws UpstreamError, `unreachable` when the proxy is down or refuses. It has no code: the client library would take one of
 * a broken connection for a reason to try again, without end.
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
    throw new UpstreamError('unreachable', `it answers ${statusCode} to CONNECT`)
  } catch (error) {
    client.destroy().catch(() => undefined)
    const { kind, message } = toUpstreamError(error)
    const ours = kind === 'timeout' ? kind : 'unreachable'
    throw new UpstreamError(ours, `the proxy at ${origin}: ${message}`, { cause: error })
  }
}
