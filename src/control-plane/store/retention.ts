import { DAY_MS, HOUR_MS } from '../../common/time.ts'
import type { Engine } from './engine.ts'
import { query, type SqlValue, type Work } from './sql.ts'
import { sizeInWords } from './watch-offset.ts'

/** Rows of a table that are deleted some days after they were last written. */
export interface Kept {
  readonly table: string
  /** The columns of its key. */
  readonly key: string
  /** The column that says when they were written: a time, or a day as a number. */
  readonly column: 'at' | 'seen_at' | 'day'
  readonly days: number
  /** Which rows are meant, and which of them stay however old they are; in SQL. The table is called `old` there. */
  readonly where?: string
  readonly unless?: string
  /** A statement that deletes what belonged to these rows. */
  readonly after?: string
}

/** How long results of versions that no longer answer are kept, decisions, and who called what. */
export const KEPT_DAYS = 400
/** A process that has stored nothing for so long will not send a portion again. */
const WRITER_DAYS = 30

/** What holds for all kinds. */
export const KEPT: readonly Kept[] = [
  { table: 'ledger_writer', key: 'process, kind', column: 'seen_at', days: WRITER_DAYS },
  {
    ...{ table: 'audit', key: 'id', column: 'at', days: KEPT_DAYS },
    after: 'DELETE FROM audit_counts WHERE NOT EXISTS (SELECT 1 FROM audit WHERE audit.id = audit_counts.id)',
    // The latest reset of an operation's evidence says since when its results count.
    unless: `old.event = 'evidence-reset' AND NOT EXISTS (
      SELECT 1 FROM audit AS later WHERE later.event = old.event AND later.operation = old.operation AND later.at > old.at)`,
  },
]

/** Deletes what is too old, at most once a day, and only by a clock that has been steady for a day. */
export interface Retention {
  /** Called now and then. @throws StateError */
  run(): Promise<void>
}

export interface RetentionOptions {
  readonly engine: Pick<Engine, 'transaction'>
  readonly kept: readonly Kept[]
  /** Called when the clock of the store has leapt. */
  readonly warn: (message: string) => void
  /** In ms. */
  readonly monotonic?: () => number
}

/** How often the clock is looked at. */
const EVERY_MS = 10_000
/** A clock that differs by more from what has passed has leapt. */
const LEAP_MS = HOUR_MS

export function retention({ engine, kept, warn, monotonic = () => performance.now() }: RetentionOptions): Retention {
  /** Since when the clock has been steady, and when it was last looked at: by the monotonic clock, and by the store's. */
  let steady: { readonly since: number; readonly at: number; readonly storeAt: number } | undefined

  return {
    async run() {
      const at = monotonic()
      if (steady !== undefined && at - steady.at < EVERY_MS) return
      const storeAt = await engine.transaction(function* (now) {
        yield* query('SELECT 1 AS one')
        return now.getTime()
      }, 'read')
      const leapMs = steady === undefined ? 0 : storeAt - steady.storeAt - (at - steady.at)
      if (Math.abs(leapMs) > LEAP_MS) {
        const direction = leapMs < 0 ? 'back' : 'ahead'
        warn(
          `the clock of the state has leapt ${sizeInWords(leapMs)} ${direction}: nothing is deleted until it has been steady for a day`,
        )
      }
      const since = steady === undefined || Math.abs(leapMs) > LEAP_MS ? at : steady.since
      steady = { since, at, storeAt }
      if (at - since < DAY_MS) return
      // The time that was looked at: until the last row is deleted, the clock may leap.
      const now = new Date(storeAt)
      for (const one of kept) {
        if (!(await engine.transaction(() => mayForget(one, now), 'read'))) continue
        while (!(await engine.transaction(() => forgetSome(one, now))));
        const { after } = one
        if (after !== undefined) await engine.transaction(() => query(after))
      }
      steady = { since: at, at, storeAt }
    },
  }
}

/** The most rows deleted at once. */
const AT_ONCE = 1_000
/** If more than this share of the rows is too old, and no row is of the last day, it is rather the clock that is wrong. */
const TOO_MANY = 0.1

const ago = ({ column }: Kept, now: Date, days: number): SqlValue =>
  column === 'day' ? Math.floor(now.getTime() / DAY_MS) - days : new Date(now.getTime() - days * DAY_MS).toISOString()

const isOld = ({ column, where = 'true', unless = 'false' }: Kept): string =>
  `(${where} AND old.${column} < $1 AND NOT (${unless}))`

function* mayForget(kept: Kept, now: Date): Work<boolean> {
  const [sums] = yield* query<Readonly<Record<'rows' | 'old' | 'recent', number | string | null>>>(
    `SELECT count(*) AS rows, sum(CASE WHEN ${isOld(kept)} THEN 1 ELSE 0 END) AS old,
       sum(CASE WHEN old.${kept.column} >= $2 THEN 1 ELSE 0 END) AS recent FROM ${kept.table} AS old WHERE ${kept.where ?? 'true'}`,
    ...[ago(kept, now, kept.days), ago(kept, now, 1)],
  )
  const [rows, old, recent] = [Number(sums?.rows), Number(sums?.old), Number(sums?.recent)]
  return old > 0 && (recent > 0 || old <= rows * TOO_MANY)
}

/** Deletes some rows; false if there may be more. */
function* forgetSome(kept: Kept, now: Date): Work<boolean> {
  const { table, key, days } = kept
  const deleted = yield* query(
    `DELETE FROM ${table} WHERE (${key}) IN (
       SELECT ${key} FROM ${table} AS old WHERE ${isOld(kept)} LIMIT ${AT_ONCE}) RETURNING 1 AS one`,
    ago(kept, now, days),
  )
  return deleted.length < AT_ONCE
}
