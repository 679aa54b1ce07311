import type { AuditEntry, NewEntry } from './audit.ts'
import type { AuditQuery, Decision } from './cutover-store.ts'
import type { Order, Ordered } from './decide/order.ts'
import type { PlanState } from './position.ts'
import type { ComparedCall, CountedCall } from './run/counting.ts'
import type { FileChange } from './run/file-changes.ts'

/** Moves operations from the legacy service to v1 by their plans, and back when v1 fails. */
export interface Cutover {
  /** Returns the percentage of clients that v1 answers; undefined if the operation has no plan. */
  percentOf(operation: string): number | undefined
  /** Counts an answered call. If the brake must trip, it does so within this function, or 100 ms later. */
  count(call: CountedCall): void
  /** Counts how long both sides took for a call that v1 answered and that was compared. */
  countPair(call: Omit<ComparedCall, 'isSlower'>): void
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
  noteChange(change: FileChange): void
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

/** An operation's plan as `GET /cutover` shows it. */
export interface CutoverReport {
  readonly operation: string
  readonly state: PlanState
  /** The percentage of clients that v1 answers now. */
  readonly percent: number
  /** How many steps were taken, and how many there are. */
  readonly step: number
  readonly steps: readonly number[]
  /** When this step was reached; ISO 8601. */
  readonly since: string
  /** Grows by one with each decision. */
  readonly version: number
  /** How many calls v1 answered at this step. */
  readonly calls: number
  /** The percentage of the next step; null if there is none. */
  readonly next: number | null
  /** What it waits for, or why it stopped. */
  readonly why: string
  /** What to do now, as a command; null: nothing, or nothing that a command does. */
  readonly run: string | null
  /** The seed that draws the clients, with their ids; null: their ids alone do. */
  readonly seed: string | null
  /** `calls` and `failures` of v1 at this step; `limit`: how many failures of that many calls trip the brake. */
  readonly brake: { readonly failures: number; readonly calls: number; readonly limit: number }
}
