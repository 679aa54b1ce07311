import { query, type Work } from './sql.ts'

/** A lease that was granted. Every write of its holder checks it. */
export interface Lease {
  readonly name: string
  readonly holder: string
  /** The fencing token: grows with each holder. */
  readonly token: string
}

/** How SQL expresses times for a database: now, and the end of a lease that is granted now. */
export interface LeaseTimes {
  readonly now: string
  readonly until: string
}

/**
 * Whether a lease is free for the holder `$2`. A lease that ends later than one granted now dates from before the clock was set
 * back, and is free too.
 */
const isFree = ({ now, until }: LeaseTimes): string =>
  `(held.holder = $2 OR held.until <= ${now} OR held.until > ${until})`

/** Finds the row of the lease `$1` if it is not free. Ask this first: unlike `take`, it makes nobody wait while the holder is at work. */
export const notFree = (table: string, times: LeaseTimes): string =>
  `SELECT 1 AS one FROM ${table} AS held WHERE name = $1 AND NOT ${isFree(times)}`

/** Takes or extends the lease `$1` for the holder `$2`, and returns its token; returns no row if another process holds it. */
export const take = (times: LeaseTimes): string => `
  INSERT INTO lease AS held (name, holder, token, until)
  SELECT CAST($1 AS text), CAST($2 AS text), 1, ${times.until} WHERE NOT EXISTS (${notFree('lease', times)})
  ON CONFLICT (name) DO UPDATE SET
    holder = excluded.holder, until = excluded.until,
    token = held.token + CASE WHEN held.holder = excluded.holder THEN 0 ELSE 1 END
  WHERE ${isFree(times)}
  RETURNING CAST(token AS text) AS token`

/** Finds the row of the lease `$1` while the holder `$2` has it under the token `$3`. */
export const holds = (now: string): string =>
  `SELECT 1 AS one FROM lease WHERE name = $1 AND holder = $2 AND token = $3 AND until > ${now}`

/** Ends the leases of the holder `$1`. */
export const end = (now: string): string => `UPDATE lease SET until = ${now} WHERE holder = $1 AND until > ${now}`

/** Times are ISO 8601, so they can be compared as text. */
const TIMES: LeaseTimes = { now: '$3', until: '$4' }
const TAKE = take(TIMES)
const HOLDS = holds('$4')
const END = end('$2')

/** Returns a row if another process holds the lease, or if less than half of its time has passed. */
const LOOK = `
  SELECT held.holder, CAST(token AS text) AS token FROM lease AS held
  WHERE name = $1 AND (NOT ${isFree(TIMES)} OR (held.holder = $2 AND held.until > $5 AND held.until <= $4))`

interface Wanted {
  readonly name: string
  readonly holder: string
  readonly milliseconds: number
}

const later = (now: Date, milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString()

/** Reads who holds a lease, so that it is written only when necessary. `due`: it can be taken, or should be extended. */
export function* lookAtLease(
  { name, holder, milliseconds }: Wanted,
  now: Date,
): Work<Lease | 'due' | 'held by another'> {
  const times = [now.toISOString(), later(now, milliseconds), later(now, milliseconds / 2)]
  const [row] = yield* query<Pick<Lease, 'holder' | 'token'>>(LOOK, name, holder, ...times)
  if (row === undefined) return 'due'
  return row.holder === holder ? { name, ...row } : 'held by another'
}

/** Takes a lease, or extends it; undefined if another process holds it. */
export function* takeLease({ name, holder, milliseconds }: Wanted, now: Date): Work<Lease | undefined> {
  const until = later(now, milliseconds)
  const [row] = yield* query<Pick<Lease, 'token'>>(TAKE, name, holder, now.toISOString(), until)
  return row && { name, holder, token: row.token }
}

/** Whether a lease still holds. Call it in a transaction that keeps others from writing. */
export function* stillHolds({ name, holder, token }: Lease, now: Date): Work<boolean> {
  return (yield* query(HOLDS, name, holder, token, now.toISOString())).length === 1
}

/** Ends the leases of a holder that stops, so that nobody has to wait until they expire. */
export function* endLeases(holder: string, now: Date): Work<void> {
  yield* query(END, holder, now.toISOString())
}
