import { DAY_MS, HOUR_MS } from '../../../common/time.ts'

const CHOICES = ['yesterday', 'week', 'visit'] as const
export type SinceChoice = (typeof CHOICES)[number]

/** From when on the page Switch-off tells changes; ms since the epoch. */
export interface Since {
  readonly choice: SinceChoice
  readonly from: number
  /** When the last page of the visit before this one was shown; undefined: no earlier visit is known. */
  readonly lastVisit: number | undefined
  /** The cookie to set, which remembers this visit. */
  readonly cookie: string
}

/** The cookie with the end of the visit before, and with the last page of this one: two numbers of ms since the epoch. */
export const VISIT_COOKIE = 'legacy-gateway-visit'
/** A visit is over after this long without a page. */
const VISIT_MS = HOUR_MS

/**
 * Reads from when on changes are asked for. Without a known visit, or with an unknown choice, that is yesterday at this time.
 * @param cookie the value of `VISIT_COOKIE`, as the browser sent it.
 */
export function readSince(choice: string | undefined, cookie: string | undefined, now: number): Since {
  const [before, latest] = visitsIn(cookie, now)
  const isNew = latest !== undefined && now - latest >= VISIT_MS
  const lastVisit = isNew ? latest : before
  const asked = CHOICES.find((name) => name === choice) ?? 'yesterday'
  const remembered = { lastVisit, cookie: `${lastVisit ?? 0}-${now}` }
  if (asked === 'week') return { choice: asked, from: now - 7 * DAY_MS, ...remembered }
  if (asked === 'visit' && lastVisit !== undefined) return { choice: asked, from: lastVisit, ...remembered }
  return { choice: 'yesterday', from: now - DAY_MS, ...remembered }
}

function visitsIn(cookie: string | undefined, now: number): readonly (number | undefined)[] {
  const [, ...times] = /^(\d{1,15})-(\d{1,15})$/.exec(cookie ?? '') ?? []
  return times.map(Number).map((at) => (at > 0 && at <= now ? at : undefined))
}
