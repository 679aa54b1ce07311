/** When the first and the last of some calls came, in ms since the epoch; null: unknown. */
export interface Period {
  readonly since: number | null
  readonly until: number | null
}

/** No call came before 2025: an earlier time is that of a clock that was never set. */
const FIRST = Date.UTC(2025, 0, 1)
/** How far clocks that are set right may differ; ms. */
export const APART_MS = 60_000

/**
 * Whether to believe that a call came at a time.
 * @param now the reader's time; by default, no time is too late. What is kept is read later, by other clocks.
 */
const isBelieved = (ms: number | null, now = Number.POSITIVE_INFINITY): ms is number =>
  ms !== null && ms >= FIRST && ms <= now + APART_MS

/** Returns what the reader believes of a period. If the last call came in the future, the first one is the last that is known. */
export function believed({ since, until }: Period, now: number): Period {
  const first = isBelieved(since, now) ? since : null
  return { since: first, until: isBelieved(until, now) ? until : first }
}

/** Returns when the last call came, as far as the reader believes it; 0: unknown. */
export const lastOf = (period: Period, now: number): number => believed(period, now).until ?? 0

/** Returns the earlier or the later of two times, by `pick`; null: neither is known. */
export function outermost(pick: typeof Math.min, one: number | null, other: number | null): number | null {
  if (!isBelieved(one)) return isBelieved(other) ? other : null
  return isBelieved(other) ? pick(one, other) : one
}

/** Writes what the reader believes of a period in ISO 8601. No time is later than now. */
export function shownPeriod(
  period: Period,
  now: number,
): { readonly since: string | null; readonly until: string | null } {
  const { since, until } = believed(period, now)
  return { since: isoOf(since, now), until: isoOf(until, now) }
}

const isoOf = (ms: number | null, now: number): string | null =>
  ms === null ? null : new Date(Math.min(ms, now)).toISOString()
