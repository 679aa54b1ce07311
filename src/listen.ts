import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Bag } from './bag.ts'
import { cutSlowReaders } from './slow-readers.ts'

/** A server that listens. */
export interface Listener {
  /** One that this machine can reach, also where the host means every address. */
  readonly url: string
  readonly port: number
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
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * Listens for HTTP. Rejects with an error that names the variables and what is wrong.
 * @param variables for instance `HOST and PORT`.
 */
export async function listen(
  handler: Handler,
  host: string,
  port: number,
  variables: string,
  { keepAliveMs, maxBodyBytes = Number.POSITIVE_INFINITY }: ListenOptions,
): Promise<Listener> {
  const underWay = new Bag<ServerResponse>()
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // Nobody makes another call on a connection that is about to be closed.
    if (!server.listening) response.shouldKeepAlive = false
    // Told once only: `once` would make two functions more of it, for every call.
    response.on('close', underWay.add(response))
    handler(request, response)
  }
  const server = createServer({ ...TIME_OUTS, keepAliveTimeout: keepAliveMs }, answer)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // RFC 9110 section 10.1.1.
    if (Number(request.headers['content-length'] ?? 0) <= maxBodyBytes) response.writeContinue()
    answer(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code ?? error.message})`
      reject(new StartError(`${variables}: ${host}:${port} ${why}`, { cause: error }))
    })
    server.listen({ port, host, backlog: BACKLOG }, resolve)
  })
  const stopLooking = cutSlowReaders(underWay, SLOW_READERS)
  return {
    url: urlOf(server),
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      await close(server, underWay, graceMs)
      stopLooking()
    },
  }
}

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

/** Waits for several parts. When one cannot start none does, and every reason is told, a line each. */
export async function startAll<Parts extends readonly { close(graceMs: number): Promise<void> }[]>(
  parts: readonly [...{ [Index in keyof Parts]: Promise<Parts[Index]> }],
): Promise<Parts> {
  const settled = await Promise.allSettled(parts)
  const started = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
  if (reasons.length > 0) {
    await Promise.all(started.map((part) => part.close(0)))
    const unexpected = reasons.find((reason) => !(reason instanceof StartError))
    throw unexpected ?? new StartError(reasons.map(({ message }) => message).join('\n'), { cause: reasons[0] })
  }
  return started as unknown as Parts
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function close(server: Server, underWay: Iterable<ServerResponse>, graceMs: number): Promise<void> {
  // Says "Connection: close", so that clients that never pause do not hold up the stop.
  for (const response of underWay) response.shouldKeepAlive = false
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), graceMs)
    // Closing stops at connections that are busy; those that fall idle later would be kept for their keep-alive time.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
    server.close(() => {
      clearTimeout(impatience)
      clearInterval(idle)
      resolve()
    })
  })
}
