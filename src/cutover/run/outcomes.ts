import type { Ordered } from '../order.ts'
import type { Position } from '../position.ts'

/** How long an order waits for the store. */
export const ORDER_MS = 5_000

/** Added to a plan's reason in reports while its stop waits to be stored. */
export const NOT_STORED = ' (not stored yet: STATE_DB cannot be used)'

export const noPlan = (operation: string): string => `${operation} has no plan in the rollout file`

/** The order names another version than the position has. */
export const stale = ({ operation, version, state, percent }: Position): Ordered => ({
  refused: 'stale',
  message: `${operation} has changed meanwhile: it is now ${state} at ${percent} %, version ${version}`,
})

/** The order cannot be carried out now, or nobody knows whether it was. */
export const unavailable = (reason = `STATE_DB has not answered for ${ORDER_MS / 1_000} s`): Ordered => ({
  refused: 'unavailable',
  message: `${reason}; check whether the plan has moved before you repeat the order`,
})

/** The order would take a step, and what speaks against it could not be read. */
export const UNREAD: Ordered = {
  refused: 'unavailable',
  message: 'the results of all gateways could not be read from STATE_DB, and no step is taken without them: try again',
}
