import type { Logger } from 'pino'
import { serial } from '../../common/promises.ts'
import type { CutoverLease, CutoverStore } from '../cutover-store.ts'
import type { Position } from '../position.ts'
import type { Counter } from './answered-rows.ts'
import { type AskCutover, cutoverDbOf } from './ask-cutover.ts'
import { OwnAnswers } from './own-answers.ts'

export interface CutoverStoreOptions {
  readonly isShared: boolean
  /** Identifies this process in the rows it stores. */
  readonly process: Counter
  /** Calls the thread that has the database. */
  readonly ask: AskCutover
  readonly onDecided?: CutoverStore['onDecided']
  readonly log: Pick<Logger, 'warn'>
  /** In ms. */
  readonly monotonic?: () => number
}

/** How often the lease holder cleans up after processes that are gone. */
const HOUSEKEEPING_MS = 60_000

/** Stores the cut-over through a thread, and tracks how much of what this process answered is stored. */
export function cutoverStore(options: CutoverStoreOptions): CutoverStore {
  const { isShared, process, ask, onDecided = () => undefined, log, monotonic = () => performance.now() } = options
  const db = cutoverDbOf(ask)
  const own = new OwnAnswers({
    begin: (answered) => db.begin(process, answered),
    write: (answered) => db.write(process, answered),
  })
  /** One at a time: what is stored is known only once the previous one ends. */
  const keepNext = serial()
  let tidiedAt: number | undefined
  let known: readonly Position[] = []

  const housekeep = (lease: CutoverLease): void => {
    if (tidiedAt !== undefined && monotonic() - tidiedAt < HOUSEKEEPING_MS) return
    tidiedAt = monotonic()
    // A failure can wait until the next time.
    db.housekeep(lease).catch(() => undefined)
  }
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
    async lease() {
      const lease = await db.lease()
      if (lease !== undefined) housekeep(lease)
      return lease
    },
    ...{ decide: db.decide, endBrownouts: db.endBrownouts },
    ...{ audit: db.audit, due: db.due, settle: db.settle },
  }
}
