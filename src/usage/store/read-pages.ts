import { isoOf, query, type SqlValue, type Work } from '../../state/sql.ts'
import { addAgents, addSeen } from '../add-usage.ts'
import type { OperationUsage, WeekOfUsage } from '../usage.ts'
import type { UsageQuery } from '../usage-store.ts'
import { dayAt, dayNumber, dayOf } from './day-number.ts'
import { docIn, type UsageDoc } from './stored-doc.ts'

/** Some clients' rows. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The last client, after which to go on; undefined: there are no more. */
  readonly last: string | undefined
  /** Rows whose document is not readable; what they count is. */
  readonly unreadable: readonly UnreadableRow[]
}

export interface UnreadableRow {
  readonly client: string
  readonly day: string
  readonly operation: string
}

/**
 * So many clients are read at once, in the order of the key. `+day` keeps SQLite from finding them by the index of days, which is that
 * of all clients. A page takes milliseconds, so that nobody who stores results waits for long.
 */
const CLIENTS_AT_ONCE = 25
const WEEKS = 12

type Asked = Omit<UsageQuery, 'since'> & { readonly since: number }

/** Returns the sums of some clients since a day, after `after`. */
export function* usagePage(asked: UsageQuery, after: string): Work<Page<OperationUsage>> {
  const since = dayNumber(asked.since)
  const clients = yield* clientsAfter({ ...asked, since }, after)
  const [where, values] = conditionsOf({ ...asked, since }, clients)
  const sums = yield* query<SumRow>(`${SUMS} ${where} GROUP BY client, operation`, ...values)
  const docs = new Map<string, UsageDoc[]>(sums.map((row) => [keyOf(row), []]))
  const unreadable: UnreadableRow[] = []
  const rows = yield* query<DocRow>(`${DOCS} ${where}`, ...values)
  // Sorted here: a database may think that it had better read by the index of days, which is that of all clients.
  for (const row of rows.toSorted((one, other) => other.day - one.day)) {
    const doc = docIn(row.doc)
    if (doc === undefined) unreadable.push({ client: row.client, day: dayOf(row.day), operation: row.operation })
    else docs.get(keyOf(row))?.push(doc)
  }
  return { rows: sums.map((row) => usageOf(row, docs.get(keyOf(row)) ?? [])), last: lastOf(clients), unreadable }
}

type SumRow = Readonly<Record<'calls' | 'client_errors' | 'server_errors' | 'by_v1' | 'by_legacy', number | string>> & {
  readonly client: string
  readonly operation: string
  readonly first_at: unknown
  readonly last_at: unknown
}
const SUMS = `
  SELECT client, operation, sum(calls) AS calls, sum(client_errors) AS client_errors, sum(server_errors) AS server_errors,
    sum(by_v1) AS by_v1, sum(by_legacy) AS by_legacy, min(first_at) AS first_at, max(last_at) AS last_at FROM usage`

type DocRow = Readonly<Record<'client' | 'operation' | 'doc', string>> & { readonly day: number }
const DOCS = 'SELECT client, operation, day, doc FROM usage'

const keyOf = ({ client, operation }: { readonly client: string; readonly operation: string }): string =>
  JSON.stringify([client, operation])
/** @param docs the newest first. */
const usageOf = (row: SumRow, docs: readonly UsageDoc[]): OperationUsage => ({
  ...{ client: row.client, operation: row.operation, calls: Number(row.calls) },
  ...{ clientErrors: Number(row.client_errors), serverErrors: Number(row.server_errors) },
  ...{ byV1: Number(row.by_v1), byLegacy: Number(row.by_legacy) },
  ...{ firstAt: isoOf(row.first_at), lastAt: isoOf(row.last_at) },
  agents: docs.reduce<readonly string[]>((later, { agents }) => addAgents(later, agents), []),
  seen: addSeen(...docs.map(({ seen }) => seen)),
})

/** Returns the calls of some clients in the last 12 weeks, after `after`. */
export function* weeksPage(after: string, now: Date): Work<Page<WeekOfUsage>> {
  const today = dayAt(now)
  const since = today - WEEKS * 7 + 1
  const clients = yield* clientsAfter({ since }, after)
  const [where, values] = conditionsOf({ since }, clients)
  // A day that begins earlier at another's clock is part of this week.
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
    last: lastOf(clients),
    unreadable: [],
  }
}

type WeekRow = Readonly<Record<'client' | 'operation', string>> & Readonly<Record<'weeks' | 'calls', number | string>>

function* clientsAfter({ since, client, operation }: Asked, after: string): Work<readonly string[]> {
  if (client !== undefined) return after < client ? [client] : []
  const ofIt = operation === undefined ? [] : [operation]
  const rows = yield* query<{ readonly client: string }>(
    `SELECT DISTINCT client FROM usage WHERE client > $1 AND +day >= $2 ${ofIt.length > 0 ? 'AND operation = $3' : ''}
     ORDER BY client LIMIT ${CLIENTS_AT_ONCE}`,
    ...[after, since, ...ofIt],
  )
  return rows.map((row) => row.client)
}

const lastOf = (clients: readonly string[]): string | undefined =>
  clients.length < CLIENTS_AT_ONCE ? undefined : clients.at(-1)

/** By range: a list of names would be looked for one by one. */
function conditionsOf({ since, operation }: Asked, clients: readonly string[]): readonly [string, readonly SqlValue[]] {
  const values: SqlValue[] = [clients[0] ?? '', clients.at(-1) ?? '', since]
  const ofIt = operation === undefined ? '' : `AND operation = $${values.push(operation)}`
  return [`WHERE client >= $1 AND client <= $2 AND day >= $3 ${ofIt}`, values]
}
