import { cleanJson } from '../../state/clean-text.ts'
import { query, type Work } from '../../state/sql.ts'
import type { Decision } from '../cutover-store.ts'
import type { Position } from '../position.ts'
import { positionIn } from './stored-json.ts'

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
  if (isNewStage) yield* query('DELETE FROM answered WHERE operation = $1 AND stage < $2', operation, ended)
  return true
}

const INSERT = `
  INSERT INTO position (operation, version, stage, before, doc) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (operation) DO NOTHING RETURNING version`

const UPDATE = `
  UPDATE position SET version = $2, stage = $3, before = $4, doc = $5 WHERE operation = $1 AND version = $6
  RETURNING version`
