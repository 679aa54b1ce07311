import { query, type Work } from './sql.ts'

/** A lease that was granted. Every write of its holder checks it. */
export interface Lease {
  readonly name: string
  readonly holder: string
  /** The fencing token: grows with each holder. */
  readonly token: string
}

export interface WantedLease {
  readonly name: string
  readonly holder: string
  readonly milliseconds: number
}

/**
 * Whether a lease is free for the holder `$2`, now, at `$3`. A lease that ends later than one granted now, which ends at `$4`, dates from
 * before the clock was set back, and is free too.
 */
const IS_FREE = '(held.holder = $2 OR held.until <= $3 OR held.until > $4)'

/** Returns a row if another process holds the lease, or if less than half of its time has passed. */
const LOOK = `
  SELECT held.holder, CAST(token AS text) AS token FROM lease AS held
  WHERE name = $1 AND (NOT ${IS_FREE} OR (held.holder = $2 AND held.until > $5 AND held.until <= $4))`

const TAKE = `
  INSERT INTO lease AS held (name, holder, token, until) VALUES ($1, $2, 1, $4)
  ON CONFLICT (name) DO UPDATE SET
    holder = excluded.holder, until = excluded.until,
    token = held.token + CASE WHEN held.holder = excluded.holder THEN 0 ELSE 1 END
  WHERE ${IS_FREE}
  RETURNING CAST(token AS text) AS token`

const HOLDS = 'SELECT 1 AS one FROM lease WHERE name = $1 AND holder = $2 AND token = $3 AND until > $4'

const later = (now: Date, milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString()

/** Takes a lease, or extends it once half of its time has passed; undefined if another process holds it. */
export function* takeLease({ name, holder, milliseconds }: WantedLease, now: Date): Work<Lease | undefined> {
  const [at, until, half] = [now.toISOString(), later(now, milliseconds), later(now, milliseconds / 2)]
  // Looks first: unlike taking, that makes nobody wait while the holder is at work, and writes nothing.
  const [seen] = yield* query<Pick<Lease, 'holder' | 'token'>>(LOOK, name, holder, at, until, half)
  if (seen !== undefined) return seen.holder === holder ? { name, ...seen } : undefined
  const [taken] = yield* query<Pick<Lease, 'token'>>(TAKE, name, holder, at, until)
  return taken && { name, holder, token: taken.token }
}

/** Whether a lease still holds. @param lock keeps others from taking it before the transaction ends. */
export function* stillHolds({ name, holder, token }: Lease, now: Date, lock = ''): Work<boolean> {
  return (yield* query(`${HOLDS} ${lock}`, name, holder, token, now.toISOString())).length === 1
}

/** Ends the leases of a holder that stops, so that nobody has to wait until they expire. */
export function* endLeases(holder: string, now: Date): Work<void> {
  yield* query('UPDATE lease SET until = $2 WHERE holder = $1 AND until > $2', holder, now.toISOString())
}
