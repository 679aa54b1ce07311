import type { AuditQuery, Decision } from './cutover-store.ts'
import type { AuditEntry, NewEntry } from './event.ts'
import type { Order, Ordered } from './order.ts'
import type { CutoverReport } from './report.ts'
import type { CountedCall } from './run/counting.ts'

/** Moves operations from the legacy service to v1 by their plans, and back when v1 fails. */
export interface Cutover {
  /** Returns the percentage of clients that v1 answers; undefined: the operation has no plan. */
  percentOf(operation: string): number | undefined
  /** Counts an answered call. The brake goes on within this call, or 100 ms later. */
  count(call: CountedCall): void
  /** Returns where each plan stands, in the order of the operations. */
  reports(): readonly CutoverReport[]
  /** Carries out an order. Takes 5 s at most, and never rejects because of the store. */
  order(order: Order): Promise<Ordered>
  /** Returns entries of the audit, newest first. Rejects with a StateError. */
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
  /** Adds an entry to the audit, and tells it to `WEBHOOK_URL`, as soon as the store can be used. */
  note(entry: NewEntry, message?: Decision['message']): void
  /** What each replica says of itself: the percentage of each operation with a plan; null: none has one. */
  percents(): Readonly<Record<string, number>> | null
  /** The brownouts that began before this time are over; ISO 8601, null: nobody ended any. */
  brownoutsEndedAt(): string | null
  /** Ends all brownouts that have begun, everywhere. Rejects with a StateError. */
  endBrownouts(entry: NewEntry): Promise<void>
  /** Returns how often this process put the brake on since its start, by operation. */
  brakes(): ReadonlyMap<string, number>
  /** Does now what happens each second: stores what was counted, reads what others decided, and decides. */
  turn(): Promise<void>
  /** Stores what was counted last, within so many ms. */
  close(graceMs: number): Promise<void>
}
