import { DAY_MS } from '../../../common/time.ts'
import { UNIDENTIFIED, UNKNOWN } from '../../../observe/traffic.ts'
import { isoOf, listed, query, type Work } from '../../store/sql.ts'
import type { UsageRow } from '../usage.ts'
import type { UsedAgain } from '../usage-store.ts'

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
    `SELECT operation, at FROM usage_last WHERE operation IN ${listed(operations, 1)}`,
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
