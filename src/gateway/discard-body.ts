import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'

/** How long a client may still write when it has been, or could be, answered. */
const PATIENCE_MS = 2_000

/**
 * Reads what nobody has read of a request's body, so that no answer overtakes its request: a client that asks to upgrade
 * with every request (Java's HttpClient, "Upgrade: h2c") would send the rest of the body and its next request together, and
 * Node's parser stops for good behind the body of a request with that header. True when the body has ended within `limit`
 * bytes and two seconds; otherwise the connection cannot be kept.
 */
export function discardBody(incoming: IncomingMessage, limit: number): boolean | Promise<boolean> {
  if (incoming.complete) return true
  if (incoming.destroyed || Number(incoming.headers['content-length'] ?? 0) > limit) return false
  return new Promise((resolve) => {
    let length = 0
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length > limit) stop(false)
    }
    const onGone = (): void => stop(incoming.complete)
    const impatience = setTimeout(() => stop(false), PATIENCE_MS)
    const stop = (isOver: boolean): void => {
      clearTimeout(impatience)
      incoming.off('data', onData).off('end', onGone).off('error', onGone).off('close', onGone)
      resolve(isOver)
    }
    incoming.unpipe().on('data', onData).on('end', onGone).on('error', onGone).on('close', onGone)
    incoming.resume()
  })
}

/**
 * RFC 9112 section 9.6: closes the connection behind this answer in two steps, so that a client that still writes is not
 * reset before it has read the answer. What it writes meanwhile is thrown away, for two seconds at most.
 */
export function closeGently(socket: Socket): void {
  const { destroySoon } = socket
  // What Node calls behind an answer with "Connection: close".
  socket.destroySoon = () => {
    // No longer HTTP: nothing behind the body is taken for a request.
    socket.removeAllListeners('data').on('data', () => undefined)
    socket.resume()
    socket.end()
    const impatience = setTimeout(() => destroySoon.call(socket), PATIENCE_MS)
    socket.once('end', () => destroySoon.call(socket)).once('close', () => clearTimeout(impatience))
  }
}

/** Where nothing discards what is left of a body, an answer that overtakes it says that the connection ends behind it. */
export const closeBehindUnread: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
  await next()
  const { incoming } = c.env
  if (incoming.complete) return
  c.header('connection', 'close')
  closeGently(incoming.socket)
}
