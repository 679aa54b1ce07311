import type { AuditQuery, Decision } from './cutover-store.ts'
import type { AuditEntry, NewEntry } from './event.ts'
import type { Order, Ordered } from './order.ts'
import type { CutoverReport } from './report.ts'
import type { CountedCall } from './run/counting.ts'
import type { RolloutChange } from './run/rollout-changes.ts'

/** Moves operations from the legacy service to v1 by their plans, and back when v1 fails. */
export interface Cutover {
  /** Returns the percentage of clients that v1 answers; undefined if the operation has no plan. */
  percentOf(operation: string): number | undefined
  /** Counts an answered call. If the brake must trip, it does so within this function, or 100 ms later. */
  count(call: CountedCall): void
  /** Returns where each plan stands, in the order of the operations. */
  reports(): readonly CutoverReport[]
  /** Carries out an order. Takes 5 s at most, and never rejects because of the store. */
  order(order: Order): Promise<Ordered>
  /** Returns why an order would be refused now, in words, as far as this process knows; undefined if it would be carried out. */
  refusalOf(order: Pick<Order, 'operation' | 'action'>): string | undefined
  /** Returns entries of the audit, newest first. Rejects with a StateError. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
  /** Adds an entry to the audit and sends it to `WEBHOOK_URL`, as soon as the store can be used. */
  note(entry: NewEntry, message?: Decision['message']): void
  /** Adds a change of the rollout file to the audit, as soon as the store can be used, unless another process has. */
  noteRollout(change: RolloutChange): void
  /** What each replica reports: the percentage of each operation that has a plan; null if none has one. */
  percents(): Readonly<Record<string, number>> | null
  /**
   * Brownouts that began before this time are over, because someone ended them; ISO 8601, null if nobody did. Undefined until the store
   * or the cache has been read.
   */
  brownoutsEndedAt(): string | null | undefined
  /** Ends all brownouts that have begun, everywhere. Rejects with a StateError while it cannot be stored, which is then tried every second. */
  endBrownouts(entry: NewEntry): Promise<void>
  /** Returns how often the brake has tripped in this process since it started, by operation. */
  brakes(): ReadonlyMap<string, number>
  /** Does at once what otherwise happens every second: stores what was counted, reads what others decided, and decides. */
  turn(): Promise<void>
  /** Stores the last counts, within `graceMs`. */
  close(graceMs: number): Promise<void>
}
