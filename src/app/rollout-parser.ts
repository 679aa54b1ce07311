import { parseRollout, type Rollout, type RolloutSetting } from '../compare/rollout/rollout.ts'
import type { Operation } from '../mapping/operation.ts'
import { linesOf } from './lines-of.ts'

/** For commands that only read what is to be compared: whether a service or a state is there does not matter to them. */
const ALL_THERE = { hasLegacy: true, isKept: true }

/** Returns what parses rollout files about these operations. It throws a RolloutError. */
export function rolloutParser(
  operations: readonly Operation[],
  there: Pick<RolloutSetting, 'hasLegacy' | 'isKept'> = ALL_THERE,
): (text: string) => Rollout {
  const setting = { ...there, operations, linesOf: linesOf(operations) }
  return (text) => parseRollout(text, setting)
}
