import type { Position } from './position.ts'

/** What somebody can order of a plan. */
export const ACTIONS = ['advance', 'approve', 'pause', 'resume', 'stop'] as const

export type Action = (typeof ACTIONS)[number]

/** An order: who gives it, and why. */
export interface Order {
  readonly operation: string
  readonly action: Action
  readonly by: string
  readonly why: string
  /** The version of the position that its giver saw; undefined: any. */
  readonly version?: number | undefined
}

/**
 * What became of an order: the new position; or in words why it cannot be carried out: `refused` as the plan stands, `stale` because of another
 * version, `unavailable` because the store cannot be used, `unknown` because the operation has no plan.
 */
export type Ordered =
  | { readonly done: Position }
  | { readonly refused: 'refused' | 'stale' | 'unavailable' | 'unknown'; readonly message: string }
