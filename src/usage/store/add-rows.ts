import { places, query, type SqlValue, type Work } from '../../state/sql.ts'
import { addAgents, addSeen } from '../add-usage.ts'
import { NOTHING_SEEN, type UsageRow } from '../usage.ts'
import { dayNumber } from './day-number.ts'
import { agentsIn, docIn, docText, NO_AGENTS, NO_DOC } from './stored-doc.ts'

/** The most rows written with one statement. SQLite keeps one prepared statement for each number of rows. */
const AT_ONCE = 50

interface Stored {
  readonly [column: string]: unknown
  readonly agents: string
  readonly doc: string
}

const keyOf = (client: unknown, day: unknown, operation: unknown): string => `${client}\0${day}\0${operation}`

/** Adds rows to the stored ones. Each key must occur once, and the rows must be in order. */
export function* addRows(rows: readonly UsageRow[]): Work<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) yield* addSome(rows.slice(from, from + AT_ONCE))
}

function* addSome(rows: readonly UsageRow[]): Work<void> {
  // A new row begins without agents and marks, so that new and existing rows are written in the same way.
  const stored = yield* query<Stored>(insertOf(rows.length), ...rows.flatMap(valuesOf))
  const byKey = new Map(stored.map((one) => [keyOf(one.client, one.day, one.operation), one]))
  const changed = rows.flatMap((row) => {
    const { client, operation } = row
    const day = dayNumber(row.day)
    const there = byKey.get(keyOf(client, day, operation))
    if (there === undefined) return []
    const agents = addedAgents(there.agents, row)
    const doc = addedDoc(there.doc, row)
    return agents === there.agents && doc === there.doc ? [] : [[client, day, operation, agents, doc]]
  })
  if (changed.length > 0) {
    yield* query(writeOf(changed.length), ...changed.flat())
  }
}

const COLUMNS = [
  ...['client', 'day', 'operation', 'calls', 'client_errors', 'server_errors', 'by_v1', 'by_legacy'],
  ...['first_at', 'last_at', 'agents', 'doc'],
]

const valuesOf = (row: UsageRow): readonly SqlValue[] => [
  ...[row.client, dayNumber(row.day), row.operation],
  ...[row.calls, row.clientErrors, row.serverErrors, row.byV1, row.byLegacy, row.firstAt, row.lastAt],
  ...[NO_AGENTS, NO_DOC],
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
  RETURNING client, day, operation, agents, doc`

const DOC_COLUMNS = ['text', 'integer', 'text', 'text', 'text']
const WRITE_DOCS = 'UPDATE usage SET agents = new.column4, doc = new.column5 FROM'
const OF_KEY = 'AS new WHERE client = new.column1 AND day = new.column2 AND operation = new.column3'

/** A stored document that is unreadable starts over: it must not keep others from being stored. */
const addedDoc = (stored: string, { seen }: UsageRow): string => docText(addSeen(docIn(stored) ?? NOTHING_SEEN, seen))

/** Returns the stored text if it already holds these agents, as it usually does. */
function addedAgents(stored: string, { agents }: UsageRow): string {
  const given = JSON.stringify(agents)
  return given === stored ? stored : JSON.stringify(addAgents(agents, agentsIn(stored) ?? []))
}

/** Builds each statement once, because its text has hundreds of places. */
function byMany(textOf: (many: number) => string): (many: number) => string {
  const texts: string[] = []
  return (many) => {
    texts[many] ??= textOf(many)
    return texts[many]
  }
}

const insertOf = byMany((many) => {
  const given = Array.from(
    { length: many },
    (_, row) => `(${COLUMNS.map((_, at) => `$${row * COLUMNS.length + at + 1}`).join(', ')})`,
  )
  return `INSERT INTO usage (${COLUMNS.join(', ')}) VALUES ${given.join(', ')} ${ADD}`
})
const writeOf = byMany((many) => `${WRITE_DOCS} (VALUES ${places(many, DOC_COLUMNS, 1)}) ${OF_KEY}`)
