import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { Handler } from './connection.ts'
import { type ConnectionCounts, type ConnectionOptions, Connections, type RefuseUnreadable } from './connections.ts'
import { type KeyPair, openTls, type TlsPort } from './tls-port.ts'

/** A listening server. */
export interface Listener {
  /** A URL that this machine can reach, even if the host is a wildcard address. */
  readonly url: string
  readonly port: number
  readonly connections: () => ConnectionCounts
  /**
   * Makes every answer from now on close its connection ("Connection: close"). Still accepts new connections and keeps idle
   * ones, for `milliseconds` or until there has been no connection for a second.
   */
  drain(milliseconds: number): Promise<void>
  /**
   * Stops accepting connections and closes idle ones at once. Closes the others once they have been answered, or after
   * `graceMs`.
   */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  /**
   * How long an idle connection is kept, as each answer says (`Keep-Alive: timeout`). Node waits a second longer, so that a
   * client that respects it never uses a connection that is being closed.
   */
  readonly keepAliveMs: number
  /** A larger announced body gets no "100 Continue": the client is answered before it sends the body. */
  readonly maxBodyBytes?: number
  /** Called when what a client sent cannot be read as a request; makes the answer. Left out: it has no body. */
  readonly refuseUnreadable?: RefuseUnreadable
  /** Left out: connections are not limited. */
  readonly connections?: ConnectionOptions
  /** How many connections may be accepted in a turn of the event loop. More than one needs SO_REUSEPORT. */
  readonly sockets?: number
  /** Returns the current certificate and key: the port speaks TLS. Left out: it does not. */
  readonly tls?: (() => KeyPair) | undefined
}

/**
 * Listens for HTTP.
 * @param variables the variables of host and port, for messages: `HOST and PORT`.
 * @throws StartError that names the variables and what is wrong.
 */
export async function listen(
  handler: Handler,
  host: string,
  port: number,
  variables: string,
  options: ListenOptions,
): Promise<Listener> {
  const { keepAliveMs, maxBodyBytes = Number.POSITIVE_INFINITY, sockets = 1 } = options
  const limits = options.connections ?? NO_LIMIT
  const connections = new Connections(limits, options.refuseUnreadable)
  const server = createServer({ ...TIME_OUTS, keepAliveTimeout: keepAliveMs }, (request, response) =>
    connections.take(request, response, handler),
  )
  server.on('connection', (socket) => connections.accept(socket))
  server.on('clientError', (error, socket) => connections.breakOff(error, socket as Socket))
  const continueThenHandle: Handler = (request: IncomingMessage, response: ServerResponse) => {
    // RFC 9110 section 10.1.1.
    if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes) response.writeContinue()
    return handler(request, response)
  }
  server.on('checkContinue', (request, response) => connections.take(request, response, continueThenHandle))
  const tls = options.tls && openTls(server, connections, options.tls)
  const opened = await openPort(server, tls, { host, port }, sockets).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code ?? error.message})`
    throw new StartError(`${variables}: ${host}:${port} ${why}`, { cause: error })
  })
  const stopLooking = cutSlowReaders(connections, SLOW_READERS)
  return {
    url: urlOf(opened.address, tls === undefined ? 'http' : 'https'),
    port: opened.address.port,
    connections: () => connections.counts,
    async drain(milliseconds) {
      if (milliseconds === 0) return
      connections.closeAfterAnswers()
      await drain(connections, milliseconds)
    },
    async close(graceMs) {
      const graceEndsAt = performance.now() + graceMs
      connections.closeAfterAnswers()
      // Lets clients that have already sent a request count as busy, and accepts connections that would otherwise be reset.
      await quietTurn(connections, graceMs / 2)
      await close(opened, server, connections, Math.max(graceEndsAt - performance.now(), 0))
      stopLooking()
    },
  }
}

const NO_LIMIT: ConnectionOptions = { limit: Number.POSITIVE_INFINITY, maxWaiting: 0, maxLeaving: 0, refusal: '' }

const IDLE_SWEEP_MS = 20

/** How long a client may take to send the head of a request, and all of it: 1 MiB at 17 KB a second. */
const TIME_OUTS = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 }

/** How long a client may leave its answer unread. */
const SLOW_READERS = { patienceMs: 60_000, everyMs: 5_000 }

/** Thrown when the configuration cannot be used at startup; the message names the variables. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

function urlOf({ address, port, family }: AddressInfo, scheme: 'http' | 'https'): string {
  if (address === '0.0.0.0' || address === '::') return `${scheme}://127.0.0.1:${port}`
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function close(port: Port, server: Server, connections: Connections, graceMs: number): Promise<void> {
  const unused = port.close()
  const timeout = setTimeout(() => server.closeAllConnections(), graceMs)
  const closeIdle = (): void => {
    connections.closeIdle()
    port.closeSilent()
  }
  closeIdle()
  // Connections that become idle later would otherwise stay for their keep-alive time.
  const idle = setInterval(closeIdle, IDLE_SWEEP_MS)
  await unused
  clearTimeout(timeout)
  clearInterval(idle)
  // Ends what Node's HTTP server does besides its port.
  server.close()
}

/** An open port. All its connections go to one HTTP server. */
interface Port {
  readonly address: AddressInfo
  /** Closes connections that could never become ones of HTTP. */
  closeSilent(): void
  /** Stops accepting connections, at once. Returns when the connections that were accepted have closed. */
  close(): Promise<void>
}

/** How many connections may wait to be accepted. Node's default of 511 refuses some when 1,000 clients reconnect at once. */
const BACKLOG = 4_096

/**
 * Opens a port for an HTTP server. `sockets` listen on it, and the system divides new connections among them (SO_REUSEPORT).
 * In a turn of the event loop each socket accepts one connection. With one socket, 1,000 clients that connect at once to a
 * busy process wait for 1,000 turns.
 * @throws the system's error if the port cannot be opened, or is in use: several sockets are no less exclusive than one.
 */
async function openPort(
  server: Server,
  tls: TlsPort | undefined,
  where: { readonly host: string; readonly port: number },
  sockets: number,
): Promise<Port> {
  const { host, port } = where
  const closeSilent = (): void => tls?.closeSilent()
  const accepting = (): NetServer =>
    acceptingFor((socket) => (tls === undefined ? server.emit('connection', socket) : tls.take(socket)))
  const first = tls === undefined ? server : accepting()
  if (sockets === 1) {
    await listening(first, where)
    return { address: first.address() as AddressInfo, close: () => closed(first), closeSilent }
  }
  const exclusive = await listening(new NetServer(), { host, port })
  const { port: free } = exclusive.address() as AddressInfo
  exclusive.close()
  const all = [first, ...Array.from({ length: sockets - 1 }, accepting)]
  const close = async (): Promise<void> => void (await Promise.all(all.map(closed)))
  try {
    for (const each of all) await listening(each, { host, port: free, reusePort: true })
  } catch (error) {
    await close()
    throw error
  }
  return { address: first.address() as AddressInfo, close, closeSilent }
}

/** A server that passes its connections on. The options are those that Node gives its HTTP server. */
const acceptingFor = (take: (socket: Socket) => unknown): NetServer =>
  new NetServer({ allowHalfOpen: true, noDelay: true }, take)

async function listening(
  server: NetServer,
  where: { readonly host: string; readonly port: number; readonly reusePort?: boolean },
): Promise<NetServer> {
  server.listen({ ...where, backlog: BACKLOG })
  await once(server, 'listening')
  return server
}

/** Closes the port only: the `close` of Node's HTTP server does other things first. */
function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
}

/** After this long without a connection, no client is expected. */
const UNUSED_MS = 1_000
const LOOK_MS = 20
/** A turn of the event loop that takes no longer than this has done nothing. */
const QUIET_TURN_MS = 0.2

/** Waits for `milliseconds`, or until there has been no connection for a second. */
async function drain(connections: Connections, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end && connections.unusedMs < UNUSED_MS) await wait(LOOK_MS)
}

/**
 * Waits, for at most `milliseconds`, until a turn of the event loop does nothing. Closing a port resets the connections that
 * the system has established and Node has not accepted yet. Right after such a turn there is hardly any.
 */
async function quietTurn(connections: Connections, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  for (let isQuiet = false; !isQuiet && performance.now() < end; ) {
    const { accepted } = connections
    const began = performance.now()
    await setImmediate()
    isQuiet = connections.accepted === accepted && performance.now() - began < QUIET_TURN_MS
  }
}

export interface SlowReaderOptions {
  /** How long a client may leave its answer unread. */
  readonly patienceMs: number
  /** How often to look for stalled clients. */
  readonly everyMs: number
}

/**
 * Closes the connections of clients that stop reading their answers, because the rest of each answer stays in memory. Keeps
 * clients that read on, however slowly. A periodic check costs the calls nothing.
 * @returns a function that stops the check.
 */
export function cutSlowReaders(
  connections: Iterable<{ readonly socket: Socket | null }>,
  { patienceMs, everyMs }: SlowReaderOptions,
): () => void {
  const check = setInterval(() => {
    for (const { socket } of connections) {
      // The socket times out when its unread data stops shrinking, and the server then closes it. The server resets the
      // time-out before the next request.
      if (socket !== null && socket.writableLength > 0 && !socket.timeout) socket.setTimeout(patienceMs)
    }
  }, everyMs).unref()
  return () => clearInterval(check)
}
