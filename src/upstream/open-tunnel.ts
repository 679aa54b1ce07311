import type { LookupFunction, Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import type { TunnelProxy } from './proxy.ts'
import { raceAddresses } from './race-addresses.ts'
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
    connect: raceAddresses(buildConnector({ allowH2: false, timeout: timeoutMs }), lookup),
    headersTimeout: timeoutMs,
  })
  try {
    const headers = { host: authority, ...(authorization !== undefined && { 'proxy-authorization': authorization }) }
    const { statusCode, socket } = await client.connect({ path: authority, headers })
    if (statusCode >= 200 && statusCode < 300) return socket as Socket
    socket.on('error', () => undefined).destroy()
    const why = REFUSALS[statusCode] ?? `it refused the tunnel with ${statusCode}`
    throw new UpstreamError('unreachable', `${why} (it answered CONNECT with ${statusCode})`, { why })
  } catch (error) {
    client.destroy().catch(() => undefined)
    const { kind, message, why } = toUpstreamError(error)
    const reportedKind = kind === 'timeout' ? kind : 'unreachable'
    throw new UpstreamError(reportedKind, `the proxy at ${origin}: ${message}`, {
      cause: error,
      ...(why !== undefined && { why: `the proxy: ${why}` }),
    })
  }
}

/** What a proxy means that opens no tunnel (RFC 9110 sections 15.5.4, 15.5.8 and 15.6.3 to 15.6.5). */
const REFUSALS: Readonly<Record<number, string>> = {
  403: 'it forbids the tunnel',
  407: 'it wants credentials, or others (HTTPS_PROXY=http://user:password@…)',
  502: 'it cannot reach the service',
  503: 'it cannot reach the service',
  504: 'the service does not answer it in time',
}
