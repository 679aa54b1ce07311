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
export const isFree = ({ now, until }: LeaseTimes): string =>
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
