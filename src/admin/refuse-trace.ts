import type { Handler } from 'hono'

/**
 * Refuses TRACE on every path: echoing a request would reveal secrets in its headers (RFC 9110 section 9.3.8).
 */
export const refuseTrace: Handler = (c) =>
  c.json({ message: 'TRACE is not allowed here.' }, 405, { allow: 'GET, HEAD' })
