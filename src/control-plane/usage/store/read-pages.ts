import { isoOf, listed, query, type SqlValue, type Work } from '../../store/sql.ts'
import {
  addAgents,
  addSeen,
  addUsage,
  type Marks,
  NOTHING_SEEN,
  type OperationUsage,
  type Seen,
  type WeekOfUsage,
} from '../usage.ts'
import type { UsageQuery } from '../usage-store.ts'
import { dayAt, dayNumber, dayNumbered } from './day-number.ts'

/** A page of the stored usage: the rows of some clients, in order of their names. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The last client, after which the next page begins; undefined if there are no more. */
  readonly last: string | undefined
  /** Rows whose document cannot be read. Their counts can, and are included. */
  readonly unreadable: readonly UnreadableRow[]
}

/** The key of a row whose document cannot be read. */
export interface UnreadableRow {
  readonly client: string
  readonly day: string
  readonly operation: string
}

/** How many clients a page looks at, in the order of the key: more only if the first have few rows, since it counts the rows of all. */
const LOOKS = [25, 100]
/** A page looks at more clients if the first have at most this part of the rows that it may have. */
const FEW = 4
const WEEKS = 12

type Asked = Omit<UsageQuery, 'since'> & { readonly since: number }

/**
 * Returns the sums of some clients since a day, after `after`.
 * @param most rows to read, unless the first client has more. This keeps writers from waiting for long.
 */
export function* usagePage(asked: UsageQuery, after: string, most: number): Work<Page<OperationUsage>> {
  const since = dayNumber(asked.since)
  const { clients, last } = yield* clientsAfter({ ...asked, since }, after, most)
  if (clients.length === 0) return { rows: [], last, unreadable: [] }
  const [where, values] = conditionsOf({ ...asked, since }, clients)
  const groups = yield* query<GroupRow>(`${SUMS} ${where} GROUP BY client, operation, agents`, ...values)
  const unreadable: UnreadableRow[] = []
  const sums = new Map<string, OperationUsage>()
  // The latest agents first.
  for (const group of groups.toSorted((one, other) => other.last_day - one.last_day)) {
    const agents = agentsIn(group.agents)
    if (agents === undefined) unreadable.push(nameOf(group, group.last_day))
    const key = keyOf(group)
    sums.set(key, added(sums.get(key), group, agents ?? []))
  }
  if (asked.isSummary === true) return { rows: [...sums.values()], last, unreadable }
  const seen = new Map<string, Seen[]>()
  for (const row of yield* query<DocRow>(`${DOCS} ${where}`, ...values)) {
    const doc = docIn(row.doc)
    const key = keyOf(row)
    const others = seen.get(key)
    if (doc === undefined) unreadable.push(nameOf(row, row.day))
    else if (others === undefined) seen.set(key, [doc])
    else others.push(doc)
  }
  const rows = [...sums].map(([key, sum]) => ({ ...sum, seen: addSeen(...(seen.get(key) ?? [])) }))
  return { rows, last, unreadable }
}

/** The most rows of a page where nobody waits. */
const LARGE_PAGE = 50_000

/** Returns the sums of all clients since a day, YYYY-MM-DD, at once. */
export function* wholeUsage(since: string): Work<readonly OperationUsage[]> {
  const all: OperationUsage[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { rows, last }: Page<OperationUsage> = yield* usagePage({ since }, after, LARGE_PAGE)
    for (const row of rows) all.push(row)
    after = last
  }
  return all
}

type GroupRow = Readonly<Record<'calls' | 'client_errors' | 'server_errors' | 'by_v1' | 'by_legacy', number | string>> &
  Readonly<Record<'client' | 'operation' | 'agents', string>> & {
    readonly first_at: unknown
    readonly last_at: unknown
    readonly last_day: number
  }
const SUMS = `
  SELECT client, operation, agents, max(day) AS last_day, sum(calls) AS calls, sum(client_errors) AS client_errors,
    sum(server_errors) AS server_errors, sum(by_v1) AS by_v1, sum(by_legacy) AS by_legacy, min(first_at) AS first_at,
    max(last_at) AS last_at FROM usage`

type DocRow = Readonly<Record<'client' | 'operation' | 'doc', string>> & { readonly day: number }
const DOCS = 'SELECT client, operation, day, doc FROM usage'

type Named = Readonly<Record<'client' | 'operation', string>>
const keyOf = ({ client, operation }: Named): string => `${client}\0${operation}`
const nameOf = ({ client, operation }: Named, day: number): UnreadableRow => ({
  client,
  day: dayNumbered(day),
  operation,
})

/** Adds a group to the later groups of the same client and operation. */
function added(later: OperationUsage | undefined, group: GroupRow, agents: readonly string[]): OperationUsage {
  const own: OperationUsage = {
    ...{ client: group.client, operation: group.operation, calls: Number(group.calls) },
    ...{ clientErrors: Number(group.client_errors), serverErrors: Number(group.server_errors) },
    ...{ byV1: Number(group.by_v1), byLegacy: Number(group.by_legacy) },
    ...{ firstAt: isoOf(group.first_at), lastAt: isoOf(group.last_at), agents, seen: NOTHING_SEEN },
  }
  if (later === undefined) return own
  // Within the same day, the order of agents is unknown.
  return { ...own, ...addUsage(own, later), agents: addAgents(later.agents, agents) }
}

/** Returns the calls of some clients in the last 12 weeks, after `after`. */
export function* weeksPage(after: string, most: number, now: Date): Work<Page<WeekOfUsage>> {
  const today = dayAt(now)
  const since = today - WEEKS * 7 + 1
  const { clients, last } = yield* clientsAfter({ since }, after, most)
  if (clients.length === 0) return { rows: [], last, unreadable: [] }
  const [where, values] = conditionsOf({ since }, clients)
  // A day that has begun earlier by another process's clock is part of this week.
  const week = `(CAST($${values.length + 1} AS integer) - day) / 7`
  const rows = yield* query<WeekRow>(
    `SELECT client, operation, ${week} AS weeks, sum(calls) AS calls FROM usage ${where} AND day < $${values.length + 2}
     GROUP BY client, operation, weeks ORDER BY client, operation, weeks`,
    ...[...values, today, today + 7],
  )
  return {
    rows: rows.map(({ client, operation, weeks, calls }) => ({
      ...{ client, operation, weeksAgo: Number(weeks), calls: Number(calls) },
    })),
    last,
    unreadable: [],
  }
}

type WeekRow = Readonly<Record<'client' | 'operation', string>> & Readonly<Record<'weeks' | 'calls', number | string>>

export interface Clients {
  readonly clients: readonly string[]
  /** Undefined if there are no more. */
  readonly last: string | undefined
}

/** Returns the next clients. `+day` keeps databases from using the index of days, which covers all clients. */
export function* clientsAfter({ since, client, operation }: Asked, after: string, mostRows: number): Work<Clients> {
  if (client !== undefined) return { clients: after < client ? [client] : [], last: undefined }
  const ofIt = operation === undefined ? [] : [operation]
  const clients: string[] = []
  let read = 0
  for (const most of LOOKS) {
    const rows = yield* query<{ readonly client: string; readonly rows: number | string }>(
      `SELECT client, count(*) AS rows FROM usage WHERE client > $1 AND +day >= $2 ${ofIt.length > 0 ? 'AND operation = $3' : ''}
       GROUP BY client ORDER BY client LIMIT ${most}`,
      ...[clients.at(-1) ?? after, since, ...ofIt],
    )
    for (const row of rows) {
      read += Number(row.rows)
      if (clients.length > 0 && read > mostRows) return { clients, last: clients.at(-1) }
      clients.push(row.client)
    }
    if (rows.length < most) return { clients, last: undefined }
    if (read > mostRows / FEW) break
  }
  return { clients, last: clients.at(-1) }
}

/** Selects clients by name: a range would go through all their days. */
export function conditionsOf(
  { since, operation }: Asked,
  clients: readonly string[],
): readonly [string, readonly SqlValue[]] {
  const values: SqlValue[] = [since, ...clients]
  const ofIt = operation === undefined ? '' : `AND operation = $${values.push(operation)}`
  return [`WHERE day >= $1 AND client IN ${listed(clients, 2)} ${ofIt}`, values]
}

/** The stored form of no agents, and of nothing shown by calls. */
export const NO_AGENTS = '[]'
export const NO_DOC = '{}'

/** Returns the stored form of what calls showed: JSON, without empty members. */
export const docText = (seen: Seen): string =>
  JSON.stringify(Object.fromEntries(Object.entries(seen).filter(([, value]) => !isEmpty(value))))

const isEmpty = (value: number | Marks): boolean =>
  typeof value === 'number' ? value === 0 : Object.keys(value).length === 0

type StoredDoc = Readonly<Record<keyof Seen, never>>

/** Reads a stored document; undefined if the text is not one. Checked by hand, because a report reads hundreds of thousands. */
export function docIn(text: string): Seen | undefined {
  try {
    const doc: StoredDoc = JSON.parse(text)
    const { calls = 0, other = 0, chosen = 0 } = doc
    if (!(isCount(calls) && isCount(other) && isCount(chosen))) return undefined
    return {
      calls,
      ...(chosen > 0 && { chosen }),
      members: marksIn(doc.members),
      empty: marksIn(doc.empty),
      removed: marksIn(doc.removed),
      ...('forms' in doc && { forms: marksIn(doc.forms) }),
      other,
      answered: marksIn(doc.answered),
      statuses: marksIn(doc.statuses),
      violations: marksIn(doc.violations),
      languages: marksIn(doc.languages),
    }
  } catch {
    return undefined
  }
}

/** Reads stored agents; undefined if the text is not a JSON list of strings. */
export function agentsIn(text: string): readonly string[] | undefined {
  try {
    const agents: unknown = JSON.parse(text)
    return Array.isArray(agents) && agents.every((one) => typeof one === 'string') ? agents : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const NO_MARKS: Marks = {}

function marksIn(value: unknown = NO_MARKS): Marks {
  if (typeof value !== 'object' || value === null) throw new Error('these are not counts by name')
  const marks = value as Marks
  for (const name in marks) if (!isCount(marks[name])) throw new Error('these are not counts by name')
  return marks
}
