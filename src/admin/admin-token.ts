import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { auth as readBasic } from 'hono/utils/basic-auth'
import type { WrongTokens } from './wrong-tokens.ts'

/**
 * The challenges of RFC 7617 and RFC 6750. Chromium reads only the first challenge of a header and treats the rest as its
 * parameters. So Basic comes first, and Bearer has a realm too; otherwise the browser would not ask for a password.
 */
const CHALLENGES = 'Basic realm="legacy-gateway", Bearer realm="legacy-gateway"'

/**
 * Passes requests with the token, as `Authorization: Bearer …` or, for browsers, as the password of Basic with any user name.
 * Others get a 401. If no token is configured, all pass.
 * @param wrong slows down clients that send a wrong token; undefined to slow down none.
 */
export function adminToken(token: string | undefined, wrong?: WrongTokens): MiddlewareHandler {
  return async (c, next) => {
    if (await knowsToken(c, token, wrong)) return next()
    const message =
      'Send the admin token as Authorization: Bearer …; in a browser, enter it as the password, with any user name.'
    return c.json({ message }, 401, { 'www-authenticate': CHALLENGES })
  }
}

/** Whether a request has the token, or none is configured. A wrong one is found out slowly, as `wrong` says. */
export async function knowsToken(c: Context, token: string | undefined, wrong?: WrongTokens): Promise<boolean> {
  if (token === undefined) return true
  const given = readBearer(c.req.header('authorization')) ?? readBasic(c.req.raw)?.password
  if (same(given, token)) return true
  // Without a token there is no delay: a browser sends none until it is asked.
  if (given !== undefined) await wrong?.refusal(peerOf(c.env))
  return false
}

/** Returns the caller's address; "" if there is no connection. */
const peerOf = (bindings: Partial<HttpBindings> | undefined): string => bindings?.incoming?.socket.remoteAddress ?? ''

/** RFC 9110 section 11.1: the scheme is case-insensitive. */
const readBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]

/** Compares in constant time. */
function same(given: string | undefined, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(wanted))
}
