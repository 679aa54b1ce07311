import type { DatabaseSync } from 'node:sqlite'
import { lineage } from '../lineage.ts'
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
