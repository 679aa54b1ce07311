import { escapeIdentifier } from 'pg'
import type { Database, Transaction } from './database.ts'

/** A lease that was granted. Every write of its holder checks it. */
export interface Lease {
  readonly name: string
  readonly holder: string
  /** The fencing token: grows with each holder. */
  readonly token: string
}

/** A lease that ends later than any that is given out now is from before the database's clock was set back. */
const FREE = `(held.holder = $2 OR held.until < clock_timestamp() OR held.until > clock_timestamp() + make_interval(secs => $3))`

/** Whether it is free is asked before the row is locked: nobody has to wait while the holder is at work. */
const TAKE = `
  INSERT INTO lease AS held (name, holder, token, until)
  SELECT $1, $2::text, 1, clock_timestamp() + make_interval(secs => $3)
  WHERE NOT EXISTS (SELECT 1 FROM lease AS held WHERE name = $1 AND NOT ${FREE})
  ON CONFLICT (name) DO UPDATE SET
    holder = excluded.holder, until = excluded.until,
    token = held.token + CASE WHEN held.holder = excluded.holder THEN 0 ELSE 1 END
  WHERE ${FREE}
  RETURNING token::text`

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
  const held = await database.query(
    `SELECT 1 FROM ${escapeIdentifier(schema)}.lease AS held WHERE name = $1 AND NOT ${FREE}`,
    [name, holder, seconds],
  )
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
  const rows = await transaction.query(
    'SELECT 1 FROM lease WHERE name = $1 AND holder = $2 AND token = $3 AND until > clock_timestamp() FOR SHARE',
    [name, holder, token],
  )
  return rows.length === 1
}

/** Ends the leases of a holder that stops, so that nobody has to wait until they are over. */
export async function endLeases(transaction: Transaction, holder: string): Promise<void> {
  await transaction.query(
    'UPDATE lease SET until = clock_timestamp() WHERE holder = $1 AND until > clock_timestamp()',
    [holder],
  )
}
