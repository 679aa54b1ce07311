import type { Handler } from 'hono'

/**
 * Answers TRACE, at whatever path: a server that echoes a request shows what only its headers should know (RFC 9110 section
 * 9.3.8).
 */
export const refuseTrace: Handler = (c) =>
  c.json({ message: 'TRACE is not allowed here.' }, 405, { allow: 'GET, HEAD' })
