import type { IncomingHttpHeaders } from 'node:http'
import { ASKED_TO_SLOW_DOWN } from '../../exchange/exchange.ts'
import { PURPOSE_HEADER } from '../../exchange/purpose.ts'
import type { UpstreamAnswer, UpstreamRequest } from './upstream.ts'

/** A service asked to be left alone by calls that are no client's. */
export class SlowDown extends Error {
  override readonly name = 'SlowDown'
  readonly kind = ASKED_TO_SLOW_DOWN
  /** How long it wants to be left alone from now on; ms. */
  readonly milliseconds: number

  constructor(milliseconds: number) {
    super(`the service asked to be left alone for ${Math.ceil(milliseconds / 1_000)} s`)
    this.milliseconds = milliseconds
  }
}

/** The longest time for which a service is left alone at its request. */
const MOST_MS = 5 * 60_000

type Asked = Pick<UpstreamRequest, 'headers' | 'caller'>
type Answered = Pick<UpstreamAnswer, 'status' | 'headers'>

/** What calls that are no client's do so that a service can slow them down. */
export interface SlowDowns {
  /** Call it before a request is sent. @throws SlowDown while the service is to be left alone. */
  check(request: Asked): void
  /** Call it with each answer. @throws SlowDown if the service answers a call that is no client's so that it asks to be left alone. */
  heed(request: Asked, answer: Answered): void
}

/** Until when a service is left alone, in ms of `performance.now()`, which all threads share. */
export type LeftAlone = Float64Array

/** Returns when each service may be asked again, in memory that threads share. */
export const sharedLeftAlone = (): Readonly<Record<'v1' | 'legacy', LeftAlone>> => {
  const shared = (): LeftAlone => new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  return { v1: shared(), legacy: shared() }
}

/**
 * Lets a service slow down calls that are no client's. Clients' calls are not affected. If the service answers another one with 429, or
 * with 503 and `Retry-After`, it is left alone until the time in `Retry-After` is over. Only calls that clients depend on are sent
 * meanwhile, and get any answer: those that find out whether the service is well, and those for which a client waits, as for a login.
 * @param leftAlone is written and heeded; unset: no other thread asks the service.
 * @param now in milliseconds; monotonic.
 */
export function slowDowns(leftAlone: LeftAlone = new Float64Array(1), now = () => performance.now()): SlowDowns {
  const until = (): number => leftAlone[0] as number
  return {
    check(request) {
      if (purposeOf(request) === undefined || isNeeded(request)) return
      const left = until() - now()
      if (left > 0) throw new SlowDown(left)
    },
    heed(request, answer) {
      const wanted = purposeOf(request) === undefined ? undefined : wantedMs(answer)
      if (wanted === undefined) return
      leftAlone[0] = Math.max(until(), now() + wanted)
      if (!isNeeded(request)) throw new SlowDown(wanted)
    },
  }
}

const purposeOf = ({ headers }: Asked) => headers[PURPOSE_HEADER]
const isNeeded = (request: Asked): boolean => request.caller !== undefined || purposeOf(request) === 'health'

/** Whether an answer to a call that is no client's asks to leave the service alone. */
export const asksToSlowDown = (answer: Answered): boolean => wantedMs(answer) !== undefined

/** Returns how long an answer asks to leave the service alone, in ms; undefined: it does not ask that. */
function wantedMs({ status, headers }: Answered): number | undefined {
  if (status === 429) return retryAfterMs(headers)
  const wanted = status === 503 ? retryAfterMs(headers) : 0
  return wanted === 0 ? undefined : wanted
}

const SECONDS = /^\d{1,10}$/
/** The three forms of RFC 9110 section 5.6.7, all in GMT: the day of the week comes first. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w: -]+(?: GMT)?$/

/** Returns the time in `Retry-After` (RFC 9110 section 10.2.3), at most 5 minutes; 0: there is none that can be read. */
function retryAfterMs({ 'retry-after': written = '', date }: IncomingHttpHeaders): number {
  const text = written.trim()
  if (SECONDS.test(text)) return Math.min(Number(text) * 1_000, MOST_MS)
  const at = timeOf(text)
  // By the clock of the service itself, if it says what time it is.
  const left = at - (timeOf(date ?? '') || Date.now())
  return left > 0 ? Math.min(left, MOST_MS) : 0
}

/** Returns an HTTP-date in ms since the epoch; NaN: it is none. */
function timeOf(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
}
