import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Database, Transaction } from '../../../state/postgres/database.ts'
import { type Beat, beat, type Process } from '../../../state/postgres/heartbeat.ts'
import { StateError } from '../../../state/state-error.ts'
import { type OperationCounts, operationCounts } from '../operation-counts.ts'

// The table `portion`: a process's results since its rows in `tally` were written. A portion is never changed.

/**
 * Stores a heartbeat and a portion in one round trip; each replica does so once a second. A portion that is sent again is stored
 * only once. If there is no new portion, only the heartbeat is stored; if the database does not know the process, nothing is.
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

/** Deletes the portions of a process, once its rows include them. */
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
 * Returns the counts in the portions of one process, or of all.
 * @param check called with each portion as stored and as read; it may throw.
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
