import { end, holds, isFree, type Lease, type LeaseTimes, take } from './lease.ts'
import { query, type Work } from './sql.ts'

/** Times are ISO 8601, so they are compared as texts. */
const TIMES: LeaseTimes = { now: '$3', until: '$4' }
const TAKE = take(TIMES)
const HOLDS = holds('$4')
const END = end('$2')

/** A row if the lease is another's, or if less than half of it is over. */
const LOOK = `
  SELECT held.holder, CAST(token AS text) AS token FROM lease AS held
  WHERE name = $1 AND (NOT ${isFree(TIMES)} OR (held.holder = $2 AND held.until > $5 AND held.until <= $4))`

interface Wanted {
  readonly name: string
  readonly holder: string
  readonly milliseconds: number
}

const later = (now: Date, milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString()

/** Reads who has a lease, so that it is written only when it must be. `due`: it can be taken, or is to be extended. */
export function* lookAtLease(
  { name, holder, milliseconds }: Wanted,
  now: Date,
): Work<Lease | 'due' | 'held by another'> {
  const times = [now.toISOString(), later(now, milliseconds), later(now, milliseconds / 2)]
  const [row] = yield* query<Pick<Lease, 'holder' | 'token'>>(LOOK, name, holder, ...times)
  if (row === undefined) return 'due'
  return row.holder === holder ? { name, ...row } : 'held by another'
}

/** Takes a lease, or extends it; undefined: another process holds it. */
export function* takeLease({ name, holder, milliseconds }: Wanted, now: Date): Work<Lease | undefined> {
  const until = later(now, milliseconds)
  const [row] = yield* query<Pick<Lease, 'token'>>(TAKE, name, holder, now.toISOString(), until)
  return row && { name, holder, token: row.token }
}

/** Whether a lease still holds, in a transaction that nobody else can write beside. */
export function* stillHolds({ name, holder, token }: Lease, now: Date): Work<boolean> {
  return (yield* query(HOLDS, name, holder, token, now.toISOString())).length === 1
}

/** Ends the leases of a holder that stops, so that nobody has to wait until they are over. */
export function* endLeases(holder: string, now: Date): Work<void> {
  yield* query(END, holder, now.toISOString())
}
