import type { Lease } from '../../../state/lease.ts'
import type { Database, Transaction } from '../../../state/postgres/database.ts'
import type { GoneWatch } from '../../../state/postgres/heartbeat.ts'
import { goneProcesses, isGone, type Process } from '../../../state/postgres/heartbeat.ts'
import { stillHolds } from '../../../state/postgres/postgres-lease.ts'
import { StateError } from '../../../state/state-error.ts'
import { lineageKey } from '../../lineage.ts'
import type { KeptCounts } from '../state-store.ts'
import { deletePortions, readPortions } from './portion-rows.ts'
import { byLineage, lastDay, sumOf, TODAY } from './sum-rows.ts'
import { COLUMNS, OF_ALL, readRow, type TallyRow, writeRows } from './tally-rows.ts'

/**
 * Folds the rows of processes that are gone, so that the table does not grow with restarts. A process that was only paused finds
 * itself in the table `folded` when it comes back, and continues as a new incarnation. Rows of a newer gateway with members that
 * this one does not know are left for newer ones to fold.
 * @returns how many processes were folded.
 * @throws StateError if a row cannot be read, after the other processes were folded.
 */
export async function foldGone(database: Database, lease: Lease, watch: GoneWatch): Promise<number> {
  const gone = watch.certain(await database.transaction(goneProcesses, 'read'))
  let folded = 0
  const failures: unknown[] = []
  for (const process of gone) {
    try {
      if (await database.transaction((transaction) => fold(transaction, process, lease, database.name))) folded++
    } catch (error) {
      if (error instanceof Newer) continue
      // A row that cannot be read must not keep the others from being folded.
      if (!(error instanceof StateError) || error.isBusy) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return folded
}

/** Thrown to roll back when a newer gateway wrote a row. */
class Newer extends Error {}

function refuseUnknown(stored: unknown, read: unknown): void {
  if (hasUnknownMembers(stored, read)) throw new Newer()
}

async function fold(transaction: Transaction, process: Process, lease: Lease, name: string): Promise<boolean> {
  const { id, incarnation } = process
  if (!(await stillHolds(transaction, lease)) || !(await isGone(transaction, process))) return false
  const read = (row: TallyRow): KeptCounts => {
    const kept = readRow(row, name)
    refuseUnknown(row.counts, kept.counts)
    return kept
  }
  const own = (await rowsOf(transaction, process)).map(read)
  const [{ today } = { today: '' }] = await transaction.query<{ readonly today: string }>(TODAY)
  const portions = (await readPortions(transaction, name, process, refuseUnknown)).map((counts) => ({
    day: today,
    counts,
  }))
  for (const [, gone] of byLineage([...own, ...portions])) {
    const ofAll = await rowsOf(transaction, OF_ALL, gone[0])
    const all = [...gone, ...ofAll.map(read)]
    const counts = sumOf(all.map((one) => one.counts))
    await writeRows(transaction, OF_ALL, { changed: [{ counts, written: undefined }], dropped: [] }, lastDay(all))
  }
  await transaction.query('DELETE FROM tally WHERE replica = $1 AND incarnation = $2', [id, incarnation])
  await deletePortions(transaction, process)
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
  of?: KeptCounts,
): Promise<readonly TallyRow[]> =>
  transaction.query<TallyRow>(
    `SELECT ${COLUMNS} FROM tally WHERE replica = $1 AND incarnation = $2
       AND ($3::text IS NULL OR operation = $3) AND ($4::text IS NULL OR lineage = $4)`,
    [id, incarnation, of?.counts.operation ?? null, of === undefined ? null : lineageKey(of.counts.lineage)],
  )

/**
 * Whether stored JSON has a member that is missing in its parsed form. A newer gateway has then written it, and this one must not
 * overwrite the row.
 */
function hasUnknownMembers(stored: unknown, read: unknown): boolean {
  if (typeof stored !== 'object' || stored === null || typeof read !== 'object' || read === null) return false
  return Object.entries(stored).some(
    ([name, value]) =>
      !Object.hasOwn(read, name) || hasUnknownMembers(value, (read as Readonly<Record<string, unknown>>)[name]),
  )
}
