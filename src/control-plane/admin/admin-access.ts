import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { auth as readBasic } from 'hono/utils/basic-auth'
import { LRUCache } from 'lru-cache'
import { throttleReport } from '../../observe/throttle-report.ts'

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
  const sent = readBearer(c.req.header('authorization')) ?? readBasic(c.req.raw)?.password
  if (same(sent, token)) return true
  // Without a token there is no delay: a browser sends none until it is asked.
  if (sent !== undefined) await wrong?.refusal(peerOf(c.env))
  return false
}

/** Returns the caller's address; "" if there is no connection. */
const peerOf = (bindings: Partial<HttpBindings> | undefined): string => bindings?.incoming?.socket.remoteAddress ?? ''

/** RFC 9110 section 11.1: the scheme is case-insensitive. */
const readBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]

/** Compares in constant time. */
function same(sent: string | undefined, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent ?? ''), digest(wanted))
}

/** Slows down clients that try wrong tokens. */
export interface WrongTokens {
  /**
   * Counts a wrong token and resolves when it may be refused. Each one from the same peer doubles the delay, up to two seconds.
   * In a flood, the oldest is refused early, so that the number of waiting requests is bounded.
   */
  refusal(peer: string): Promise<void>
}

const FIRST_MS = 100
const LONGEST_MS = 2_000
/** After this time without a wrong token, a peer starts over with the shortest delay. */
const FORGET_MS = 60_000
const MOST_PEERS = 1_000
const MOST_WAITING = 256
const REPORT_EVERY_MS = 5_000

/**
 * Delays the refusal of wrong tokens.
 * @param report called at most every five seconds, with the number of wrong tokens since the last report, and the latest peer.
 */
export function wrongTokens(report: (count: number, peer: string) => void): WrongTokens {
  const delays = new LRUCache<string, number>({ max: MOST_PEERS, ttl: FORGET_MS })
  const reportWrong = throttleReport(report, REPORT_EVERY_MS)
  /** In order of arrival. */
  const waiting = new Set<() => void>()
  return {
    refusal(peer) {
      reportWrong(peer)
      const delay = delays.get(peer) ?? FIRST_MS
      delays.set(peer, Math.min(2 * delay, LONGEST_MS))
      const [oldest] = waiting
      if (waiting.size >= MOST_WAITING) oldest?.()
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, delay).unref()
        waiting.add(end)
      })
    },
  }
}

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
