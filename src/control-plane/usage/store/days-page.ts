import { query, type Work } from '../../store/sql.ts'
import type { DayOfClient } from '../daily-usage.ts'
import { dayNumber, dayNumbered } from './day-number.ts'
import { clientsAfter, conditionsOf, type Page } from './read-pages.ts'

/**
 * Returns the calls of some clients by day, after `after`; the days of a client are in order.
 * @param since the first day; `YYYY-MM-DD`. @param most as in `usagePage`.
 */
export function* daysPage(since: string, after: string, most: number): Work<Page<DayOfClient>> {
  const asked = { since: dayNumber(since) }
  const { clients, last } = yield* clientsAfter(asked, after, most)
  if (clients.length === 0) return { rows: [], last, unreadable: [] }
  const [where, values] = conditionsOf(asked, clients)
  const rows = yield* query<DayRow>(
    `SELECT client, day, sum(calls) AS calls, sum(by_v1) AS by_v1, sum(by_legacy) AS by_legacy FROM usage ${where}
     GROUP BY client, day ORDER BY client, day`,
    ...values,
  )
  const days = new Map<number, string>()
  // The days of all clients are the same few, and writing a day takes longer than finding it.
  const nameOf = (day: number): string => {
    const name = days.get(day) ?? dayNumbered(day)
    days.set(day, name)
    return name
  }
  return {
    rows: rows.map(({ client, day, calls, by_v1, by_legacy }) => ({
      ...{ client, day: nameOf(day), calls: Number(calls) },
      ...{ byV1: Number(by_v1), byLegacy: Number(by_legacy) },
    })),
    last,
    unreadable: [],
  }
}

type DayRow = Readonly<Record<'calls' | 'by_v1' | 'by_legacy', number | string>> & {
  readonly client: string
  readonly day: number
}
