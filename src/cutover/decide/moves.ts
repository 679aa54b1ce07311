import type { Plan } from '../../compare/rollout/plan.ts'
import type { Move } from '../move.ts'
import type { Position } from '../position.ts'

/** The only move that raises a percentage: to the next step. */
export const advanceTo = (next: number, plan: Plan, why: string): Move => ({
  event: 'advanced',
  to: { state: 'running', percent: next, step: plan.steps.indexOf(next) + 1, approved: null },
  isNewStage: true,
  why,
})

/** Takes the plan to 0 % at once, by the brake or by hand. `why` says what it stopped for. */
export const stopMove = (event: 'braked' | 'stopped', why: string): Move => ({
  event,
  to: { state: 'stopped', percent: 0, step: 0, approved: null },
  isNewStage: true,
  why,
})

/** Changes only the state, and perhaps the approval. */
export const stateMove = (
  event: Move['event'],
  { percent, step, approved }: Position,
  to: Partial<Move['to']>,
  why: string,
): Move => ({ event, to: { state: activeState(percent), percent, step, approved, ...to }, isNewStage: false, why })

const activeState = (percent: number): 'waiting' | 'running' => (percent === 0 ? 'waiting' : 'running')
