import { parseRollout, type Rollout, type RolloutSetting } from '../compare/rollout/rollout.ts'
import type { Operation } from '../mapping/operation.ts'
import { linesOf, placesOf } from './lines-of.ts'

/** For commands that read only what to compare: they do not care whether there is a legacy service or a stored state. */
const ALL_THERE = { hasLegacy: true, isKept: true }

/** Returns a parser for rollout files about these operations. It throws a RolloutError. */
export function rolloutParser(
  operations: readonly Operation[],
  there: Pick<RolloutSetting, 'hasLegacy' | 'isKept'> = ALL_THERE,
): (text: string) => Rollout {
  const setting = { ...there, operations, linesOf: linesOf(operations), placesOf: placesOf(operations) }
  return (text) => parseRollout(text, setting)
}
