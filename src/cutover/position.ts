/**
 * Where a plan stands. `waiting`: before its first step. `running`: at a step. `awaiting approval`: only an approval is missing for the
 * next step. `paused`: by somebody, at its percentage. `stopped`: braked, at 0 %. `done`: at its last step.
 */
export type PlanState = 'waiting' | 'running' | 'awaiting approval' | 'paused' | 'stopped' | 'done'

/** Where an operation's plan stands, as all replicas see it. Each decision makes a new one. */
export interface Position {
  readonly operation: string
  /** Counts up by one with each decision about the operation; 0: there was none yet. */
  readonly version: number
  readonly state: PlanState
  /** The percentage of clients that v1 answers. */
  readonly percent: number
  /** How many steps were taken; 0: none. `plan.steps[step - 1]` is the percentage, unless the plan was changed since. */
  readonly step: number
  /** The version with which this step was reached. What is answered is counted by it. */
  readonly stage: number
  /** When this step was reached; ISO 8601. */
  readonly since: string
  /** The percentage of the step that somebody approved; null: none. An approval is of that step alone. */
  readonly approved: number | null
  /** `auto`, or who made the last decision. */
  readonly by: string
  /** Why the last decision was made. */
  readonly why: string
}

/** The position of a plan about which nothing was decided yet. */
export const startOf = (operation: string, since: string): Position => ({
  ...{ operation, version: 0, state: 'waiting', percent: 0, step: 0, stage: 0, since },
  ...{ approved: null, by: 'auto', why: 'the plan begins' },
})
