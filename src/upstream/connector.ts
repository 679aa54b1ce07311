import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { openTunnel } from './open-tunnel.ts'
import type { TunnelProxy } from './proxy.ts'
import { raceAddresses } from './race-addresses.ts'

/** How to connect to a service, in addition to its address. */
export interface Connecting {
  /** Called for each new connection, so that certificates can be replaced at run time. Undefined: Node's default. */
  readonly tls: (() => SecureContext) | undefined
  /** Undefined: connects directly. */
  readonly proxy: TunnelProxy | undefined
  /** Looks up the host name of the service, or of the proxy. Undefined: Node's default. */
  readonly lookup: LookupFunction | undefined
}

export type Connector = buildConnector.connector

/**
 * Returns a function that opens connections to one service. Over TLS it offers only HTTP/1.1; `openPool` says why.
 * @param timeoutMs for a connection to one address, including its TLS handshake; all addresses of a name are tried. A tunnel through a proxy may take as long again.
 */
export function connectorTo({ tls, proxy, lookup }: Connecting, timeoutMs: number): Connector {
  const build = (secureContext?: SecureContext): Connector =>
    buildConnector({
      ...{ allowH2: false, timeout: timeoutMs },
      ...(secureContext !== undefined && { secureContext }),
    })
  const connect = tls === undefined ? build() : withNewestTls(tls, build)
  if (proxy === undefined) return raceAddresses(connect, lookup)
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

/**
 * Builds a new connector for each new context. So TLS sessions in which the gateway presented another certificate are
 * not resumed.
 */
function withNewestTls(tls: () => SecureContext, build: (context: SecureContext) => Connector): Connector {
  let context = tls()
  let connect = build(context)
  return (options, callback) => {
    const newest = tls()
    if (newest !== context) {
      context = newest
      connect = build(context)
    }
    return connect(options, callback)
  }
}
