import type { Work } from '../../state/sql.ts'
import type { CutoverLease } from '../cutover-store.ts'

/** What differs between the databases that hold the cut-over. */
export interface Engine {
  /** The store's name in messages. */
  readonly name: string
  /**
   * Runs `work` in one transaction, and commits it.
   * @param kind `read`: all statements see the same, and nothing is locked.
   * @throws StateError if the database fails.
   */
  transaction<Result>(work: (now: Date) => Work<Result>, kind?: 'read'): Promise<Result>
  /** Does so if the lease holds, which nobody can take over before the transaction ends. Undefined: it does not. */
  whileHeld<Result>(lease: CutoverLease, work: (now: Date) => Work<Result>): Promise<Result | undefined>
  lease(): Promise<CutoverLease | undefined>
  /** Makes other processes read again, once the transaction is committed. */
  announce(): Work<void>
}
