import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'

/** How long a client may go on writing once its last answer is sent. */
const PATIENCE_MS = 2_000

/**
 * Closes the connection after its last answer in two steps (RFC 9112 section 9.6), so that a client that is still writing
 * is not reset before it has read the answer. Discards what it writes meanwhile, for two seconds at most.
 */
export function closeGently(socket: Socket): void {
  // Node calls this after an answer with "Connection: close".
  socket.destroySoon = () => {
    stopParsing(socket)
    socket.resume()
    socket.end()
    const destroySoon = (): void => Socket.prototype.destroySoon.call(socket)
    const timeout = setTimeout(destroySoon, PATIENCE_MS)
    socket.once('end', destroySoon).once('close', () => clearTimeout(timeout))
  }
}

/** No longer HTTP: whatever arrives is discarded, and nothing of it is parsed as a request. */
export function stopParsing(socket: Socket): void {
  // Node's parser releases a socket when other code reads it.
  socket.removeAllListeners('data').on('data', () => undefined)
}

/**
 * Closes the connection after an answer that overtakes its request's body. For ports that do not discard the rest of a
 * body.
 */
export const closeIfUnread: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
  await next()
  const { incoming } = c.env
  if (incoming.complete) return
  c.header('connection', 'close')
  closeGently(incoming.socket)
}

/** How long a client that was turned away may still write before its connection is closed. */
const TURNED_AWAY_PATIENCE_MS = 500

/**
 * Answers a connection with 503 without reading its request, and closes it.
 * @param body JSON.
 * @param hasTime whether the client gets time to read the answer. A client that still writes when its connection is closed is
 *   reset, and may lose what it has not read (RFC 9112 section 9.6).
 * @param done called when the connection is closed.
 */
export function turnAway(socket: Socket, body: string, hasTime: boolean, done: () => void): void {
  stopParsing(socket)
  socket.resume()
  socket.end(rawAnswer(503, { headers: { 'Content-Type': 'application/json', 'Retry-After': '1' }, body }))
  const timeout = hasTime ? setTimeout(() => socket.destroy(), TURNED_AWAY_PATIENCE_MS) : undefined
  socket.once('close', () => {
    clearTimeout(timeout)
    done()
  })
  if (!hasTime) socket.destroySoon()
}

/** An answer that Node's HTTP server does not write. */
export interface RawAnswer {
  readonly headers: Readonly<Record<string, string>>
  /** JSON; empty: no body. */
  readonly body: string
}

/** Returns the bytes of an answer after which the connection is closed. */
export function rawAnswer(status: number, { headers, body }: RawAnswer): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/** What a client sent in place of a request. */
export interface Unreadable {
  readonly status: 400 | 408 | 413 | 431
  /** Node's code, such as `HPE_INVALID_METHOD`. */
  readonly code: string
  /** The address at the other end of the connection. */
  readonly peer: string | undefined
  /** False: calls before it are under way, and the connection is closed after their answers. */
  readonly isAnswered: boolean
}

const STATUSES: Readonly<Record<string, 408 | 413 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** @param error of Node's HTTP server. */
export function unreadableOf({ code = '' }: NodeJS.ErrnoException, socket: Socket, isAnswered: boolean): Unreadable {
  return { status: STATUSES[code] ?? 400, code, peer: socket.remoteAddress, isAnswered }
}
