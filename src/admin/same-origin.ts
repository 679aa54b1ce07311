import type { Context, MiddlewareHandler } from 'hono'

/**
 * Passes requests that no page of another origin can have made its visitor's browser send. Others get a 403, or a 415 if they
 * are not JSON. A browser sends JSON to another origin only after a preflight request, which nothing here answers. Programs
 * send neither of the two headers.
 */
export const jsonFromHere: MiddlewareHandler = async (c, next) => {
  if (!isFromHere(c)) return c.json({ message: 'A page from another origin cannot do this.' }, 403)
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return c.json({ message: 'Send JSON, with Content-Type: application/json.' }, 415)
  return next()
}

/**
 * Whether no page of another origin can have made its visitor's browser send this.
 * Reads `Sec-Fetch-Site`, which no page can forge. Older browsers, and browsers without TLS,
 * send only `Origin`. A proxy may change `Host`.
 */
export function isFromHere(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = c.req.header('origin')
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === c.req.header('host'))
}
