import { DAY_MS } from '../../../common/time.ts'
import type { Lease } from '../../../state/lease.ts'
import type { Database, Transaction } from '../../../state/postgres/database.ts'
import { stillHolds } from '../../../state/postgres/postgres-lease.ts'
import { agreed, type Clock, checkAgain, isTrusted, leapInWords } from '../clock-agreement.ts'
import { MOST_LINEAGES } from '../tally.ts'
import { EVENT as RESET } from './audit-rows.ts'
import { UNTIL } from './tally-rows.ts'

/** Deletes results and decisions that are too old by the database's clock, at most once a minute. */
type ForgetOld = (database: Database, lease: Lease) => Promise<void>

const EVERY_MS = 60_000
/** How long results of versions that no longer answer are kept, and decisions. */
const RETENTION_DAYS = 400
/** How long rows in `folded` are kept. A process that was paused for longer does not find itself there. */
const PAUSE_DAYS = 30
/** A process that was silent for this long assumes that its results were folded: a day less, because clocks differ. */
export const FOLDED_AFTER_MS = (PAUSE_DAYS - 1) * DAY_MS

const olderThan = (column: string, days: number): string => `${column} < clock_timestamp() - interval '${days} days'`

/** What is deleted. Each operation's newest lineage and latest reset stay, and so do the rows of running processes. */
const STATEMENTS = [
  `DELETE FROM tally AS old WHERE replica = '' AND ${olderThan('day', RETENTION_DAYS)} AND EXISTS (
     SELECT 1 FROM tally AS later WHERE later.operation = old.operation AND later.day > old.day)`,
  `DELETE FROM tally WHERE replica = '' AND (operation, lineage) IN (
     SELECT operation, lineage FROM (
       SELECT operation, lineage, row_number() OVER (
         PARTITION BY operation ORDER BY ${UNTIL} DESC NULLS LAST, lineage) AS nth
       FROM tally WHERE replica = '') AS ordered
     WHERE nth > ${MOST_LINEAGES})`,
  `DELETE FROM audit WHERE ${olderThan('at', RETENTION_DAYS)} AND (event <> '${RESET}' OR EXISTS (
     SELECT 1 FROM audit AS later
     WHERE later.operation = audit.operation AND later.event = audit.event AND later.at > audit.at))`,
  `DELETE FROM folded WHERE ${olderThan('at', PAUSE_DAYS)}`,
]

interface Look {
  readonly at: number
  readonly seenAt: number
}

/**
 * @param warn called when the database's clock has leapt.
 * @param monotonic returns milliseconds.
 */
export function forgetOld(warn: (message: string) => void, monotonic = () => performance.now()): ForgetOld {
  /** When this process last checked the clock, by the monotonic clock and by the database's; undefined: never. */
  let last: Look | undefined
  return async (database, lease) => {
    const at = monotonic()
    if (last !== undefined && at - last.at < EVERY_MS) return
    await database.transaction(async (transaction) => {
      if (!(await stillHolds(transaction, lease))) return
      const { before, now } = await check(transaction, at, last)
      last = { at, seenAt: now.seenAt }
      if (isTrusted(now)) for (const statement of STATEMENTS) await transaction.query(statement)
      else if (isTrusted(before) || now.leapMs !== before.leapMs) {
        warn(
          `the database's clock is ${leapInWords(now.leapMs)} the stored one: no results are deleted until it has been steady for a day`,
        )
      }
    })
  }
}

const CLOCK = `
  SELECT round(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms, round(extract(epoch FROM seen_at) * 1000)::float8 AS seen_ms,
    agreed_ms, leap_ms FROM (SELECT) AS one LEFT JOIN clock ON true`

/** Checks the clock against the stored one, and stores it. */
async function check(
  transaction: Transaction,
  at: number,
  last: Look | undefined,
): Promise<{ readonly before: Clock; readonly now: Clock }> {
  const [row] = await transaction.query<Record<'now_ms' | 'seen_ms' | 'agreed_ms' | 'leap_ms', number | null>>(CLOCK)
  const nowMs = row?.now_ms as number
  const before =
    row?.seen_ms == null
      ? agreed(nowMs)
      : { seenAt: row.seen_ms, agreedMs: row.agreed_ms as number, leapMs: row.leap_ms as number }
  // If another process has checked the clock since, the elapsed time is unknown.
  const elapsedMs = last !== undefined && Math.abs(last.seenAt - before.seenAt) < 1 ? at - last.at : 0
  const now = checkAgain(before, nowMs, elapsedMs)
  await transaction.query(
    `INSERT INTO clock (seen_at, agreed_ms, leap_ms) VALUES (to_timestamp($1::float8 / 1000), $2, $3)
     ON CONFLICT (one) DO UPDATE SET seen_at = excluded.seen_at, agreed_ms = excluded.agreed_ms, leap_ms = excluded.leap_ms`,
    [now.seenAt, now.agreedMs, now.leapMs],
  )
  return { before, now }
}
