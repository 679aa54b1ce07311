import type { DatabaseSync } from 'node:sqlite'
import { ZodError } from 'zod'
import { StateError } from '../../state/state-error.ts'
import { lineage, type OperationCounts, operationCounts } from './operation-counts.ts'
import { MOST_RESETS, type Reset } from './resets.ts'
import type { Verdict } from './verdict.ts'

// The table `audit`: every decision, with who, from what to what, why, when, and at which lineage and count. Rows are only added.

const EVENT = 'evidence-reset'

/** Decisions are kept as long as the results of old versions. The latest reset of each operation is always kept. */
export const DELETE_PAST_DECISIONS = `
  DELETE FROM audit WHERE at < ? AND (event <> '${EVENT}' OR EXISTS (
    SELECT 1 FROM audit AS later
    WHERE later.operation = audit.operation AND later.event = audit.event AND later.at > audit.at))`

const LATEST = `
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY operation ORDER BY at DESC) AS nth FROM audit WHERE event = ?)
  WHERE nth <= ${MOST_RESETS} ORDER BY at`

/** Adds resets; a reset that is stored already stays as it is. */
export function addResets(db: DatabaseSync, resets: readonly Reset[]): void {
  const add = db.prepare('INSERT OR IGNORE INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { id, operation, at, by, why, before } of resets) {
    const { verdict, requests } = before
    add.run(id, EVENT, operation, at, by, verdict, 'insufficient data', why, JSON.stringify(before.lineage), requests)
  }
}

/** Returns the latest resets of each operation. */
export const readResets = (db: DatabaseSync): readonly Reset[] =>
  db
    .prepare(LATEST)
    .all(EVENT)
    .map((row) => ({
      ...{ id: String(row.id), operation: String(row.operation), at: String(row.at) },
      ...{ by: String(row.by), why: String(row.why) },
      before: {
        lineage: lineage.parse(JSON.parse(String(row.lineage))),
        verdict: row.from as Verdict,
        requests: Number(row.requests),
      },
    }))

/**
 * Parses the counts of a row.
 * @throws StateError that names the file and the malformed row, and says what to do.
 */
export function readCounts(path: string, row: Readonly<Record<string, unknown>>): OperationCounts {
  const { operation, lineage, day, counts } = row
  try {
    const read = operationCounts.parse(JSON.parse(String(counts)))
    if (read.operation !== operation) throw new Error(`it is of operation ${JSON.stringify(read.operation)}`)
    return read
  } catch (error) {
    const sql = `DELETE FROM counts WHERE operation = ${literal(operation)} AND lineage = ${literal(lineage)}`
    throw new StateError(
      `${path}: the row of operation ${JSON.stringify(operation)}, last written on ${JSON.stringify(day)}, cannot be read (${reasonOf(error)}); ` +
        `restore the file from a backup, or delete these results: sqlite3 ${path} ${JSON.stringify(sql)}`,
      false,
      { cause: error },
    )
  }
}

const literal = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`

function reasonOf(error: unknown): string {
  const issue = error instanceof ZodError ? error.issues[0] : undefined
  if (issue !== undefined) return `${issue.path.join('.')}: ${issue.message}`
  return error instanceof Error ? error.message : String(error)
}
