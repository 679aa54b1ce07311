import type { PlanState } from './position.ts'

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
  /** `calls` and `failures` of v1 at this step; `limit`: how many failures of that many calls trip the brake. */
  readonly brake: { readonly failures: number; readonly calls: number; readonly limit: number }
}
