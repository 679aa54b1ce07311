/**
 * Where a plan stands. `waiting`: before its first step. `running`: at a step. `awaiting approval`: the next step lacks only an
 * approval. `paused`: an operator paused it at its percentage. `stopped`: at 0 %, by the brake or an operator. `done`: at its last step.
 */
export type PlanState = 'waiting' | 'running' | 'awaiting approval' | 'paused' | 'stopped' | 'done'

/** Where an operation's plan stands, as all replicas see it. Each decision makes a new one. */
export interface Position {
  readonly operation: string
  /** Grows by one with each decision about the operation; 0 before the first. */
  readonly version: number
  readonly state: PlanState
  /** The percentage of clients that v1 answers. */
  readonly percent: number
  /** How many steps were taken. `plan.steps[step - 1]` is the percentage, unless the plan has changed since. */
  readonly step: number
  /** The version at which this step was reached. Answers are counted under it. */
  readonly stage: number
  /** When this step was reached; ISO 8601. */
  readonly since: string
  /** The percentage of the approved step; null if none is. An approval is for that step alone. */
  readonly approved: number | null
  /** `auto`, or who made the last decision. */
  readonly by: string
  /** Why the last decision was made. */
  readonly why: string
}

/** The position of a plan before the first decision about it. */
export const startOf = (operation: string, since: string): Position => ({
  ...{ operation, version: 0, state: 'waiting', percent: 0, step: 0, stage: 0, since },
  ...{ approved: null, by: 'auto', why: 'the plan begins' },
})
