/**
 * How much is kept per lineage of an operation. Beyond a bound the smallest keys are kept, not the first ones, so that the results
 * do not depend on the order and the portions in which counts are added (docs/decisions/0070).
 */
export const BOUNDS = {
  classes: 500,
  patterns: 500,
  inputs: 1_000,
  clients: 1_000,
  lists: 1_000,
  reasons: 20,
  /** The most changes told apart at one place, and the most patterns at the same places. */
  details: 50,
  lines: 20,
  droppedMembers: 50,
  notSent: 50,
  /** The most changes for which it is kept who shows them, and the most features of the requests of each. */
  circumstances: 60,
  features: 40,
} as const

export type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>

/** The name under which changes and reasons beyond the bound are counted. */
export const OTHER = 'other'
