import { places, query, type Work } from '../../state/sql.ts'
import type { Answered } from '../answered.ts'
import { addAnswered, type BothSides } from './add-answered.ts'
import { isCounted, readStages, type Stages } from './position-rows.ts'
import { bothSidesIn } from './stored-json.ts'

/** Which process it is. Where both are empty, those that are gone. */
export interface Counter {
  readonly replica: string
  readonly incarnation: string
}

/** What a process answered at one stage, cumulative. */
export interface AnsweredRow extends Answered {
  /** It was stored before, so that it must be there, unless it was folded. */
  readonly isKnown: boolean
}

/** `gone`: it was there before, and was folded. `over`: its stage is over, or not there yet. */
export type Fate = 'stored' | 'gone' | 'over'

const OF_ALL: Counter = { replica: '', incarnation: '' }
/** A row that was not written for so long is of a process that is gone, or has nothing new. */
const GONE_AFTER_MS = 3_600_000
/** So many rows are folded at once. */
const MOST_FOLDED = 500

type Row = { readonly operation: string; readonly stage: number; readonly counts: string }
const keyOf = ({ operation, stage }: Pick<Answered, 'operation' | 'stage'>): string => `${stage} ${operation}`

/** Writes rows of a process, and says in their order what became of them. Written again, they are the same. */
export function* writeAnswered(process: Counter, rows: readonly AnsweredRow[], now: Date): Work<readonly Fate[]> {
  const stages = yield* readStages()
  const counted = rows.filter(({ operation, stage }) => isCounted(stage, stages.get(operation)))
  const there = yield* update(
    process,
    counted.filter(({ isKnown }) => isKnown),
    now,
  )
  yield* insert(
    process,
    counted.filter(({ isKnown }) => !isKnown),
    now,
  )
  const updated = new Set(there.map(keyOf))
  return rows.map((row) => {
    if (!counted.includes(row)) return 'over'
    return row.isKnown && !updated.has(keyOf(row)) ? 'gone' : 'stored'
  })
}

const valuesOf = (rows: readonly Answered[]): readonly (string | number)[] =>
  rows.flatMap(({ operation, stage, v1, legacy }) => [operation, stage, JSON.stringify({ v1, legacy })])

const COLUMNS = ['text', 'integer', 'text']

function* update(process: Counter, rows: readonly Answered[], now: Date): Work<readonly Row[]> {
  if (rows.length === 0) return []
  return yield* query<Row>(
    `UPDATE answered SET counts = new.column3, seen_at = $3 FROM (VALUES ${places(rows.length, COLUMNS, 4)}) AS new
     WHERE replica = $1 AND incarnation = $2 AND operation = new.column1 AND stage = new.column2
     RETURNING operation, stage`,
    ...[process.replica, process.incarnation, now.toISOString(), ...valuesOf(rows)],
  )
}

function* insert(process: Counter, rows: readonly Answered[], now: Date): Work<void> {
  if (rows.length === 0) return
  yield* query(
    `INSERT INTO answered (replica, incarnation, seen_at, operation, stage, counts)
     VALUES ${rows.map((_, at) => `($1, $2, $3, $${4 + at * 3}, $${5 + at * 3}, $${6 + at * 3})`).join(', ')}
     ON CONFLICT (replica, incarnation, operation, stage) DO UPDATE SET counts = excluded.counts, seen_at = excluded.seen_at`,
    ...[process.replica, process.incarnation, now.toISOString(), ...valuesOf(rows)],
  )
}

/** Returns the sums over all processes, of the stages that count. */
export function* sumAnswered(stages: readonly Stages[]): Work<readonly Answered[]> {
  const known = new Map(stages.map((one) => [one.operation, one]))
  const rows = yield* query<Row>('SELECT operation, stage, counts FROM answered')
  return sumsOf(rows.filter(({ operation, stage }) => isCounted(stage, known.get(operation))))
}

function sumsOf(rows: readonly Row[]): readonly Answered[] {
  return Array.from(Map.groupBy(rows, keyOf).values(), (group) => {
    const [{ operation, stage }] = group as [Row, ...Row[]]
    const counts: readonly BothSides[] = group.map((row) => bothSidesIn(row.counts, operation))
    return { operation, stage, ...addAnswered(counts) }
  })
}

/**
 * Adds the rows of processes that are gone to those of all, so that the table does not grow with restarts. Only the holder of the
 * lease may. A process that comes back does not find its rows, and goes on with what is new.
 */
export function* foldAnswered(now: Date): Work<void> {
  yield* query(DELETE_OVER)
  const gone = yield* query<Row>(
    `DELETE FROM answered WHERE (replica, incarnation, operation, stage) IN (
       SELECT replica, incarnation, operation, stage FROM answered WHERE replica <> '' AND seen_at < $1
       ORDER BY seen_at LIMIT ${MOST_FOLDED})
     AND seen_at < $1 RETURNING operation, stage, counts`,
    new Date(now.getTime() - GONE_AFTER_MS).toISOString(),
  )
  if (gone.length === 0) return
  const ofAll = yield* query<Row>("SELECT operation, stage, counts FROM answered WHERE replica = ''")
  const touched = new Set(gone.map(keyOf))
  yield* insert(OF_ALL, sumsOf([...gone, ...ofAll.filter((row) => touched.has(keyOf(row)))]), now)
}

/** A process may have written while the stage ended. */
const DELETE_OVER = `
  DELETE FROM answered WHERE EXISTS (
    SELECT 1 FROM position WHERE position.operation = answered.operation AND answered.stage < position.before)`
