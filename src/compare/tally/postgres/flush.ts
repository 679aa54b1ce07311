import type { Database, Transaction } from '../../../state/postgres/database.ts'
import { type Beat, beat, beatValues, foldedUpTo, type Process, register } from '../../../state/postgres/heartbeat.ts'
import type { Replica, ReplicaStatus } from '../../../state/replicas.ts'
import type { Reset } from '../resets.ts'
import { addResets, announce } from './audit-rows.ts'
import { FOLDED_AFTER_MS } from './forget-old.ts'
import type { Changes, OwnTally } from './own-tally.ts'
import { beatWithPortion, deletePortions } from './portion-rows.ts'
import { writeRows } from './tally-rows.ts'

/** Where a process stores, and under which identity. */
interface FlushTarget {
  readonly database: Database
  readonly schema: string
  readonly process: Process
}

/** What to store in addition to the tally. */
export interface ToFlush {
  readonly resets: readonly Reset[]
  readonly status: ReplicaStatus & Pick<Replica, 'clockOffsetMs'>
}

/** `folded`: nothing was stored, because the rows of this process, up to that portion, were folded. */
type Flushed = Beat | { readonly folded: number }

/**
 * Stores new results. Usually this is the last portion, in one round trip. Now and then, and whenever it is unclear what is stored,
 * it is all rows of the process, in a transaction. Results that are stored twice count once.
 */
export async function flush(target: FlushTarget, own: OwnTally, { resets, status }: ToFlush): Promise<Flushed> {
  const { database, schema, process } = target
  if (!own.areRowsDue && resets.length === 0) {
    const values = beatValues(process, own.number, status)
    const found = await beatWithPortion(database, schema, values, own.unacknowledged())
    if (found !== undefined && isExpected(found, own)) {
      own.acknowledge()
      return found
    }
    // The database was restored, or does not know the process, so it is unclear what is stored.
    if (found !== undefined) own.distrust()
  }
  const { found, written } = await database.transaction((transaction) =>
    writeAll(transaction, target, own, { resets, status }),
  )
  if (written !== undefined) own.acknowledge(written)
  return found
}

const isExpected = ({ before }: Beat, own: OwnTally): boolean => before === own.number || before === own.acknowledged

async function writeAll(
  transaction: Transaction,
  { schema, process }: FlushTarget,
  own: OwnTally,
  { resets, status }: ToFlush,
): Promise<{ readonly found: Flushed; readonly written?: Changes }> {
  const values = beatValues(process, own.number, status)
  let found = await beat(transaction, schema, values)
  if (found === undefined) {
    const wasSilent = Date.now() - own.acknowledgedAt > FOLDED_AFTER_MS
    const folded = (await foldedUpTo(transaction, process)) ?? (wasSilent ? own.acknowledged : undefined)
    if (folded !== undefined) return { found: { folded } }
    found = await register(transaction, values)
    own.distrust()
  } else if (!isExpected(found, own)) own.distrust()
  const written = own.changes()
  await writeRows(transaction, process, written)
  await deletePortions(transaction, process)
  if (await addResets(transaction, resets)) await announce(transaction, schema)
  return { found, written }
}
