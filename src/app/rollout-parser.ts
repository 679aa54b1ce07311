import type { Surroundings } from '../compare/rollout/contradictions.ts'
import { parseRollout, type Rollout } from '../compare/rollout/rollout.ts'
import type { Operation } from '../mapping/operation.ts'
import { linesOf, placesOf } from './lines-of.ts'

/**
 * For commands that read only what to compare: they care neither who answers, nor whether there is a legacy service or a stored
 * state.
 */
const ALL_THERE: Surroundings = { hasLegacy: true, isKept: true, serve: 'legacy' }

/** Returns a parser for rollout files about these operations. It throws a RolloutError. */
export function rolloutParser(
  operations: readonly Operation[],
  there: Surroundings = ALL_THERE,
): (text: string) => Rollout {
  const setting = { ...there, operations, linesOf: linesOf(operations), placesOf: placesOf(operations) }
  return (text) => parseRollout(text, setting)
}
