import { DatabaseSync } from 'node:sqlite'
import { readResets } from './audit-table.ts'
import type { OperationCounts } from './operation-counts.ts'
import { readCounts } from './read-counts.ts'
import type { Reset } from './resets.ts'
import { STATE_VERSION, toStateError } from './state-file.ts'
import { callsOf, readCallsSince, type StoredCalls } from './stored-calls.ts'
import { type CutoverStep, percentsIn, READ_PERCENTS, READ_STEPS, stepOf } from './stored-steps.ts'

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
