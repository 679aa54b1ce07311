/**
 * How much is kept of a lineage of an operation. Beyond a bound the smallest keys are kept, and not the first that came: so
 * counts add up to the same results in whatever order and portions they are added (docs/decisions/0070).
 */
export const BOUNDS = {
  classes: 500,
  patterns: 500,
  inputs: 1_000,
  clients: 1_000,
  reasons: 20,
  /** Of one place, the changes that are told apart, and the patterns at the same places. */
  details: 50,
  lines: 20,
  droppedMembers: 50,
} as const

export type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>

/** The name under which changes and reasons beyond the bound are counted. */
export const OTHER = 'other'
