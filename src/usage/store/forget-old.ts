import { DAY_MS } from '../../common/time.ts'
import { query, type Work } from '../../state/sql.ts'
import { KEPT_DAYS } from '../usage.ts'
import { dayAt, dayNumber } from './day-number.ts'

/** The most rows deleted at once. */
const AT_ONCE = 1_000
/** A process that has stored nothing for this long will not resend a portion. */
const WRITER_GONE_MS = 30 * DAY_MS

/**
 * Deletes some rows from before a day; false if there may be more. The rows must be older than `KEPT_DAYS` by the store's clock
 * too, so that a process whose clock is wrong deletes nothing.
 */
export function* forgetSome(day: string, now: Date): Work<boolean> {
  const before = Math.min(dayNumber(day), dayAt(now) - KEPT_DAYS)
  const deleted = yield* query(DELETE_ROWS, before)
  if (deleted.length === AT_ONCE) return false
  yield* query('DELETE FROM usage_day WHERE day < $1', before)
  yield* query('DELETE FROM usage_brownout WHERE day < $1', before)
  yield* query('DELETE FROM usage_writer WHERE seen_at < $1', new Date(now.getTime() - WRITER_GONE_MS).toISOString())
  return true
}

const DELETE_ROWS = `
  DELETE FROM usage WHERE (client, day, operation) IN (
    SELECT client, day, operation FROM usage WHERE day < $1 ORDER BY day LIMIT ${AT_ONCE}) RETURNING day`
