import { query, type Work } from '../../state/sql.ts'
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
