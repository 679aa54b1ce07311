import type { AuditEntry, Event, NewEntry, OutboxMessage } from './audit.ts'
import type { Answered, Position } from './position.ts'

/** A decision, as it is stored: a new position and its entry, or an entry alone. */
export interface Decision {
  /** Its version is one more than the previous position's. Undefined if nothing moves. */
  readonly position?: Omit<Position, 'since'> | undefined
  /** Whether the step, and so `since`, is new; otherwise `since` stays as it was. */
  readonly isNewStage?: boolean
  readonly entry: NewEntry
  /** The JSON for `WEBHOOK_URL` without `at`, which the store adds; undefined if no message is sent. */
  readonly message?: Readonly<Record<string, unknown>> | undefined
}

/** All that is known of the cut-over, at one moment. */
export interface CutoverState {
  /** The time by the store's clock; ISO 8601. */
  readonly now: string
  readonly positions: readonly Position[]
  /** The sums over all processes, for each position's stage and the one before it. Undefined if they were not asked for. */
  readonly answered: readonly Answered[] | undefined
  /** Brownouts that began before this time are over, because someone ended them; ISO 8601, null if nobody did. */
  readonly brownoutsEndedAt: string | null
}

/** The lease `cutover`. Its fencing token grows with each holder. */
export interface CutoverLease {
  readonly holder: string
  readonly token: string
}

export interface AuditQuery {
  readonly operation?: string | undefined
  /** Only entries of these events. */
  readonly events?: readonly Event[] | undefined
  /** Only entries before this one, newest first. */
  readonly before?: { readonly at: string; readonly id: string } | undefined
  /** At most 1,000. */
  readonly limit: number
}

/**
 * Stores the cut-over: positions, what was answered, the audit, and the outbox. SQLite and PostgreSQL share one SQL
 * implementation. Its functions reject with a StateError while the store cannot be used. Times are by the store's clock.
 */
export interface CutoverStore {
  /** Whether other processes decide too. */
  readonly isShared: boolean
  /** @param withAnswered false to leave out the sums, which are read from one row per process and stage. */
  read(withAnswered?: boolean): Promise<CutoverState>
  /**
   * Stores what this process has answered, cumulative since it started, so that storing it again counts nothing twice. Deletes rows of stages
   * that are over.
   */
  keep(answered: readonly Answered[]): Promise<void>
  /**
   * Takes or extends the lease: for 10 s, on SQLite for 5 s. Undefined if another process holds it. A process that closes the store releases it.
   */
  lease(): Promise<CutoverLease | undefined>
  /**
   * Stores a decision, its audit entry and its message, all or nothing. `stale`: the position now has another version, or the lease has ended,
   * and nothing is stored. An entry whose id is already there is not stored again.
   * @param lease for automatic decisions; undefined if an operator or a brake decided, which every process may carry out.
   */
  decide(decision: Decision, lease?: CutoverLease): Promise<'stored' | 'stale'>
  /** Ends all brownouts that had begun `agoMs` milliseconds ago, and stores the entry that says so, unless it is stored already. */
  endBrownouts(entry: NewEntry, agoMs: number): Promise<void>
  /** Returns entries, newest first. Those older than 400 days are deleted. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
  /**
   * Returns messages that are due: only the oldest per operation, so that an operation's messages are sent in order. Deletes those older than
   * a day; `givenUp` says how many.
   */
  due(lease: CutoverLease): Promise<{ readonly messages: readonly OutboxMessage[]; readonly givenUp: number }>
  /** Deletes a message that was delivered, or postpones it by `againInMs` from now. */
  settle(id: string, outcome: 'delivered' | { readonly againInMs: number }, lease: CutoverLease): Promise<void>
  /** Calls the listener when another process may have decided something. */
  onDecided(listener: () => void): void
}
