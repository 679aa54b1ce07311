import type { Position } from './position.ts'

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
