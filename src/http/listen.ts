import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Handler } from './connection.ts'
import type { ConnectionCounts, ConnectionOptions } from './connection-limits.ts'
import { Connections, type RefuseUnreadable } from './connections.ts'
import { drain, quietTurn } from './drain.ts'
import { openPort, type Port } from './open-port.ts'
import { cutSlowReaders } from './slow-readers.ts'

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
  const connections = new Connections(options.connections ?? NO_LIMIT, options.refuseUnreadable)
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
  const opened = await openPort(server, host, port, sockets).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code ?? error.message})`
    throw new StartError(`${variables}: ${host}:${port} ${why}`, { cause: error })
  })
  const stopLooking = cutSlowReaders(connections, SLOW_READERS)
  return {
    url: urlOf(server),
    port: (server.address() as AddressInfo).port,
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

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function close(port: Port, server: Server, connections: Connections, graceMs: number): Promise<void> {
  const unused = port.close()
  const timeout = setTimeout(() => server.closeAllConnections(), graceMs)
  connections.closeIdle()
  // Connections that become idle later would otherwise stay for their keep-alive time.
  const idle = setInterval(() => connections.closeIdle(), IDLE_SWEEP_MS)
  await unused
  clearTimeout(timeout)
  clearInterval(idle)
  // Ends what Node's HTTP server does besides its port.
  server.close()
}
