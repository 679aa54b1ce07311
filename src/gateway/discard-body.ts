import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { closeGently } from '../http/close-gently.ts'

/** How long a client may go on writing once its answer is ready. */
const PATIENCE_MS = 2_000

/**
 * Reads and discards the rest of a request's body, so that no answer overtakes its request. Otherwise a client that
 * asks to upgrade with every request (Java's HttpClient, "Upgrade: h2c") would send the rest of the body together with
 * its next request, and Node's parser stops for good after the body of a request with that header.
 * @returns whether the body ended within `limit` bytes and two seconds. If not, the connection cannot be kept.
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
    const timeout = setTimeout(() => stop(false), PATIENCE_MS)
    const stop = (isOver: boolean): void => {
      clearTimeout(timeout)
      incoming.off('data', onData).off('end', onGone).off('error', onGone).off('close', onGone)
      resolve(isOver)
    }
    incoming.unpipe().on('data', onData).on('end', onGone).on('error', onGone).on('close', onGone)
    incoming.resume()
  })
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
