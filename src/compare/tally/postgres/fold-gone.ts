import type { Database, Transaction } from '../../../state/postgres/database.ts'
import { goneProcesses, isGone, type Process } from '../../../state/postgres/heartbeat.ts'
import { type Lease, stillHolds } from '../../../state/postgres/lease.ts'
import { sumOf } from './sum-rows.ts'
import { COLUMNS, OF_ALL, readRow, type TallyRow, writeRows } from './tally-rows.ts'

/**
 * Adds the rows of processes that are gone to those of all, so that the table does not grow with restarts. A process that was
 * only paused finds itself in the table `folded` when it comes back, and goes on with a new incarnation.
 */
export async function foldGone(database: Database, lease: Lease): Promise<number> {
  const gone = await database.transaction(goneProcesses, 'read')
  let folded = 0
  for (const process of gone) {
    if (await database.transaction((transaction) => fold(transaction, process, lease, database.name))) folded++
  }
  return folded
}

async function fold(transaction: Transaction, process: Process, lease: Lease, name: string): Promise<boolean> {
  const { id, incarnation } = process
  if (!(await stillHolds(transaction, lease)) || !(await isGone(transaction, process))) return false
  const rows = await rowsOf(transaction, process)
  for (const row of rows) {
    const [ofAll] = await rowsOf(transaction, OF_ALL, row)
    const sum = sumOf([readRow(row, name), ...(ofAll === undefined ? [] : [readRow(ofAll, name)])])
    await writeRows(transaction, OF_ALL, { changed: [{ counts: sum.counts, stored: undefined }], dropped: [] }, sum.day)
  }
  await transaction.query('DELETE FROM tally WHERE replica = $1 AND incarnation = $2', [id, incarnation])
  await transaction.query(
    `WITH gone AS (DELETE FROM replica WHERE id = $1 AND incarnation = $2 RETURNING stored)
     INSERT INTO folded SELECT $1, $2, stored, clock_timestamp() FROM gone`,
    [id, incarnation],
  )
  return true
}

const rowsOf = (
  transaction: Transaction,
  { id, incarnation }: Process,
  of?: Pick<TallyRow, 'operation' | 'lineage'>,
): Promise<readonly TallyRow[]> =>
  transaction.query<TallyRow>(
    `SELECT ${COLUMNS} FROM tally WHERE replica = $1 AND incarnation = $2
       AND ($3::text IS NULL OR operation = $3) AND ($4::text IS NULL OR lineage = $4)`,
    [id, incarnation, of?.operation ?? null, of?.lineage ?? null],
  )
