import { escapeIdentifier } from 'pg'
import { end, holds, type Lease, type LeaseTimes, notFree, take } from '../lease.ts'
import type { Database, Transaction } from './database.ts'

/** `$3`: for how many seconds. */
const TIMES: LeaseTimes = {
  now: 'clock_timestamp()',
  until: 'clock_timestamp() + make_interval(secs => $3)',
}
const TAKE = take(TIMES)
const HOLDS = `${holds(TIMES.now)} FOR SHARE`
const END = end(TIMES.now)

interface Wanted {
  readonly name: string
  readonly holder: string
  readonly seconds: number
}

/** Takes a lease, or extends it, as `takeLease` does. Who does not get it asks with one statement and without a transaction. */
export async function seekLease(
  database: Pick<Database, 'query' | 'transaction'>,
  schema: string,
  wanted: Wanted,
): Promise<Lease | undefined> {
  const { name, holder, seconds } = wanted
  const held = await database.query(notFree(`${escapeIdentifier(schema)}.lease`, TIMES), [name, holder, seconds])
  return held.length > 0 ? undefined : database.transaction((transaction) => takeLease(transaction, wanted))
}

/**
 * Takes a lease, or extends it; undefined: another process holds it. It is a row and no lock of a session, which would not
 * outlive a transaction behind a pooler.
 */
export async function takeLease(
  transaction: Transaction,
  { name, holder, seconds }: Wanted,
): Promise<Lease | undefined> {
  const [row] = await transaction.query<{ readonly token: string }>(TAKE, [name, holder, seconds])
  return row && { name, holder, token: row.token }
}

/**
 * Whether a lease still holds. It cannot be taken over before the transaction ends. A holder that is paused for long and comes
 * back finds that it does not.
 */
export async function stillHolds(transaction: Transaction, { name, holder, token }: Lease): Promise<boolean> {
  const rows = await transaction.query(HOLDS, [name, holder, token])
  return rows.length === 1
}

/** Ends the leases of a holder that stops, so that nobody has to wait until they are over. */
export async function endLeases(transaction: Transaction, holder: string): Promise<void> {
  await transaction.query(END, [holder])
}
