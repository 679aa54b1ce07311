import { DatabaseSync } from 'node:sqlite'
import { readResets } from './audit-table.ts'
import type { OperationCounts } from './operation-counts.ts'
import { readCounts } from './read-counts.ts'
import type { Reset } from './resets.ts'
import { STATE_VERSION, toStateError } from './state-file.ts'
import { type CutoverStep, READ_STEPS, stepOf } from './stored-steps.ts'

/** The content of a state file. */
export interface StoredResults {
  readonly since: string
  readonly counts: readonly OperationCounts[]
  readonly resets: readonly Reset[]
  /** The audit, newest first. */
  readonly steps: readonly CutoverStep[]
}

/**
 * Reads a state file without changing it, even while a gateway uses it.
 * @throws StateError if it cannot be read.
 */
export function readStateFile(path: string): StoredResults {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true })
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    if (version !== STATE_VERSION) {
      throw new Error(`it has version ${version}, not ${STATE_VERSION}: start a gateway with it first`)
    }
    const rows = db.prepare('SELECT * FROM counts ORDER BY operation, lineage').all()
    const hasAudit = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit'").get() !== undefined
    return {
      since: String(db.prepare('SELECT at FROM begun').get()?.at),
      counts: rows.map((row) => readCounts(path, row)),
      resets: hasAudit ? readResets(db) : [],
      steps: hasAudit ? db.prepare(READ_STEPS).all().map(stepOf) : [],
    }
  } catch (error) {
    throw toStateError(`${path} cannot be read`, error)
  } finally {
    db?.close()
  }
}
