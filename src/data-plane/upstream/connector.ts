import { lookup as askSystem, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { getSystemErrorMessage } from 'node:util'
import { buildConnector, Client } from 'undici'
import type { TunnelProxy } from './proxy.ts'
import type { LeftAlone } from './slow-down.ts'
import { inWords, toUpstreamError, UpstreamError } from './upstream-error.ts'

/** How to connect to a service, in addition to its address. */
export interface Connecting {
  /** Called for each new connection, so that certificates can be replaced at run time. Undefined: Node's default. */
  readonly tls: (() => SecureContext) | undefined
  /** Undefined: connects directly. */
  readonly proxy: TunnelProxy | undefined
  /** Looks up the host name of the service, or of the proxy. Undefined: Node's default. */
  readonly lookup: LookupFunction | undefined
  /** Where threads that call the service share until when it is left alone; unset: only one calls it. */
  readonly leftAlone?: LeftAlone | undefined
}

type Connector = buildConnector.connector

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

type Options = Parameters<Connector>[0]
type Callback = Parameters<Connector>[1]

/** How long an address may take before the next one is tried beside it (RFC 8305 section 5). */
const STAGGER_MS = 250

/**
 * Returns a connector that tries all addresses of a name, each for as long as `connect` allows, and takes the first connection (Happy
 * Eyeballs, RFC 8305). Node itself gives an address up after 250 ms, so that a service in reach counts as unreachable
 * when it takes longer and its other address has no route.
 * @param lookup undefined: the system's.
 */
function raceAddresses(connect: Connector, lookup: LookupFunction = askSystem): Connector {
  return (options, callback) => {
    const { hostname } = options
    if (isIP(hostname) !== 0) {
      connect(options, callback)
      return
    }
    lookup(hostname, { all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [found] : inTurns(found ?? [])
      const [first, ...others] = addresses
      // Whoever intercepts connections, as tests do, knows names that the system does not. Otherwise this fails as the look-up did.
      if (error?.code === 'ENOTFOUND') connect(options, callback)
      else if (error !== null || first === undefined) callback(error ?? new Error(`${hostname} has no address`), null)
      else if (others.length === 0) connect({ ...options, hostname: first }, callback)
      else race(connect, options, addresses, callback)
    })
  }
}

/** Alternates between IPv6 and IPv4, beginning with the first address (RFC 8305 section 4). */
function inTurns(found: readonly LookupAddress[]): readonly string[] {
  const first = found.filter(({ family }) => family === found[0]?.family)
  const second = found.filter(({ family }) => family !== found[0]?.family)
  return found
    .flatMap((_, index) => [first[index], second[index]])
    .flatMap((one) => (one === undefined ? [] : [one.address]))
}

/** Tries the next address when one fails, or takes long. If all fail, the error says why for each. */
function race(connect: Connector, options: Options, addresses: readonly string[], callback: Callback): void {
  const attempts = new Set<{ destroy(error?: Error): unknown }>()
  const failed: { readonly address: string; readonly error: Error }[] = []
  let next = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  const attempt = (): void => {
    clearTimeout(timer)
    const address = addresses[next++] as string
    if (next < addresses.length) timer = setTimeout(attempt, STAGGER_MS)
    const socket = connect({ ...options, hostname: address }, (error, connected) => {
      if (isOver) {
        connected?.destroy()
      } else if (error === null) {
        isOver = true
        clearTimeout(timer)
        for (const other of attempts) if (other !== connected) other.destroy(new Error('another address was faster'))
        callback(null, connected)
      } else {
        failed.push({ address, error })
        if (next < addresses.length) attempt()
        else if (failed.length === addresses.length) {
          isOver = true
          callback(together(failed), null)
        }
      }
    }) as unknown as { destroy(error?: Error): unknown } | undefined
    if (socket !== undefined) attempts.add(socket)
  }
  attempt()
}

/** Joins the reasons of all addresses. The last error's code counts: it had the most time. */
function together(failed: readonly { readonly address: string; readonly error: Error }[]): Error {
  const reasons = failed.map(({ address, error }) => `${address}: ${inWords(error) ?? error.message}`)
  const last = failed.at(-1)?.error
  const code = last !== undefined && 'code' in last ? { code: last.code } : {}
  return Object.assign(
    new AggregateError(
      failed.map(({ error }) => error),
      reasons.join('; '),
    ),
    code,
  )
}

/**
 * Opens a tunnel through a proxy (RFC 9110 section 9.3.6) on a new connection.
 * @param authority host and port of the other end.
 * @throws UpstreamError `unreachable` if the proxy is down or refuses. The error has no code: with the code of a broken
 * connection, the client library would retry forever.
 */
async function openTunnel(
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

/** Opens a connection to a service, and closes it again. Resolves with the reason in words if there is none. */
export function tryConnection(
  { hostname, host, protocol, port }: URL,
  connect: Connector,
): Promise<string | undefined> {
  const name = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    connect({ hostname: name, host, protocol, port }, (error, socket) => {
      socket?.destroy()
      resolve(error === null ? undefined : reasonOf(error))
    })
  })
}

/** For a name with several addresses, the reasons of all. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.message !== '') return error.message
  const code = 'code' in error ? String(error.code) : undefined
  const known = inWords(error)
  if ('errno' in error && typeof error.errno === 'number') return known ?? getSystemErrorMessage(error.errno)
  const text = code ?? error.message
  return known === undefined ? text : `${known} (${text})`
}
