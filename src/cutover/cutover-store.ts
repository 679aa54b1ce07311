import type { Answered } from './answered.ts'
import type { AuditEntry, NewEntry, OutboxMessage } from './event.ts'
import type { Position } from './position.ts'

/** A decision, as it is stored: a new position and its entry, or an entry alone. */
export interface Decision {
  /** Its version is that of the position before, plus one. Undefined: nothing moves. */
  readonly position?: Omit<Position, 'since'> | undefined
  /** Whether the step, and so `since`, is new; otherwise `since` stays as it was. */
  readonly isNewStage?: boolean
  readonly entry: NewEntry
  /** The JSON for `WEBHOOK_URL` without `at`, which the store knows; undefined: nobody is told. */
  readonly message?: Readonly<Record<string, unknown>> | undefined
}

/** All that is known of the cut-over, at one moment. */
export interface CutoverState {
  /** The time by the store's clock; ISO 8601. */
  readonly now: string
  readonly positions: readonly Position[]
  /** The sums over all processes: of the stage of each position, and of the one before it. Undefined: they were not asked for. */
  readonly answered: readonly Answered[] | undefined
  /** The brownouts that somebody ended: those that began before this time are over; ISO 8601, null: nobody did. */
  readonly brownoutsEndedAt: string | null
}

/** The lease `cutover`. Its fencing token grows with each holder. */
export interface CutoverLease {
  readonly holder: string
  readonly token: string
}

export interface AuditQuery {
  readonly operation?: string | undefined
  /** Only entries before this one, newest first. */
  readonly before?: { readonly at: string; readonly id: string } | undefined
  /** At most 1,000. */
  readonly limit: number
}

/**
 * Stores the cut-over: positions, what was answered, the audit, and the outbox. One implementation over SQL, on SQLite and on
 * PostgreSQL. Its functions reject with a StateError while the store cannot be used. Times are by the store's clock.
 */
export interface CutoverStore {
  /** Whether other processes decide too. */
  readonly isShared: boolean
  /** @param withAnswered false: without the sums, which are read from a row for each process and stage. */
  read(withAnswered?: boolean): Promise<CutoverState>
  /**
   * Stores what this process has answered: cumulative since it was started, so that storing it again counts nothing twice. Rows of stages that
   * are over are deleted.
   */
  keep(answered: readonly Answered[]): Promise<void>
  /**
   * Takes or extends the lease, for 10 s, on SQLite for 5 s; undefined: another process holds it. A process that closes the store gives it back.
   */
  lease(): Promise<CutoverLease | undefined>
  /**
   * Stores a decision, its audit entry and its message, all or nothing. `stale`: the position has another version by now, or the lease is over;
   * then nothing is stored. An entry whose id is there already is not stored again.
   * @param lease of who decides by itself; undefined: somebody decided, or a brake did, which every process may.
   */
  decide(decision: Decision, lease?: CutoverLease): Promise<'stored' | 'stale'>
  /** Ends all brownouts that have begun, with its entry. */
  endBrownouts(entry: NewEntry): Promise<void>
  /** Returns entries, newest first. Those older than 400 days are deleted. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
  /**
   * Returns messages that are due, the oldest of each operation only, so that each operation's are sent in order. Those older than a day are
   * deleted; `givenUp` says how many.
   */
  due(lease: CutoverLease): Promise<{ readonly messages: readonly OutboxMessage[]; readonly givenUp: number }>
  /** Deletes a message that was taken, or postpones it: not before so many ms from now. */
  settle(id: string, outcome: 'delivered' | { readonly againInMs: number }, lease: CutoverLease): Promise<void>
  /** Calls back when another process may have decided something. */
  onDecided(listener: () => void): void
}
