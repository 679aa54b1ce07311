import { ExactNumber } from '../diff/decimal.ts'
import type { Place } from '../diff/difference.ts'
import { isBody } from '../diff/difference.ts'
import type { JsonValue } from '../diff/json-value.ts'
import { covers } from '../diff/path.ts'
import { endOf, type IgnoreRule, kindOf, needsValues } from '../rollout/ignore-rule.ts'

/** What rules excuse while two answers are compared, because those rules need the values. */
export interface Leniency {
  /** Returns the reason of the rule that excuses a place; undefined: none does. */
  excuses(place: Place, part: Parameters<typeof isBody>[0]): string | undefined
  /** Whether the items of the array at this path may come in any order. */
  isUnordered(path: string): boolean
}

/**
 * Prepares the rules of an operation for one exchange; undefined: none of them needs values.
 * @param client who made the call; undefined: unknown, so that rules for a client do not hold.
 * @param now ms since the epoch.
 */
export function leniencyOf(
  rules: readonly IgnoreRule[],
  client: string | undefined,
  now: number,
): Leniency | undefined {
  const holding = rules.filter((rule) => now < endOf(rule) && (rule.client === undefined || rule.client === client))
  const excusing = holding.filter(needsValues)
  const unordered = holding.filter((rule) => rule.unordered === true)
  if (excusing.length + unordered.length === 0) return undefined
  return {
    excuses: (place, part) => excusing.find((rule) => excuses(rule, place, isBody(part)))?.why,
    isUnordered: (path) => unordered.some((rule) => covers(rule.path, path)),
  }
}

function excuses(rule: IgnoreRule, { kind, path, detail, control, candidate }: Place, isInBody: boolean): boolean {
  const ruleKind = kindOf(rule)
  if (ruleKind === undefined ? !isInBody : ruleKind !== kind) return false
  if (!covers(rule.path, path) || (rule.details !== undefined && rule.details !== detail)) return false
  return rule.tolerance === undefined || isWithin(rule.tolerance, numberOf(control), numberOf(candidate))
}

/** Allows for the rounding of doubles at the bound. */
const SLACK = 1 + 1e-9

const isWithin = (tolerance: number, control: number, candidate: number): boolean =>
  Math.abs(candidate - control) <= tolerance * Math.abs(control) * SLACK

function numberOf(value: JsonValue | undefined): number {
  if (value instanceof ExactNumber) return Number(value.text)
  return typeof value === 'number' ? value : Number.NaN
}
