import type { Plan } from '../compare/rollout/plan.ts'
import type { Verdict } from '../compare/tally/verdict.ts'
import type { SideAnswers } from './answered.ts'
import type { Event } from './event.ts'
import type { Position } from './position.ts'

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
