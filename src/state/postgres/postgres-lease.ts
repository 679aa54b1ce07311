import { escapeIdentifier } from 'pg'
import { end, holds, type Lease, type LeaseTimes, notFree, take } from '../lease.ts'
import type { Database, Transaction } from './database.ts'

/** `$3` is the length in seconds. */
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

/** Takes a lease, or extends it, as `takeLease` does. If another process holds it, this takes one statement and no transaction. */
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
 * Takes a lease, or extends it; undefined if another process holds it. The lease is a row: behind a pooler, a session lock would not
 * outlive a transaction.
 */
export async function takeLease(
  transaction: Transaction,
  { name, holder, seconds }: Wanted,
): Promise<Lease | undefined> {
  const [row] = await transaction.query<{ readonly token: string }>(TAKE, [name, holder, seconds])
  return row && { name, holder, token: row.token }
}

/**
 * Whether a lease still holds. Nobody can take it over before the transaction ends. A holder that comes back after a long pause
 * finds that it no longer holds.
 */
export async function stillHolds(transaction: Transaction, { name, holder, token }: Lease): Promise<boolean> {
  const rows = await transaction.query(HOLDS, [name, holder, token])
  return rows.length === 1
}

/** Ends the leases of a holder that stops, so that nobody has to wait until they expire. */
export async function endLeases(transaction: Transaction, holder: string): Promise<void> {
  await transaction.query(END, [holder])
}
