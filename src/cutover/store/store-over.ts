import type { Logger } from 'pino'
import type { CutoverLease, CutoverStore } from '../cutover-store.ts'
import type { Position } from '../position.ts'
import type { Counter } from './answered-rows.ts'
import { type AskCutover, cutoverDbOf } from './ask-cutover.ts'
import { OwnAnswers } from './own-answers.ts'

export interface CutoverStoreOptions {
  readonly isShared: boolean
  /** As whom this process stores what it answered. */
  readonly process: Counter
  /** Asks the thread that has the database. */
  readonly ask: AskCutover
  readonly onDecided?: CutoverStore['onDecided']
  readonly log: Pick<Logger, 'warn'>
  /** In ms. */
  readonly monotonic?: () => number
}

/** How often the holder of the lease looks for what is left of processes that are gone. */
const HOUSEKEEPING_MS = 60_000

/** Stores the cut-over by asking a thread, and follows what is stored of what this process answered. */
export function cutoverStore(options: CutoverStoreOptions): CutoverStore {
  const { isShared, process, ask, onDecided = () => undefined, log, monotonic = () => performance.now() } = options
  const db = cutoverDbOf(ask)
  const own = new OwnAnswers({
    begin: (answered) => db.begin(process, answered),
    write: (answered) => db.write(process, answered),
  })
  /** One at a time: what is stored is known only after the one before. */
  let keeping: Promise<unknown> = Promise.resolve()
  let tidiedAt: number | undefined
  let known: readonly Position[] = []

  const housekeep = (lease: CutoverLease): void => {
    if (tidiedAt !== undefined && monotonic() - tidiedAt < HOUSEKEEPING_MS) return
    tidiedAt = monotonic()
    // It can wait until the next time.
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
    keep(answered) {
      const kept = keeping.then(() => own.keep(answered))
      keeping = kept.catch(() => undefined)
      return kept
    },
    async lease() {
      const lease = await db.lease()
      if (lease !== undefined) housekeep(lease)
      return lease
    },
    ...{ decide: db.decide, endBrownouts: db.endBrownouts },
    ...{ audit: db.audit, due: db.due, settle: db.settle },
  }
}
