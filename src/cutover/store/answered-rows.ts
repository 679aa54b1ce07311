import { Histogram } from '../../common/histogram.ts'
import { HOUR_MS } from '../../common/time.ts'
import { places, query, type Work } from '../../state/sql.ts'
import type { Answered, SideAnswers } from '../position.ts'
import { bothSidesIn, isCounted, readStages, type Stages } from './decisions.ts'

/** Identifies a process. Both are empty for all processes that are gone. */
export interface Counter {
  readonly replica: string
  readonly incarnation: string
}

/** `gone`: the row does not exist. `over`: its stage has ended, or has not begun. */
export type Fate = 'stored' | 'gone' | 'over'

const OF_ALL: Counter = { replica: '', incarnation: '' }
/** If a row was not written for this long, its process is gone or has nothing new. */
const GONE_AFTER_MS = HOUR_MS
/** How many rows to fold at once. */
const MOST_FOLDED = 500

type Row = { readonly operation: string; readonly stage: number; readonly counts: string }
const keyOf = ({ operation, stage }: Pick<Answered, 'operation' | 'stage'>): string => `${stage} ${operation}`

/** Adds empty rows of a process. Existing rows stay as they are. */
export function* beginAnswered(process: Counter, answered: readonly Answered[], now: Date): Work<void> {
  const stages = yield* readStages()
  const counted = answered.filter(({ operation, stage }) => isCounted(stage, stages.get(operation)))
  const empty = counted.map((one) => ({ ...one, ...NOTHING }))
  yield* insert(process, empty, now, 'DO NOTHING')
}

/** Writes existing rows of a process. Returns the fate of each, in the same order. Writing a row again changes nothing. */
export function* writeAnswered(process: Counter, answered: readonly Answered[], now: Date): Work<readonly Fate[]> {
  const stages = yield* readStages()
  const counted = answered.filter(({ operation, stage }) => isCounted(stage, stages.get(operation)))
  const written = new Set((yield* update(process, counted, now)).map(keyOf))
  return answered.map((one) => {
    if (!counted.includes(one)) return 'over'
    return written.has(keyOf(one)) ? 'stored' : 'gone'
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

function* insert(process: Counter, rows: readonly Answered[], now: Date, ifThere: string): Work<void> {
  if (rows.length === 0) return
  yield* query(
    `INSERT INTO answered (replica, incarnation, seen_at, operation, stage, counts)
     VALUES ${rows.map((_, at) => `($1, $2, $3, $${4 + at * 3}, $${5 + at * 3}, $${6 + at * 3})`).join(', ')}
     ON CONFLICT (replica, incarnation, operation, stage) ${ifThere}`,
    ...[process.replica, process.incarnation, now.toISOString(), ...valuesOf(rows)],
  )
}

/** Returns the sums over all processes, for the stages that count. */
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
 * Adds the rows of processes that are gone to the shared rows, so that the table does not grow with restarts. Only the lease holder
 * may do so. A process that comes back does not find its rows, and stores only what is new.
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
  const sums = sumsOf([...gone, ...ofAll.filter((row) => touched.has(keyOf(row)))])
  yield* insert(OF_ALL, sums, now, 'DO UPDATE SET counts = excluded.counts, seen_at = excluded.seen_at')
}

/** Needed because a process may have written while the stage ended. */
const DELETE_OVER = `
  DELETE FROM answered WHERE EXISTS (
    SELECT 1 FROM position WHERE position.operation = answered.operation AND answered.stage < position.before)`

/** What both sides answered. */
export type BothSides = Pick<Answered, 'v1' | 'legacy'>

export const NOTHING: BothSides = {
  v1: { calls: 0, failures: 0, times: [] },
  legacy: { calls: 0, failures: 0, times: [] },
}

/** Adds up what several processes answered. */
export function addAnswered(all: readonly BothSides[]): BothSides {
  return { v1: addSides(all.map(({ v1 }) => v1)), legacy: addSides(all.map(({ legacy }) => legacy)) }
}

function addSides(all: readonly SideAnswers[]): SideAnswers {
  const times = new Histogram()
  for (const side of all) times.addAll(side.times)
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
    times: times.counts(),
  }
}

/** Returns what was answered since `before`, which is part of `all`. After a restore it may not be; still, no count falls below zero. */
export const answeredSince = (all: BothSides, before: BothSides): BothSides => ({
  v1: sideSince(all.v1, before.v1),
  legacy: sideSince(all.legacy, before.legacy),
})

function sideSince(all: SideAnswers, before: SideAnswers): SideAnswers {
  const earlier = new Map(before.times)
  return {
    calls: Math.max(all.calls - before.calls, 0),
    failures: Math.max(all.failures - before.failures, 0),
    times: all.times
      .map(([bucket, times]) => [bucket, times - (earlier.get(bucket) ?? 0)] as const)
      .filter(([, times]) => times > 0),
  }
}
