import type { Transaction } from '../../../state/postgres/database.ts'
import type { Process } from '../../../state/postgres/heartbeat.ts'
import { StateError } from '../../../state/state-error.ts'
import { type OperationCounts, operationCounts } from '../operation-counts.ts'
import { jsonOf } from './jsonb.ts'

// The table `portion`: what a process has found since its rows in `tally` were written. A portion is never changed.

/** Stores a portion, once however often it is sent. */
export async function writePortion(
  transaction: Transaction,
  { id, incarnation }: Process,
  number: number,
  operations: readonly OperationCounts[],
): Promise<void> {
  await transaction.query('INSERT INTO portion VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
    ...[id, incarnation, number, jsonOf(operations)],
  ])
}

/** Deletes the portions of a process, which are in its rows now. */
export async function deletePortions(transaction: Transaction, { id, incarnation }: Process): Promise<void> {
  await transaction.query('DELETE FROM portion WHERE replica = $1 AND incarnation = $2', [id, incarnation])
}

interface PortionRow {
  readonly [column: string]: unknown
  readonly replica: string
  readonly number: string
  readonly counts: unknown
}

const stored = operationCounts.array()

/**
 * Returns what is in the portions of a process, or of all.
 * @throws StateError that names the malformed row, and says what to do.
 */
export async function readPortions(
  transaction: Transaction,
  name: string,
  process?: Process,
): Promise<readonly OperationCounts[]> {
  const rows = await transaction.query<PortionRow>(
    `SELECT replica, incarnation, number::text, counts FROM portion
     WHERE $1::text IS NULL OR (replica = $1 AND incarnation = $2) ORDER BY replica, incarnation, portion.number`,
    [process?.id ?? null, process?.incarnation ?? null],
  )
  return rows.flatMap((row) => {
    const { success, data, error } = stored.safeParse(row.counts)
    if (success) return data
    throw new StateError(
      `${name}: portion ${row.number} of replica ${row.replica} cannot be read; restore the table portion from a backup, or delete the row`,
      false,
      { cause: error },
    )
  })
}
