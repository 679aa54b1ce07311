import type { Engine } from '../../state/engine.ts'
import type { Work } from '../../state/sql.ts'
import type { CutoverLease } from '../cutover-store.ts'

/** What differs between the databases that hold the cut-over. */
export interface CutoverEngine extends Engine {
  /** Runs a transaction if the lease holds; undefined if it does not. Nobody can take over the lease before the transaction ends. */
  whileHeld<Result>(lease: CutoverLease, work: (now: Date) => Work<Result>): Promise<Result | undefined>
  lease(): Promise<CutoverLease | undefined>
  /** Makes other processes read again once the transaction is committed. */
  announce(): Work<void>
}
