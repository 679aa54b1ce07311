import { places, query, type SqlValue, type Work } from '../../state/sql.ts'
import { addAgents, addSeen } from '../add-usage.ts'
import type { UsageRow } from '../usage.ts'
import { dayNumber } from './day-number.ts'
import { docIn, docText } from './stored-doc.ts'

/** So many rows are written with one statement. */
const AT_ONCE = 100

interface Stored {
  readonly [column: string]: unknown
  readonly calls: number | string
  readonly doc: string
}

const keyOf = ({ client, day, operation }: { readonly [column: string]: unknown }): string =>
  JSON.stringify([client, day, operation])
const keyed = (row: UsageRow) => ({ client: row.client, day: dayNumber(row.day), operation: row.operation })

/** Adds rows to those that are stored; each key is there once, and they are in order. */
export function* addRows(rows: readonly UsageRow[]): Work<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield* addSome(rows.slice(from, from + AT_ONCE))
}

function* addSome(rows: readonly UsageRow[]): Work<void> {
  const given = rows.map((_, row) => `(${COLUMNS.map((_, at) => `$${row * COLUMNS.length + at + 1}`).join(', ')})`)
  const stored = yield* query<Stored>(
    `INSERT INTO usage (${COLUMNS.join(', ')}) VALUES ${given.join(', ')} ${ADD}`,
    ...rows.flatMap(valuesOf),
  )
  const byKey = new Map(stored.map((one) => [keyOf(one), one]))
  const changed = rows.flatMap((row) => {
    const there = byKey.get(keyOf(keyed(row)))
    // It is the row itself: there was none. What calls showed may have been stored before any call was.
    if (there === undefined || (Number(there.calls) === row.calls && there.doc === docText(row))) return []
    const doc = addDoc(there.doc, row)
    return doc === there.doc ? [] : [[...Object.values(keyed(row)), doc]]
  })
  if (changed.length > 0) {
    yield* query(`${WRITE_DOCS} (VALUES ${places(changed.length, DOC_COLUMNS, 1)}) ${OF_KEY}`, ...changed.flat())
  }
}

const COLUMNS = [
  ...['client', 'day', 'operation', 'calls', 'client_errors', 'server_errors', 'by_v1', 'by_legacy'],
  ...['first_at', 'last_at', 'doc'],
]

const valuesOf = (row: UsageRow): readonly SqlValue[] => [
  ...[row.client, dayNumber(row.day), row.operation],
  ...[row.calls, row.clientErrors, row.serverErrors, row.byV1, row.byLegacy, row.firstAt, row.lastAt, docText(row)],
]

const ADD = `
  ON CONFLICT (client, day, operation) DO UPDATE SET
    calls = usage.calls + excluded.calls,
    client_errors = usage.client_errors + excluded.client_errors,
    server_errors = usage.server_errors + excluded.server_errors,
    by_v1 = usage.by_v1 + excluded.by_v1,
    by_legacy = usage.by_legacy + excluded.by_legacy,
    first_at = CASE WHEN excluded.first_at < usage.first_at THEN excluded.first_at ELSE usage.first_at END,
    last_at = CASE WHEN excluded.last_at > usage.last_at THEN excluded.last_at ELSE usage.last_at END
  RETURNING client, day, operation, calls, doc`

const DOC_COLUMNS = ['text', 'integer', 'text', 'text']
const WRITE_DOCS = 'UPDATE usage SET doc = new.column4 FROM'
const OF_KEY = 'AS new WHERE client = new.column1 AND day = new.column2 AND operation = new.column3'

/** A document that somebody made unreadable is begun anew: it must not keep others from being stored. */
function addDoc(stored: string, { agents, seen }: UsageRow): string {
  const there = docIn(stored)
  if (there === undefined) return docText({ agents, seen })
  return docText({ agents: addAgents(agents, there.agents), seen: addSeen(there.seen, seen) })
}
