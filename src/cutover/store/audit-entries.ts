import { isoOf, query, type SqlValue, type Work } from '../../state/sql.ts'
import type { AuditQuery } from '../cutover-store.ts'
import type { AuditEntry, Event, NewEntry } from '../event.ts'

/** The most entries read at once. */
const MOST = 1_000

export function* hasEntry(id: string): Work<boolean> {
  return (yield* query('SELECT 1 AS one FROM audit WHERE id = $1', id)).length > 0
}

/** Adds an entry; false if it is already there. */
export function* addEntry(entry: NewEntry, now: Date): Work<boolean> {
  const { id, event, operation, by, from, to, why, lineage, counts } = entry
  const texts = [by, from, to, why, lineage]
  const added = yield* query(ADD, id, event, operation, now.toISOString(), ...texts)
  if (added.length === 0) return false
  yield* query('INSERT INTO audit_counts (id, counts) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', id, counts)
  return true
}

const ADD = `
  INSERT INTO audit (id, event, operation, at, "by", "from", "to", why, lineage, requests)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0) ON CONFLICT (id) DO NOTHING RETURNING id`

type EntryRow = Readonly<Record<'id' | 'event' | 'operation' | 'by' | 'from' | 'to' | 'why' | 'lineage', string>> & {
  readonly at: unknown
  readonly requests: number | string
  readonly counts: string | null
}

/** Returns entries, newest first. Resets of the evidence are among them, with the number of requests in the evidence that they ended. */
export function* readAudit({ operation, before, limit }: AuditQuery): Work<readonly AuditEntry[]> {
  const values: SqlValue[] = []
  const given = (value: SqlValue): string => `$${values.push(value)}`
  const conditions = [
    operation === undefined ? [] : [`operation = ${given(operation)}`],
    before === undefined ? [] : [`(at, audit.id) < (${given(before.at)}, ${given(before.id)})`],
  ].flat()
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const most = Math.max(0, Math.min(limit, MOST))
  const rows = yield* query<EntryRow>(
    `SELECT audit.id, event, operation, at, "by", "from", "to", why, lineage, requests, counts
     FROM audit LEFT JOIN audit_counts ON audit_counts.id = audit.id
     ${where} ORDER BY at DESC, audit.id DESC LIMIT ${most}`,
    ...values,
  )
  return rows.map(({ at, event, requests, counts, ...row }) => ({
    ...{ ...row, event: event as Event, at: isoOf(at) },
    counts: counts ?? JSON.stringify({ requests: Number(requests) }),
  }))
}

/** Deletes the counts of entries that no longer exist. */
export function* forgetCounts(): Work<void> {
  yield* query('DELETE FROM audit_counts WHERE NOT EXISTS (SELECT 1 FROM audit WHERE audit.id = audit_counts.id)')
}
