import { cleanText } from '../../../state/clean-text.ts'
import type { Transaction } from '../../../state/postgres/database.ts'
import { lineage } from '../operation-counts.ts'
import { MOST_RESETS, type Reset } from '../resets.ts'
import type { Verdict } from '../verdict.ts'

export const EVENT = 'evidence-reset'

const LATEST = `
  SELECT id, operation, round(extract(epoch FROM at) * 1000)::float8 AS at_ms, "by", "from", why, lineage, requests::float8 FROM (
    SELECT *, row_number() OVER (PARTITION BY operation ORDER BY at DESC) AS nth FROM audit WHERE event = $1) AS all_of_them
  WHERE nth <= ${MOST_RESETS} ORDER BY at`

const ADD = `
  INSERT INTO audit (id, event, operation, at, "by", "from", "to", why, lineage, requests)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING 1`

/** Adds resets; a reset that is stored already stays as it is. Returns whether any was added. */
export async function addResets(transaction: Transaction, resets: readonly Reset[]): Promise<boolean> {
  let isAdded = false
  // All processes use the same order, so that they cannot deadlock on each other's rows.
  const inOrder = resets.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  for (const { id, operation, at, by, why, before } of inOrder) {
    const added = await transaction.query(ADD, [
      ...[id, EVENT, operation, at, cleanText(by), before.verdict, 'insufficient data', cleanText(why)],
      ...[JSON.stringify(before.lineage), before.requests],
    ])
    isAdded ||= added.length > 0
  }
  return isAdded
}

type ResetRow = Readonly<Record<'id' | 'operation' | 'by' | 'from' | 'why' | 'lineage', string>> &
  Readonly<Record<'at_ms' | 'requests', number>>

/** Returns the latest resets of each operation. */
export async function readResets(transaction: Transaction): Promise<readonly Reset[]> {
  const rows = await transaction.query<ResetRow>(LATEST, [EVENT])
  return rows.map((row) => ({
    ...{ id: row.id, operation: row.operation, at: new Date(row.at_ms).toISOString(), by: row.by, why: row.why },
    before: {
      lineage: lineage.parse(JSON.parse(row.lineage)),
      verdict: row.from as Verdict,
      requests: row.requests,
    },
  }))
}

/** Makes other processes read the decisions again. The channel has the schema's name. */
export async function announce(transaction: Transaction, schema: string): Promise<void> {
  await transaction.query('UPDATE change SET version = version + 1')
  await transaction.query('SELECT pg_notify($1, $2)', [schema, ''])
}
