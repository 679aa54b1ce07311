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
