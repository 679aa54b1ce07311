import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { auth as readBasic } from 'hono/utils/basic-auth'
import type { WrongTokens } from './wrong-tokens.ts'

/**
 * The challenges of RFC 7617 and RFC 6750. Of one header Chromium reads the first challenge alone, and takes the rest for its
 * parameters: so Basic comes first, and Bearer has a realm too, or nobody would be asked for a password.
 */
const CHALLENGES = 'Basic realm="legacy-gateway", Bearer realm="legacy-gateway"'

/**
 * Lets a request pass that brings the token, as `Authorization: Bearer …` or, for browsers, as the password of Basic with any
 * user name; others get a 401. Without a token all pass.
 * @param wrong slows those down who bring another token; undefined: nobody is.
 */
export function adminToken(token: string | undefined, wrong?: WrongTokens): MiddlewareHandler {
  return async (c, next) => {
    if (token === undefined) return next()
    const given = readBearer(c.req.header('authorization')) ?? readBasic(c.req.raw)?.password
    if (!same(given, token)) {
      // A browser brings none until it is asked.
      if (given !== undefined) await wrong?.refusal(peerOf(c.env))
      const message = 'The admin token is wanted: as Authorization: Bearer …, or as the password of a browser’s log-in.'
      return c.json({ message }, 401, { 'www-authenticate': CHALLENGES })
    }
    return next()
  }
}

/** The address of whoever called; "" where there is no connection. */
const peerOf = (bindings: Partial<HttpBindings> | undefined): string => bindings?.incoming?.socket.remoteAddress ?? ''

/** RFC 9110, 11.1: a scheme is written in any case. */
const readBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]

/** Compares in a time that tells nothing of how much is right. */
function same(given: string | undefined, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(wanted))
}
