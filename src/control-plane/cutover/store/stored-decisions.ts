import { z } from 'zod'
import { cleanJson } from '../../store/clean-text.ts'
import { isoOf, query, type SqlValue, type Work } from '../../store/sql.ts'
import { StateError } from '../../store/state-error.ts'
import type { AuditEntry, Event, NewEntry } from '../audit.ts'
import type { AuditQuery, Decision } from '../cutover-store.ts'
import type { Position } from '../position.ts'

const count = z.int().nonnegative()
const position: z.ZodType<Position> = z.object({
  ...{ operation: z.string(), version: count, percent: z.number().min(0).max(100), step: count, stage: count },
  state: z.enum(['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done']),
  ...{ since: z.iso.datetime(), approved: z.number().nullable(), by: z.string(), why: z.string() },
  gateWaits: z.string().optional(),
})

/** @throws StateError that names the row. */
const positionIn = (doc: string, operation: string): Position =>
  parsed(doc, `position of ${operation}`, (value) => position.parse(value))

function parsed<Type>(text: string, what: string, typeOf: (value: unknown) => Type): Type {
  try {
    return typeOf(JSON.parse(text))
  } catch (error) {
    throw new StateError(`a row of the table ${what} cannot be read; restore it from a backup, or delete it`, false, {
      cause: error,
    })
  }
}

/** The stages of an operation at which answers are counted: the current one and the one before. */
export interface Stages {
  readonly [column: string]: unknown
  readonly operation: string
  readonly stage: number
  readonly before: number
}

type PositionRow = Stages & { readonly version: number; readonly doc: string }

const READ = 'SELECT operation, version, stage, before, doc FROM position'

export function* readPositions(): Work<{
  readonly positions: readonly Position[]
  readonly stages: readonly Stages[]
}> {
  const rows = yield* query<PositionRow>(`${READ} ORDER BY operation`)
  return { positions: rows.map(({ operation, doc }) => positionIn(doc, operation)), stages: rows }
}

/** Returns the stages that count, by operation. Without a position, that is stage 0. */
export function* readStages(): Work<ReadonlyMap<string, Stages>> {
  const rows = yield* query<Stages>('SELECT operation, stage, before FROM position')
  return new Map(rows.map((row) => [row.operation, row]))
}

export const isCounted = (stage: number, stages: Stages | undefined): boolean =>
  stages === undefined ? stage === 0 : stage === stages.stage || stage === stages.before

/**
 * Stores a new position; false if the stored one does not have the previous version. A new stage deletes what was answered before
 * the stage that ends.
 */
export function* movePosition(
  { position, isNewStage = false }: Pick<Decision, 'isNewStage'> & { readonly position: Omit<Position, 'since'> },
  now: Date,
): Work<boolean> {
  const { operation, version, stage } = position
  const [stored] = yield* query<PositionRow>(`${READ} WHERE operation = $1`, operation)
  if ((stored?.version ?? 0) !== version - 1) return false
  const since = stored === undefined || isNewStage ? now.toISOString() : positionIn(stored.doc, operation).since
  const doc = cleanJson({ ...position, since } satisfies Position)
  const ended = stored?.stage ?? 0
  const before = isNewStage || stored === undefined ? ended : stored.before
  const moved =
    stored === undefined
      ? yield* query(INSERT, operation, version, stage, before, doc)
      : yield* query(UPDATE, operation, version, stage, before, doc, stored.version)
  if (moved.length === 0) return false
  if (isNewStage) yield* query(DELETE_ANSWERS, operation, ...[ended, stage].map((at) => `${operation} ${at}`))
  return true
}

/** Keeps what was answered at the stage that ends, and at the one that begins. */
const DELETE_ANSWERS = "DELETE FROM ledger WHERE kind = 'answers' AND part = $1 AND key NOT IN ($2, $3)"

const INSERT = `
  INSERT INTO position (operation, version, stage, before, doc) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (operation) DO NOTHING RETURNING version`

const UPDATE = `
  UPDATE position SET version = $2, stage = $3, before = $4, doc = $5 WHERE operation = $1 AND version = $6
  RETURNING version`

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
export function* readAudit({ operation, events, before, limit }: AuditQuery): Work<readonly AuditEntry[]> {
  const values: SqlValue[] = []
  const given = (value: SqlValue): string => `$${values.push(value)}`
  const conditions = [
    operation === undefined ? [] : [`operation = ${given(operation)}`],
    events === undefined ? [] : [`event IN (${events.map(given).join(', ')})`],
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
