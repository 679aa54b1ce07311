import { DAY_MS } from '../../common/time.ts'
import type { Engine } from '../../state/sql.ts'
import { query, type SqlRow, type SqlValue, type Work } from '../../state/sql.ts'
import {
  KEPT_DAYS,
  type KnownLogin,
  type LoginPage,
  type LoginStore,
  MOST_AT_ONCE,
  MOST_LOGINS,
  MOST_OF_CLIENT,
} from './login-store.ts'

export interface LoginDatabase {
  readonly engine: Engine
  /** The schema that has the tables, as it is written in SQL. */
  readonly schema: string
  /** Runs one statement that reads. It runs every second, so it should take one round trip. */
  readonly look: (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>
}

/** The most rows that are read at once. */
const PAGE_ROWS = 1_000
/** Rows beyond the bounds are deleted each time that so many were written. */
const TRIM_EVERY = 100

/** Returns the part of a `LoginStore` that works on the database, for a thread of its own. The statements are the same on all engines. */
export function loginDb(database: LoginDatabase): LoginStore {
  const { engine } = database
  return {
    add: (logins) => engine.transaction((now) => addLogins(logins, now)),
    read: (after) => readPage(database, after),
    forget: (now) => engine.transaction((storesNow) => forgetOld(Math.min(now.getTime(), storesNow.getTime()))),
  }
}

/** Returns a `LoginDatabase` on an engine that has no round trips. */
export const localLogins = (engine: Engine): LoginDatabase => ({
  engine,
  schema: 'main',
  look: (text, values) => engine.transaction(() => query(text, ...values), 'read'),
})

function* addLogins(logins: readonly KnownLogin[], now: Date): Work<void> {
  if (logins.length === 0) return
  // Locks the row until the transaction ends: numbers become visible in their order, and no reader misses one.
  const [row] = yield* query<{ readonly number: unknown }>(TAKE_NUMBERS, logins.length)
  const last = Number(row?.number)
  const first = last - logins.length
  const values = logins.flatMap(({ hash, client }, at) => [hash, client, first + at + 1, now.toISOString()])
  yield* query(insertOf(logins.length), ...values)
  if (Math.floor(first / TRIM_EVERY) === Math.floor(last / TRIM_EVERY)) return
  const clients = [...new Set(logins.map(({ client }) => client))]
  yield* query(deleteBeyondOf(clients.length), ...clients)
  yield* query(DELETE_BEYOND)
}

const TAKE_NUMBERS = `
  INSERT INTO login_count (one, number) VALUES (1, $1)
  ON CONFLICT (one) DO UPDATE SET number = login_count.number + excluded.number RETURNING number`

const COLUMNS = 4
const insertOf = (rows: number): string => {
  const placesOf = (row: number) => Array.from({ length: COLUMNS }, (_, at) => `$${row * COLUMNS + at + 1}`).join(', ')
  return `
    INSERT INTO login (hash, client, number, at) VALUES ${Array.from({ length: rows }, (_, row) => `(${placesOf(row)})`).join(', ')}
    ON CONFLICT (hash) DO UPDATE SET client = excluded.client, number = excluded.number, at = excluded.at`
}

/** Deletes the oldest of clients that have too many. */
const deleteBeyondOf = (clients: number): string => `
  DELETE FROM login WHERE number IN (
    SELECT number FROM (
      SELECT number, row_number() OVER (PARTITION BY client ORDER BY number DESC) AS nth
      FROM login WHERE client IN (${Array.from({ length: clients }, (_, at) => `$${at + 1}`).join(', ')})) AS ordered
    WHERE nth > ${MOST_OF_CLIENT})`

/** Leaves room for those that are written until it runs again. */
const DELETE_BEYOND = `
  DELETE FROM login WHERE number <= (
    SELECT number FROM login ORDER BY number DESC LIMIT 1 OFFSET ${MOST_LOGINS - TRIM_EVERY - MOST_AT_ONCE})`

function* forgetOld(now: number): Work<void> {
  yield* query('DELETE FROM login WHERE at < $1', new Date(now - KEPT_DAYS * DAY_MS).toISOString())
}

/** Reads the latest number first: mostly nothing is new, and that costs the database least. */
async function readPage({ schema, look }: LoginDatabase, after: number): Promise<LoginPage> {
  const [count] = await look(`SELECT number FROM ${schema}.login_count`, [])
  const newest = Number(count?.number ?? 0)
  if (newest === after) return { logins: [], next: after, isLast: true }
  // If it is smaller, the database was restored, or another file took its place. Then all logins are read again.
  const rows = await look(
    `SELECT hash, client, number FROM ${schema}.login WHERE number > $1 ORDER BY number LIMIT ${PAGE_ROWS}`,
    [newest < after ? 0 : after],
  )
  const isLast = rows.length < PAGE_ROWS
  const last = Number(rows.at(-1)?.number ?? 0)
  return {
    logins: rows.map(({ hash, client }) => ({ hash: String(hash), client: String(client) })),
    next: isLast ? Math.max(newest, last) : last,
    isLast,
  }
}
