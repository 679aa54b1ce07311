import { DAY_MS } from '../../common/time.ts'
import { UNIDENTIFIED, UNKNOWN } from '../../observe/traffic.ts'
import { isoOf, query, type Work } from '../../state/sql.ts'
import type { UsageRow } from '../usage.ts'
import type { UsedAgain } from '../usage-store.ts'

/**
 * Stores the number of a process's portion, in the transaction that adds it.
 * @returns the answer given when the portion was added before; undefined if it is new.
 */
export function* takeNumber(process: string, number: number, now: Date): Work<readonly UsedAgain[] | undefined> {
  const taken = yield* query(TAKE, process, number, now.toISOString())
  if (taken.length > 0) return undefined
  const [row] = yield* query<{ readonly again: string }>(
    'SELECT again FROM usage_writer WHERE process = $1 AND stored = $2',
    ...[process, number],
  )
  return row === undefined ? [] : JSON.parse(row.again)
}

const TAKE = `
  INSERT INTO usage_writer (process, stored, again, seen_at) VALUES ($1, $2, '[]', $3)
  ON CONFLICT (process) DO UPDATE SET stored = excluded.stored, again = excluded.again, seen_at = excluded.seen_at
  WHERE usage_writer.stored < excluded.stored RETURNING process`

/** Keeps the answer, in case the process does not receive it and asks again. */
export function* keepAnswer(process: string, again: readonly UsedAgain[]): Work<void> {
  if (again.length === 0) return
  yield* query('UPDATE usage_writer SET again = $2 WHERE process = $1', process, JSON.stringify(again))
}

/** After this long without a call, the next call of an operation counts as using it again. */
const UNUSED_MS = 7 * DAY_MS
/** How exactly the time of the last call is stored, so that not every portion writes it. */
const EXACTLY_MS = 60_000

/** Stores when each operation was last called, and returns those that are called again. If several processes ask, only one gets them. */
export function* noteUse(rows: readonly UsageRow[]): Work<readonly UsedAgain[]> {
  const used = Map.groupBy(rows.filter(isUse), ({ operation }) => operation)
  if (used.size === 0) return []
  const before = yield* lastCalls([...used.keys()])
  const again: UsedAgain[] = []
  // A fixed order, so that processes cannot deadlock.
  for (const operation of [...used.keys()].sort()) {
    const calls = used.get(operation) as readonly UsageRow[]
    const first = calls.reduce((one, other) => (other.firstAt < one.firstAt ? other : one))
    const lastAt = calls.reduce((at, row) => (row.lastAt > at ? row.lastAt : at), '')
    const last = before.get(operation)
    const isMoved = yield* move(operation, last, lastAt)
    if (!isMoved || last === undefined || elapsed(last, first.firstAt) < UNUSED_MS) continue
    again.push({ operation, client: first.client, before: last, at: first.firstAt })
  }
  return again
}

/** Garbage that a service refused does not count as use of an operation. */
const isUse = ({ client, operation, calls, clientErrors, serverErrors }: UsageRow): boolean =>
  operation !== UNKNOWN && (client !== UNIDENTIFIED || calls > clientErrors + serverErrors)

const elapsed = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

function* lastCalls(operations: readonly string[]): Work<ReadonlyMap<string, string>> {
  const rows = yield* query<{ readonly operation: string; readonly at: unknown }>(
    `SELECT operation, at FROM usage_last WHERE operation IN (${operations.map((_, at) => `$${at + 1}`).join(', ')})`,
    ...operations,
  )
  return new Map(rows.map(({ operation, at }) => [operation, isoOf(at)]))
}

/** Moves the stored time on from `last`. Returns whether it did: if several processes try, only one succeeds. */
function* move(operation: string, last: string | undefined, to: string): Work<boolean> {
  if (last === undefined) {
    yield* query('INSERT INTO usage_last (operation, at) VALUES ($1, $2) ON CONFLICT DO NOTHING', operation, to)
    return false
  }
  if (elapsed(last, to) < EXACTLY_MS) return false
  const moved = yield* query(
    'UPDATE usage_last SET at = $3 WHERE operation = $1 AND at = $2 RETURNING operation',
    ...[operation, last, to],
  )
  return moved.length > 0
}
