import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Handler } from './connection.ts'
import { type ConnectionCounts, type ConnectionOptions, Connections } from './connections.ts'
import { drain, quietTurn } from './drain.ts'
import { cutSlowReaders } from './slow-readers.ts'

/** A server that listens. */
export interface Listener {
  /** One that this machine can reach, also where the host means every address. */
  readonly url: string
  readonly port: number
  readonly connections: () => ConnectionCounts
  /**
   * From now on every answer ends its connection ("Connection: close"). New connections are still taken, and idle ones kept,
   * for so long, or until nobody is connected and nobody was in the last second.
   */
  drain(milliseconds: number): Promise<void>
  /**
   * Takes no new connection, closes idle ones at once, and the others as soon as they have been answered, at latest after
   * `graceMs`.
   */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  /**
   * How long an idle connection is kept, as each answer says (`Keep-Alive: timeout`). Node waits a second longer, so that a
   * client that goes by that never uses a connection that is being closed.
   */
  readonly keepAliveMs: number
  /** A client that asks before it sends more is answered without being told to go on. */
  readonly maxBodyBytes?: number
  /** Without, connections have no limit. */
  readonly connections?: ConnectionOptions
}

/**
 * Listens for HTTP. Rejects with an error that names the variables and what is wrong.
 * @param variables for instance `HOST and PORT`.
 */
export async function listen(
  handler: Handler,
  host: string,
  port: number,
  variables: string,
  { keepAliveMs, maxBodyBytes = Number.POSITIVE_INFINITY, connections: options = NO_LIMIT }: ListenOptions,
): Promise<Listener> {
  const connections = new Connections(options)
  const server = createServer({ ...TIME_OUTS, keepAliveTimeout: keepAliveMs }, (request, response) =>
    connections.take(request, response, handler),
  )
  server.on('connection', (socket) => connections.accept(socket))
  const goOn: Handler = (request: IncomingMessage, response: ServerResponse) => {
    // RFC 9110 section 10.1.1.
    if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes) response.writeContinue()
    return handler(request, response)
  }
  server.on('checkContinue', (request, response) => connections.take(request, response, goOn))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code ?? error.message})`
      reject(new StartError(`${variables}: ${host}:${port} ${why}`, { cause: error }))
    })
    server.listen({ port, host, backlog: BACKLOG }, resolve)
  })
  const stopLooking = cutSlowReaders(connections, SLOW_READERS)
  return {
    url: urlOf(server),
    port: (server.address() as AddressInfo).port,
    connections: () => connections.counts,
    async drain(milliseconds) {
      if (milliseconds === 0) return
      connections.closeBehindAnswers()
      await drain(connections, milliseconds)
    },
    async close(graceMs) {
      const graceEndsAt = performance.now() + graceMs
      connections.closeBehindAnswers()
      // Whoever has asked by then is not idle, and hardly a connection waits to be accepted, which would be reset.
      await quietTurn(connections, graceMs / 2)
      // Closes the port alone, and that at once: Node's HTTP server does more before.
      NetServer.prototype.close.call(server)
      await close(server, connections, Math.max(graceEndsAt - performance.now(), 0))
      stopLooking()
    },
  }
}

const NO_LIMIT: ConnectionOptions = { limit: Number.POSITIVE_INFINITY, maxWaiting: 0, maxLeaving: 0, refusal: '' }

/** How many connections may wait to be taken; Node's own 511 turn some away when 1,000 clients come back at once. */
const BACKLOG = 4_096

const IDLE_SWEEP_MS = 20

/** How long a client may take for the head of a request, and for all of it: 1 MiB at 17 KB a second. */
const TIME_OUTS = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 }

/** How long a client may leave its answer unread. */
const SLOW_READERS = { patienceMs: 60_000, everyMs: 5_000 }

/** Something cannot be started as it is configured; the message names the variables. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), graceMs)
    connections.closeIdle()
    // Those that fall idle later would be kept for their keep-alive time.
    const idle = setInterval(() => connections.closeIdle(), IDLE_SWEEP_MS)
    server.close(() => {
      clearTimeout(impatience)
      clearInterval(idle)
      resolve()
    })
  })
}
