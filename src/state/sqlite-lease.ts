import { end, holds, isFree, type Lease, type LeaseTimes, take } from './lease.ts'
import { query, type Work } from './sql.ts'

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
