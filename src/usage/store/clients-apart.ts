import { OTHERS, UNIDENTIFIED } from '../../observe/traffic.ts'
import { query, type Work } from '../../state/sql.ts'
import type { UsageRow } from '../usage.ts'
import { dayNumber } from './day-number.ts'

/** What a process remembers about a day, so that most portions need no query. */
export interface DayKnown {
  /** Clients that have a row. */
  readonly clients: ReadonlySet<string>
  /** Whether no other client gets one. */
  readonly isFull: boolean
}

export type Known = ReadonlyMap<string, DayKnown>

/** How many days are remembered: today, and those of late portions. */
const MOST_DAYS = 3
const NOTHING: DayKnown = { clients: new Set([OTHERS, UNIDENTIFIED]), isFull: false }

/**
 * Returns which clients have rows of their own on each day of the portion, at most `most`, and counts the new ones. Remember the
 * result once the transaction is committed. Only processes that bring a new client wait for each other.
 */
export function* clientsApart(rows: readonly UsageRow[], known: Known, most: number): Work<Known> {
  const apart = new Map(known)
  const byDay = Map.groupBy(rows, ({ day }) => day)
  for (const day of [...byDay.keys()].sort()) {
    const before = known.get(day) ?? NOTHING
    const met = new Set(byDay.get(day)?.map(({ client }) => client))
    const clients = [...met].filter((client) => !before.clients.has(client))
    apart.set(day, clients.length > 0 ? yield* meet(day, clients, before, most) : before)
  }
  return new Map([...apart].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, Math.max(MOST_DAYS, byDay.size)))
}

function* meet(day: string, clients: readonly string[], known: DayKnown, most: number): Work<DayKnown> {
  const there = new Set([...known.clients, ...(yield* clientsThere(day, clients))])
  const missing = clients.filter((client) => !there.has(client))
  if (known.isFull || missing.length === 0) return { ...known, clients: there }
  // Locks the day until the transaction ends. Then checks again, because another process may have added the same clients.
  const [row] = yield* query<{ readonly clients: number | string }>(LOCK, dayNumber(day))
  const many = Number(row?.clients)
  for (const client of yield* clientsThere(day, missing)) there.add(client)
  const added = missing.filter((client) => !there.has(client)).slice(0, Math.max(most - many, 0))
  if (added.length > 0) {
    yield* query('UPDATE usage_day SET clients = clients + $2 WHERE day = $1', dayNumber(day), added.length)
  }
  return { clients: new Set([...there, ...added]), isFull: many + added.length >= most }
}

const LOCK = `
  INSERT INTO usage_day (day, clients) VALUES ($1, 0)
  ON CONFLICT (day) DO UPDATE SET clients = usage_day.clients RETURNING clients`

function* clientsThere(day: string, clients: readonly string[]): Work<readonly string[]> {
  const rows = yield* query<{ readonly client: string }>(
    `SELECT DISTINCT client FROM usage WHERE day = $1 AND client IN (${clients.map((_, at) => `$${at + 2}`).join(', ')})`,
    ...[dayNumber(day), ...clients],
  )
  return rows.map(({ client }) => client)
}
