import type { Logger } from 'pino'
import { serial } from '../../common/promises.ts'
import type { CutoverStore } from '../cutover-store.ts'
import type { Position } from '../position.ts'
import type { CutoverDb } from './cutover-db.ts'
import { OwnAnswers } from './own-answers.ts'

export interface CutoverStoreOptions {
  readonly isShared: boolean
  /** Identifies this process among all that store; new at each start. */
  readonly process: string
  /** The part that works on the database, in a thread. */
  readonly db: CutoverDb
  readonly onDecided?: CutoverStore['onDecided'] | undefined
  readonly log: Pick<Logger, 'warn'>
}

/** Stores the cut-over through a thread, and tracks how much of what this process answered is stored. */
export function cutoverStore(options: CutoverStoreOptions): CutoverStore {
  const { isShared, process, db, onDecided = () => undefined, log } = options
  const own = new OwnAnswers(process, db.addAnswers)
  /** One at a time: what is stored is known only once the previous one ends. */
  const keepNext = serial()
  let known: readonly Position[] = []

  /** A replaced or restored state takes plans back, and with them the clients. */
  const compare = (positions: readonly Position[]): void => {
    const versions = new Map(positions.map(({ operation, version }) => [operation, version]))
    const back = known.filter(({ operation, version }) => (versions.get(operation) ?? 0) < version)
    known = positions
    if (back.length === 0) return
    log.warn(
      { operations: back.map(({ operation }) => operation) },
      'the state was replaced or restored: plans stand where it says',
    )
  }
  return {
    ...{ isShared, onDecided },
    async read(withAnswered = true) {
      const state = await db.read(withAnswered)
      compare(state.positions)
      return state
    },
    keep: (answered) => keepNext(() => own.keep(answered)),
    lease: db.lease,
    ...{ decide: db.decide, endBrownouts: db.endBrownouts },
    ...{ audit: db.audit, due: db.due, settle: db.settle },
  }
}
