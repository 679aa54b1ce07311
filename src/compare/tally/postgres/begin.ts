import type { Transaction } from '../../../state/postgres/database.ts'

/** Returns when the results begin, ISO 8601. If that is not stored yet, stores `since`, or now by the database's clock. */
export async function begin(transaction: Transaction, since: string | undefined): Promise<string> {
  await transaction.query(
    'INSERT INTO begun (at) VALUES (coalesce($1::timestamptz, clock_timestamp())) ON CONFLICT DO NOTHING',
    [since ?? null],
  )
  const [row] = await transaction.query<{ readonly ms: number }>(
    'SELECT round(extract(epoch FROM at) * 1000)::float8 AS ms FROM begun',
  )
  return new Date(row?.ms ?? Number.NaN).toISOString()
}

/** Returns the last portion that any thread of a process stored, even if its rows were folded since; 0: none. */
export async function storedBy(transaction: Transaction, id: string, start: string): Promise<number> {
  const of = [id, `${start}.`]
  // Waits for the previous thread's last transaction, which may still be committing.
  await transaction.query('SELECT 1 FROM replica WHERE id = $1 AND starts_with(incarnation, $2) FOR UPDATE', of)
  const [row] = await transaction.query<{ readonly stored: number }>(
    `SELECT coalesce(max(stored), 0)::float8 AS stored FROM (
       SELECT id, incarnation, stored FROM replica UNION ALL SELECT id, incarnation, stored FROM folded) AS process
     WHERE id = $1 AND starts_with(incarnation, $2)`,
    of,
  )
  return row?.stored ?? 0
}
