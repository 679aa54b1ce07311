import { brakeReason } from '../brake/brake.ts'
import type { Move, Position, Standing } from '../position.ts'
import { advanceTo, nextStep, stateMove, stopMove } from './outlook.ts'

/** What an operator can order a plan to do. */
export const ACTIONS = ['advance', 'approve', 'pause', 'resume', 'stop'] as const

export type Action = (typeof ACTIONS)[number]

/** An order: who gives it, and why. */
export interface Order {
  readonly operation: string
  readonly action: Action
  readonly by: string
  readonly why: string
  /** The version of the position that the operator saw; undefined if any version will do. */
  readonly version?: number | undefined
}

/**
 * The outcome of an order: the new position, or why it cannot be carried out. `refused`: the plan's present state does not allow it. `stale`: the position
 * has another version. `unavailable`: the store cannot be used. `unknown`: the operation has no plan.
 */
export type Ordered =
  | { readonly done: Position }
  | { readonly refused: 'refused' | 'stale' | 'unavailable' | 'unknown'; readonly message: string }

/** An order that is not carried out. */
export interface Refused {
  /** Why, and what would be right instead. */
  readonly refused: string
}

/** Returns why an order would be refused, in words; undefined if it would be carried out. */
export function refusalOf(action: Action, standing: Standing): string | undefined {
  const move = RULES[action](standing, '')
  return 'refused' in move ? move.refused : undefined
}

/**
 * Returns the move that an operator orders, or why it is refused, in words. `advance` skips waiting, but neither the brake nor an approval. The caller
 * checks `version`.
 */
export const carryOut = (order: Order, standing: Standing): Move | Refused => RULES[order.action](standing, order.why)

const RULES: Readonly<Record<Action, (standing: Standing, why: string) => Move | Refused>> = {
  advance(standing, why) {
    const { position, plan, verdict } = standing
    const next = nextStep(plan, position)
    const obstacle = notGoingOn(standing, 'advance')
    if (obstacle !== undefined) return { refused: obstacle }
    if (next === null) return { refused: `${position.percent} % is the last step: there is nothing to advance to` }
    const reason = brakeReason(standing)
    if (reason !== undefined) return { refused: `the brake is about to trip: ${reason}` }
    if (verdict === 'not ready') {
      return {
        refused:
          'the verdict is not ready: see which differences count; ignore them, or fix them and reset the evidence',
      }
    }
    if (plan.approve.includes(next) && position.approved !== next) {
      return { refused: `${next} % needs an approval: approve it first` }
    }
    return advanceTo(next, plan, why)
  },
  approve(standing, why) {
    const { position, plan } = standing
    const next = nextStep(plan, position)
    const obstacle = notGoingOn(standing, 'approve')
    if (obstacle !== undefined) return { refused: obstacle }
    if (next === null) return { refused: `${position.percent} % is the last step: there is nothing to approve` }
    if (!plan.approve.includes(next)) {
      return { refused: `${next} %, the next step, needs no approval; ${needing(plan.approve)}` }
    }
    if (position.approved === next) return { refused: `${next} % is already approved` }
    return stateMove('approved', position, { approved: next }, why)
  },
  pause({ position }, why) {
    const { state } = position
    if (state === 'paused') return { refused: 'it is already paused: resume it to continue' }
    if (state === 'stopped') return { refused: 'it is stopped at 0 %: it does not continue until someone resumes it' }
    if (state === 'done') return { refused: 'it is done: there is nothing to pause; stop takes it back to 0 %' }
    return stateMove('paused', position, { state: 'paused' }, why)
  },
  resume({ position }, why) {
    const { state } = position
    if (state === 'paused') return stateMove('resumed', position, {}, why)
    if (state !== 'stopped') return { refused: `it is ${state}: only a paused or stopped plan can be resumed` }
    const to = { state: 'waiting', percent: 0, step: 0, approved: null } as const
    return { event: 'resumed', to, isNewStage: true, why }
  },
  stop({ position }, why) {
    if (position.state === 'stopped') return { refused: 'it is already stopped: v1 answers 0 %' }
    return stopMove('stopped', why)
  },
}

/** Returns why an order for the next step is refused in this state. */
function notGoingOn({ position: { state, percent } }: Standing, action: 'advance' | 'approve'): string | undefined {
  if (state === 'stopped') return `it is stopped: resume it first, which starts over at 0 %, then ${action}`
  if (state === 'paused') return `it is paused at ${percent} %: resume it first, then ${action}`
  return undefined
}

const needing = (steps: readonly number[]): string =>
  steps.length === 0 ? 'no step does' : `these do: ${steps.map((step) => `${step} %`).join(', ')}`
