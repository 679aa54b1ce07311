import type { Verdict } from '../evidence/tally/verdict.ts'
import type { Plan } from '../rollout/plan.ts'
import type { Event } from './audit.ts'

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
  /** Why the gate of the plan holds its next step, as `GateAnswer` says it; unset: it holds none. */
  readonly gateWaits?: string | undefined
}

/** The position of a plan before the first decision about it. */
export const startOf = (operation: string, since: string): Position => ({
  ...{ operation, version: 0, state: 'waiting', percent: 0, step: 0, stage: 0, since },
  ...{ approved: null, by: 'auto', why: 'the plan begins' },
})

/** What one side answered. Counts only grow. */
export interface SideAnswers {
  readonly calls: number
  /** Calls answered with status 500 to 504. For v1, only those that are its own fault: they carry `X-Gateway-Error`. */
  readonly failures: number
  /** Durations of the calls that did not fail: buckets of a `Histogram`. */
  readonly times: readonly (readonly [bucket: number, times: number])[]
}

/** How long both sides took for the same calls: those that v1 answered and that were compared. Counts only grow. */
export interface Pairs {
  /** Durations: buckets of a `Histogram`. */
  readonly v1: SideAnswers['times']
  readonly legacy: SideAnswers['times']
  /** How many of these calls took v1 longer than the plan allows for what legacy took. */
  readonly slower: number
}

/** What both sides answered for an operation at one stage of its plan. */
export interface Answered {
  readonly operation: string
  /** `Position.stage`. */
  readonly stage: number
  readonly v1: SideAnswers
  readonly legacy: SideAnswers
  /** Unset: no call was compared. */
  readonly pairs?: Pairs | undefined
}

/** All that a decision about a plan depends on. */
export interface Standing {
  readonly position: Position
  readonly plan: Plan
  readonly verdict: Verdict
  /** Whether the verdict rests on what all processes have found lately. If not, no step may rest on it. */
  readonly isFresh: boolean
  /** What v1 answered at this step. */
  readonly v1: SideAnswers
  /** What the legacy service answered at this step and the one before. */
  readonly legacy: SideAnswers
  /** How long both took for the same calls at this step; unset: none was compared. */
  readonly pairs?: Pairs | undefined
  /** By the clock of the store. */
  readonly now: Date
}

/** A change of position. */
export interface Move {
  readonly event: Event
  readonly to: Pick<Position, 'state' | 'percent' | 'step' | 'approved'>
  /** Whether this starts a step, so that calls and minutes count from zero. */
  readonly isNewStage: boolean
  /** In words. */
  readonly why: string
}

/** What comes next for a plan. */
export interface Outlook {
  /** What it waits for, or why it stopped: `waits for 312 more calls and 14 minutes`. */
  readonly why: string
  /** The percentage of the next step; null if there is none. */
  readonly next: number | null
  /** What to do now; undefined to wait. */
  readonly move: Move | undefined
}
