import type { MiddlewareHandler } from 'hono'

/** Names that always mean this machine. A browser sends the name in its address bar. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * If no token is configured, passes only requests whose `Host` is a loopback name. All others get a 421, including those without
 * a `Host`. This prevents DNS rebinding: a web page whose name resolves to this machine could otherwise read everything through
 * its visitor's browser.
 */
export function ownName(token: string | undefined): MiddlewareHandler {
  return async (c, next) => {
    // `Host` may be empty, or absent in HTTP/1.0. The URL then has a default name.
    const isNamed = (c.req.header('host') ?? '') !== ''
    if (token === undefined && !(isNamed && LOOPBACK.test(new URL(c.req.url).hostname))) {
      return c.json({ message: 'Without ADMIN_TOKEN, the gateway answers only requests to localhost.' }, 421)
    }
    return next()
  }
}
