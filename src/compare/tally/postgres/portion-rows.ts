import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Database, Transaction } from '../../../state/postgres/database.ts'
import { type Beat, beat, type Process } from '../../../state/postgres/heartbeat.ts'
import { StateError } from '../../../state/state-error.ts'
import { type OperationCounts, operationCounts } from '../operation-counts.ts'

// The table `portion`: what a process has found since its rows in `tally` were written. A portion is never changed.

/**
 * Says that a process is alive and stores a portion, once however often it is sent, in one round trip: this is what each replica
 * does each second. If there is no portion, it is stored already, or the database does not know the process, only the heartbeat
 * happens, or nothing.
 */
export function beatWithPortion(
  database: Pick<Database, 'query'>,
  schema: string,
  values: readonly unknown[],
  operations: readonly OperationCounts[] | undefined,
): Promise<Beat | undefined> {
  const portion = operations === undefined ? null : deflateRawSync(JSON.stringify(operations), { level: 1 })
  return beat(database, schema, values, portion)
}

/** Deletes the portions of a process, which are in its rows now. */
export async function deletePortions(transaction: Transaction, { id, incarnation }: Process): Promise<void> {
  await transaction.query('DELETE FROM portion WHERE replica = $1 AND incarnation = $2', [id, incarnation])
}

interface PortionRow {
  readonly [column: string]: unknown
  readonly replica: string
  readonly number: string
  readonly counts: Buffer
}

const stored = operationCounts.array()

/**
 * Returns what is in the portions of a process, or of all.
 * @param check sees each portion as it is stored and as it was read, and may throw.
 * @throws StateError that names the malformed row, and says what to do.
 */
export async function readPortions(
  transaction: Transaction,
  name: string,
  process?: Process,
  check?: (stored: unknown, read: unknown) => void,
): Promise<readonly OperationCounts[]> {
  const rows = await transaction.query<PortionRow>(
    `SELECT replica, incarnation, number::text, counts FROM portion
     WHERE $1::text IS NULL OR (replica = $1 AND incarnation = $2) ORDER BY replica, incarnation, portion.number`,
    [process?.id ?? null, process?.incarnation ?? null],
  )
  return rows.flatMap((row) => {
    let json: unknown
    let read: readonly OperationCounts[]
    try {
      json = JSON.parse(inflateRawSync(row.counts).toString())
      read = stored.parse(json)
    } catch (error) {
      throw new StateError(
        `${name}: portion ${row.number} of replica ${row.replica} cannot be read; restore the table portion from a backup, or delete the row`,
        false,
        { cause: error },
      )
    }
    check?.(json, read)
    return read
  })
}
