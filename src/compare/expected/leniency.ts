import type { AskedRequest } from '../coverage/shown-lines.ts'
import { ExactNumber } from '../diff/decimal.ts'
import type { Place } from '../diff/difference.ts'
import { isBody } from '../diff/difference.ts'
import type { JsonValue } from '../diff/json-value.ts'
import { covers } from '../diff/path.ts'
import { coversPlace, endOf, holdsFor, type IgnoreRule, kindOf, needsValues } from '../rollout/ignore-rule.ts'
import type { Widening } from './widening.ts'

/** What is known of a call whose answers are compared. */
export interface KnownCall {
  /** The client's name in the rollout file; undefined: unknown, so that rules for a client do not hold. */
  readonly client: string | undefined
  /** The members that its request sends; see `Where.sent`. */
  readonly sent: readonly string[] | undefined
  readonly request: AskedRequest | undefined
}

/** What rules and the mapping allow while two answers are compared, because that needs the values. */
export interface Leniency {
  /** Returns the reason of the rule that excuses a place; undefined: none does. */
  excuses(place: Place, part: Parameters<typeof isBody>[0]): string | undefined
  /** Whether the items of the array at this path may come in any order. */
  isUnordered(path: string): boolean
  /** Returns the request's member whose declared widening explains further rows of the list at this path; undefined: none does. */
  widenedBy(path: string, rows: readonly JsonValue[]): string | undefined
}

/**
 * Prepares the rules of an operation for one exchange; undefined: neither they nor the mapping need values.
 * @param now ms since the epoch.
 */
export function leniencyOf(
  rules: readonly IgnoreRule[],
  call: KnownCall,
  widening: Widening | undefined,
  now: number,
): Leniency | undefined {
  if (rules.length === 0 && widening === undefined) return undefined
  const holding = rules.filter(
    (rule) =>
      now < endOf(rule) && (rule.client === undefined || rule.client === call.client) && holdsFor(rule, call.sent),
  )
  const excusing = holding.filter(needsValues)
  const unordered = holding.filter((rule) => rule.unordered === true)
  if (excusing.length + unordered.length === 0 && widening === undefined) return undefined
  return {
    excuses: (place, part) => excusing.find((rule) => excuses(rule, place, isBody(part)))?.why,
    isUnordered: (path) => unordered.some((rule) => covers(rule.path, path)),
    widenedBy: (path, rows) => (path === '' ? widening?.memberThatFinds(rows) : undefined),
  }
}

function excuses(rule: IgnoreRule, place: Place, isInBody: boolean): boolean {
  const { kind, detail, control, candidate } = place
  const ruleKind = kindOf(rule)
  if (ruleKind === undefined ? !isInBody : ruleKind !== kind) return false
  if (!coversPlace(rule, place) || (rule.details !== undefined && rule.details !== detail)) return false
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
