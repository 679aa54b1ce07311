import type { AuditQuery } from '../../cutover/cutover-store.ts'
import type { AuditEntry } from '../../cutover/event.ts'
import type { Order, Ordered } from '../../cutover/order.ts'
import type { CutoverReport } from '../../cutover/report.ts'

/** What the pages Switch-off and Audit show, and what their buttons do. */
export interface CutoverSources {
  /** When the legacy interface ends; undefined: nobody has said so. */
  readonly sunset: Date | undefined
  /** Returns where each plan stands, as in `GET /cutover`. */
  readonly reports: () => readonly CutoverReport[]
  readonly order: (order: Order) => Promise<Ordered>
  /** Returns decisions, newest first. Rejects while the store cannot be used. */
  readonly audit: (query: AuditQuery) => Promise<readonly AuditEntry[]>
  /** Returns a client's place, from 0 up to 100: v1 answers those whose place is below an operation's percentage. */
  readonly placeOf: (client: string) => number
  readonly brownouts: () => BrownoutsView
}

/** The brownouts of the rollout file. */
export interface BrownoutsView {
  readonly rules: readonly Brownout[]
  /** Those that began before this time are over, because somebody ended them; ISO 8601, null: nobody did. */
  readonly endedAt: string | null
}

/** A time in which some calls are refused. */
export interface Brownout {
  /** Ids of operations, or `*`. */
  readonly operations: readonly string[]
  /** ISO 8601 with an offset. */
  readonly from: string
  readonly to: string
  readonly percent: number
  /** What the percentage is of. */
  readonly of: 'calls' | 'clients'
  readonly status: number
  /** Clients that are never refused. */
  readonly except: readonly string[]
  readonly why: string
}

/** What a gateway without a cut-over knows: no plan, and nothing decided. */
export const NO_CUTOVER: CutoverSources = {
  sunset: undefined,
  reports: () => [],
  order: async ({ operation }) => ({ refused: 'unknown', message: `${operation} has no plan.` }),
  audit: async () => [],
  placeOf: () => 100,
  brownouts: () => ({ rules: [], endedAt: null }),
}
