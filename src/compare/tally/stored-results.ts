import { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../common/time.ts'
import { isoOf } from '../../state/sql.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Reset } from './resets.ts'
import { STATE_VERSION, toStateError } from './state-file.ts'
import { readCounts, readResets } from './state-rows.ts'

/** The content of a state file. */
export interface StoredResults {
  readonly since: string
  readonly counts: readonly OperationCounts[]
  readonly resets: readonly Reset[]
  /** The audit, newest first. */
  readonly steps: readonly CutoverStep[]
  /** The share of clients that v1 answers by each plan, by operation. */
  readonly percents: ReadonlyMap<string, number>
  /** Who called since a day; undefined: the file is from a version that did not store it. */
  readonly calls: readonly StoredCalls[] | undefined
}

/**
 * Reads a state file without changing it, even while a gateway uses it.
 * @param callsSince the first day of the calls, YYYY-MM-DD.
 * @throws StateError if it cannot be read.
 */
export function readStateFile(path: string, callsSince: string): StoredResults {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true })
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    if (version !== STATE_VERSION) {
      throw new Error(`it has version ${version}, not ${STATE_VERSION}: start a gateway with it first`)
    }
    const rows = db.prepare('SELECT * FROM counts ORDER BY operation, lineage').all()
    const tables = new Set(
      db
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name),
    )
    const hasAudit = tables.has('audit')
    return {
      since: String(db.prepare('SELECT at FROM begun').get()?.at),
      counts: rows.map((row) => readCounts(path, row)),
      resets: hasAudit ? readResets(db) : [],
      steps: hasAudit ? db.prepare(READ_STEPS).all().map(stepOf) : [],
      percents: percentsIn(tables.has('position') ? db.prepare(READ_PERCENTS).all() : []),
      calls: tables.has('usage') ? db.prepare(readCallsSince(callsSince)).all().map(callsOf) : undefined,
    }
  } catch (error) {
    throw toStateError(`${path} cannot be read`, error)
  } finally {
    db?.close()
  }
}

/** A client's calls of one operation, as far as they are stored. */
interface StoredCalls {
  readonly client: string
  readonly operation: string
  readonly byV1: number
  readonly byLegacy: number
  /** ISO 8601. */
  readonly lastAt: string
}

/**
 * Returns a query for the calls of all clients since a day. Runs on SQLite and on PostgreSQL.
 * @param day YYYY-MM-DD.
 */
export const readCallsSince = (day: string): string =>
  `SELECT client, operation, sum(by_v1) AS by_v1, sum(by_legacy) AS by_legacy, max(last_at) AS last_at FROM usage
   WHERE day >= ${Math.floor(Date.parse(day) / DAY_MS)} GROUP BY client, operation ORDER BY client, operation`

/** Reads a row of `readCallsSince`. */
export const callsOf = (row: Readonly<Record<string, unknown>>): StoredCalls => ({
  ...{ client: String(row.client), operation: String(row.operation) },
  ...{ byV1: Number(row.by_v1), byLegacy: Number(row.by_legacy), lastAt: isoOf(row.last_at) },
})

/** A decision about the cut-over, or something that happened to it: an entry of the audit. */
export interface CutoverStep {
  /** ISO 8601. */
  readonly at: string
  readonly event: string
  /** An operation's id, or `*`. */
  readonly operation: string
  /** `auto`, or who decided. */
  readonly by: string
  readonly from: string
  readonly to: string
  readonly why: string
}

/** Reads the audit, newest first. Runs on SQLite and on PostgreSQL. */
export const READ_STEPS =
  'SELECT at, event, operation, "by", "from", "to", why FROM audit ORDER BY audit.at DESC, audit.id DESC'

/** Reads a row of `READ_STEPS`. @param at a Date, or ISO 8601. */
export const stepOf = ({ at, ...row }: Readonly<Record<string, unknown>>): CutoverStep => {
  const text = (name: string): string => String(row[name])
  const time = at instanceof Date ? at.toISOString() : String(at)
  return {
    ...{ at: time, event: text('event'), operation: text('operation') },
    ...{ by: text('by'), from: text('from'), to: text('to'), why: text('why') },
  }
}

/** Reads where plans stand. Runs on SQLite and on PostgreSQL. */
export const READ_PERCENTS = 'SELECT operation, doc FROM position'

/** Reads rows of `READ_PERCENTS`: the share of clients that v1 answers by each plan. */
export const percentsIn = (rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ operation, doc }) => [String(operation), Number(JSON.parse(String(doc)).percent)]))
