import type { MiddlewareHandler } from 'hono'

/** Names by which only this machine calls itself; a browser brings the name that stands in its address bar. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * Where no token is wanted, lets a request pass only under a name of this machine's own; others get a 421, also those without
 * a name. Otherwise a web page whose name was made to lead here (DNS rebinding) could read everything in the browser of whoever
 * has it open.
 */
export function ownName(token: string | undefined): MiddlewareHandler {
  return async (c, next) => {
    // HTTP/1.0 needs no Host, and an empty one names nobody; the URL then has a name of our own making.
    const isNamed = (c.req.header('host') ?? '') !== ''
    if (token === undefined && !(isNamed && LOOPBACK.test(new URL(c.req.url).hostname))) {
      return c.json({ message: 'Without an ADMIN_TOKEN only localhost is answered.' }, 421)
    }
    return next()
  }
}
