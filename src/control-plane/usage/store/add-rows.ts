import { OTHERS, UNIDENTIFIED } from '../../../observe/traffic.ts'
import { cleanText, isClean } from '../../store/clean-text.ts'
import { listed, query, type SqlValue, table, type Work } from '../../store/sql.ts'
import { addMarksOf } from '../brownouts/brownout-calls.ts'
import {
  addAgents,
  addSeen,
  addUsage,
  type Marks,
  MOST_AGENTS,
  NOTHING_SEEN,
  type Seen,
  type UsageRow,
} from '../usage.ts'
import { dayNumber } from './day-number.ts'
import { agentsIn, docIn, docText, NO_AGENTS, NO_DOC } from './read-pages.ts'

/** The most rows written with one statement. SQLite keeps one prepared statement for each number of rows. */
const AT_ONCE = 50

interface Stored {
  readonly [column: string]: unknown
  readonly agents: string
  readonly doc: string
}

const keyOf = (client: unknown, day: unknown, operation: unknown): string => `${client}\0${day}\0${operation}`

/** Adds rows to the stored ones. Each key must occur once, and the rows must be in order. */
export function* addRows(rows: readonly UsageRow[]): Work<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield* addSome(rows.slice(from, from + AT_ONCE))
}

function* addSome(rows: readonly UsageRow[]): Work<void> {
  // A new row begins without agents and marks, so that new and existing rows are written in the same way.
  const stored = yield* query<Stored>(insertOf(rows.length), ...rows.flatMap(valuesOf))
  const byKey = new Map(stored.map((one) => [keyOf(one.client, one.day, one.operation), one]))
  const changed = rows.flatMap((row) => {
    const { client, operation } = row
    const day = dayNumber(row.day)
    const there = byKey.get(keyOf(client, day, operation))
    if (there === undefined) return []
    const agents = addedAgents(there.agents, row)
    const doc = addedDoc(there.doc, row)
    return agents === there.agents && doc === there.doc ? [] : [[client, day, operation, agents, doc]]
  })
  if (changed.length > 0) {
    yield* query(writeOf(changed.length), ...changed.flat())
  }
}

const COLUMNS = [
  ...['client', 'day', 'operation', 'calls', 'client_errors', 'server_errors', 'by_v1', 'by_legacy'],
  ...['first_at', 'last_at', 'agents', 'doc'],
]

const valuesOf = (row: UsageRow): readonly SqlValue[] => [
  ...[row.client, dayNumber(row.day), row.operation],
  ...[row.calls, row.clientErrors, row.serverErrors, row.byV1, row.byLegacy, row.firstAt, row.lastAt],
  ...[NO_AGENTS, NO_DOC],
]

const ADD = `
  ON CONFLICT (client, day, operation) DO UPDATE SET
    calls = usage.calls + excluded.calls,
    client_errors = usage.client_errors + excluded.client_errors,
    server_errors = usage.server_errors + excluded.server_errors,
    by_v1 = usage.by_v1 + excluded.by_v1,
    by_legacy = usage.by_legacy + excluded.by_legacy,
    first_at = CASE WHEN excluded.first_at < usage.first_at THEN excluded.first_at ELSE usage.first_at END,
    last_at = CASE WHEN excluded.last_at > usage.last_at THEN excluded.last_at ELSE usage.last_at END
  RETURNING client, day, operation, agents, doc`

const DOC_COLUMNS = ['text', 'integer', 'text', 'text', 'text']
const WRITE_DOCS = 'UPDATE usage SET agents = new.column4, doc = new.column5 FROM'
const OF_KEY = 'AS new WHERE client = new.column1 AND day = new.column2 AND operation = new.column3'

/** A stored document that is unreadable starts over: it must not keep others from being stored. */
const addedDoc = (stored: string, { seen }: UsageRow): string => docText(addSeen(docIn(stored) ?? NOTHING_SEEN, seen))

/** Returns the stored text if it already holds these agents, as it usually does. */
function addedAgents(stored: string, { agents }: UsageRow): string {
  const given = JSON.stringify(agents)
  return given === stored ? stored : JSON.stringify(addAgents(agents, agentsIn(stored) ?? []))
}

/** Builds each statement once, because its text has hundreds of places. */
function byMany(textOf: (many: number) => string): (many: number) => string {
  const texts: string[] = []
  return (many) => {
    texts[many] ??= textOf(many)
    return texts[many]
  }
}

const insertOf = byMany((many) => `INSERT INTO usage (${COLUMNS.join(', ')}) VALUES ${table(many, COLUMNS)} ${ADD}`)
const writeOf = byMany((many) => `${WRITE_DOCS} (VALUES ${table(many, DOC_COLUMNS, DOC_COLUMNS)}) ${OF_KEY}`)

/** Longer texts are cut. Longer client names count as `OTHERS`, because two of them may begin alike. */
const LONGEST = 200

/** Returns rows that every database takes, with texts of bounded length. */
export const cleanRows = (rows: readonly UsageRow[]): readonly UsageRow[] =>
  rows.map((row) => ({
    ...row,
    client: row.client.length > LONGEST ? OTHERS : cleanText(row.client),
    agents: row.agents.slice(0, MOST_AGENTS).map(cut),
    seen: cleanSeen(row.seen),
  }))

const isFine = (text: string): boolean => text.length <= LONGEST && isClean(text)
const cut = (text: string): string => (isFine(text) ? text : cleanText(text.slice(0, LONGEST)))

const cleanSeen = (seen: Seen): Seen => {
  const clean = Object.entries(seen).map(([name, value]) => [
    name,
    typeof value === 'object' ? cleanMarks(value) : value,
  ])
  return Object.fromEntries(clean) as Seen
}

/** Nearly all names are clean, because they come from the mapping. */
function cleanMarks(marks: Marks): Marks {
  for (const name in marks) {
    if (!isFine(name)) return Object.fromEntries(Object.entries(marks).map(([name, calls]) => [cut(name), calls]))
  }
  return marks
}

/** Adds two rows of the same key. */
const added = (one: UsageRow, other: UsageRow): UsageRow => ({
  ...{ ...other, ...addUsage(one, other) },
  brownouts: addMarksOf(one.brownouts, other.brownouts),
})

/** Returns one row for each key, sorted by it, so that processes that write the same rows wait for each other in one order. */
export function inOrder(rows: readonly UsageRow[]): readonly UsageRow[] {
  const byKey = new Map<string, UsageRow>()
  for (const row of rows) {
    const key = `${row.client}\0${row.day}\0${row.operation}`
    const there = byKey.get(key)
    byKey.set(key, there === undefined ? row : added(there, row))
  }
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

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
    `SELECT DISTINCT client FROM usage WHERE day = $1 AND client IN ${listed(clients, 2)}`,
    ...[dayNumber(day), ...clients],
  )
  return rows.map(({ client }) => client)
}
