import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { openTunnel } from './open-tunnel.ts'
import type { TunnelProxy } from './proxy.ts'

/** How a service is reached, beside its address. */
export interface Connecting {
  /** Asked for each new connection, so that certificates can be exchanged; undefined: as Node does it by itself. */
  readonly tls: (() => SecureContext) | undefined
  /** Undefined: it is connected to directly. */
  readonly proxy: TunnelProxy | undefined
  /** Finds the addresses of its name, or of the proxy's; undefined: as Node does it by itself. */
  readonly lookup: LookupFunction | undefined
}

export type Connector = buildConnector.connector

/**
 * Opens connections to one service. Over TLS it offers HTTP/1.1 alone: `openPool` says why.
 * @param timeoutMs for a connection, its TLS handshake included; as long again for the tunnel through a proxy.
 */
export function connectorTo({ tls, proxy, lookup }: Connecting, timeoutMs: number): Connector {
  const under = (secureContext?: SecureContext): Connector =>
    buildConnector({
      ...{ allowH2: false, timeout: timeoutMs },
      ...(lookup !== undefined && { lookup }),
      ...(secureContext !== undefined && { secureContext }),
    })
  const connect = tls === undefined ? under() : withNewestTls(tls, under)
  if (proxy === undefined) return connect
  return (options, callback) => {
    const { host = '', port } = options
    openTunnel(proxy, port === '' ? `${host}:443` : host, timeoutMs, lookup).then(
      (httpSocket) => {
        try {
          connect({ ...options, httpSocket }, callback)
        } catch (error) {
          httpSocket.destroy()
          callback(error as Error, null)
        }
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** A new context is a new connector: sessions of the one before are not resumed, in which another certificate was shown. */
function withNewestTls(tls: () => SecureContext, under: (context: SecureContext) => Connector): Connector {
  let context = tls()
  let connect = under(context)
  return (options, callback) => {
    const newest = tls()
    if (newest !== context) {
      context = newest
      connect = under(context)
    }
    return connect(options, callback)
  }
}
