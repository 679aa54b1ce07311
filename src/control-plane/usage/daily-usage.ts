import { DAY_MS, dayOf } from '../../common/time.ts'
import type { UsageRow } from './usage.ts'

/** A client that called within these days still calls; whole days (UTC), up to and including today. */
export const SILENT_DAYS = 7

/** The calls of a day (UTC, `YYYY-MM-DD`), of all operations together. */
export interface DayOfUsage {
  readonly day: string
  readonly calls: number
  /** Which side answered; neither did where a brownout refused the call. */
  readonly byV1: number
  readonly byLegacy: number
}

export interface DayOfClient extends DayOfUsage {
  readonly client: string
}

/** The days on which a client called, within the days that were read. */
export interface CallingDays {
  readonly last: string
  /** The last time that it called after `SILENT_DAYS` or more without a call. Undefined: there was no such pause. */
  readonly cameBack: { readonly day: string; readonly before: string } | undefined
}

/** Calls by day, and when each client called. */
export interface DailyUsage {
  /** The days with calls, the oldest first. */
  readonly days: readonly DayOfUsage[]
  readonly clients: ReadonlyMap<string, CallingDays>
}

/**
 * Adds up the calls of days.
 * @param stored pages, in each of which the days of a client are in order. @param unstored what is counted since.
 * @param since the first day; `YYYY-MM-DD`.
 */
export async function addUpDays(
  stored: AsyncIterable<readonly DayOfClient[]>,
  unstored: readonly UsageRow[],
  since: string,
): Promise<DailyUsage> {
  const days = new Map<string, { calls: number; byV1: number; byLegacy: number }>()
  const clients = new Map<string, CallingDays>()
  const add = ({ client, day, calls, byV1, byLegacy }: DayOfClient): void => {
    const sum = days.get(day) ?? { calls: 0, byV1: 0, byLegacy: 0 }
    sum.calls += calls
    sum.byV1 += byV1
    sum.byLegacy += byLegacy
    days.set(day, sum)
    const before = clients.get(client)
    if (before !== undefined && day <= before.last) return
    const isBack = before !== undefined && daysBetween(before.last, day) >= SILENT_DAYS
    clients.set(client, { last: day, cameBack: isBack ? { day, before: before.last } : before?.cameBack })
  }
  for await (const page of stored) page.forEach(add)
  unstored
    .filter(({ day }) => day >= since)
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .forEach(add)
  return {
    days: [...days].map(([day, sum]) => ({ day, ...sum })).sort((a, b) => (a.day < b.day ? -1 : 1)),
    clients,
  }
}

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Returns the first day of `SILENT_DAYS`: a client has stopped if its last call came before. */
export const silentSince = (now: number): string => dayOf(now - (SILENT_DAYS - 1) * DAY_MS)
