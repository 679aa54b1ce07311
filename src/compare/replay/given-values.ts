import type { ResponseMapping } from '../../mapping/operation.ts'
import type { Rule, Shape } from '../../mapping/shape.ts'
import { ExactNumber } from '../diff/decimal.ts'
import { isObject, type JsonObject, type JsonValue } from '../diff/json-value.ts'

/** Returns the replacement for a value that the service gave; `other` is the value at the same place of another answer. */
export type Replace = (what: string, value: JsonValue, other: JsonValue | undefined) => JsonValue

/**
 * Returns a legacy success with the values replaced whose lines are marked as given by the service (`givenByService`). Items of
 * two lists are at the same place if they have the same index.
 */
export function replaceGiven(
  response: ResponseMapping,
  json: JsonValue,
  other: JsonValue | undefined,
  replace: Replace,
): JsonValue {
  switch (response.kind) {
    case 'record':
      return inObject(response.shape, json, other, replace)
    case 'list':
    case 'whole-list':
      return inItems(response.shape, json, other, replace)
    case 'page': {
      const { at, shape } = response.rows
      if (!isObject(json) || !Object.hasOwn(json, at)) return json
      return { ...json, [at]: inItems(shape, json[at] ?? null, memberOf(other, at), replace) }
    }
    case 'no-content':
    case 'pass-through':
      return json
  }
}

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

function inItems(shape: Shape, json: JsonValue, other: JsonValue | undefined, replace: Replace): JsonValue {
  if (!Array.isArray(json)) return json
  const others: readonly JsonValue[] = Array.isArray(other) ? other : []
  return json.map((item: JsonValue, index) => inObject(shape, item, others[index], replace))
}

function inObject(shape: Shape, json: JsonValue, other: JsonValue | undefined, replace: Replace): JsonValue {
  return Object.entries(shape.rules).reduce(
    (value, [path, rule]) => (hasGiven(rule) ? atPath(path.split('.'), rule, value, other, replace) : value),
    json,
  )
}

function atPath(
  [name = '', ...rest]: readonly string[],
  rule: Rule,
  json: JsonValue,
  other: JsonValue | undefined,
  replace: Replace,
): JsonValue {
  if (!isObject(json) || !Object.hasOwn(json, name)) return json
  const value = json[name] ?? null
  const beside = memberOf(other, name)
  const after = rest.length > 0 ? atPath(rest, rule, value, beside, replace) : inMember(rule, value, beside, replace)
  return after === value ? json : withMember(json, name, after)
}

/** Keeps the order of members, and treats `__proto__` like any other member. */
const withMember = (object: JsonObject, name: string, value: JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, was]) => [key, key === name ? value : was]))

function inMember(rule: Rule, value: JsonValue, other: JsonValue | undefined, replace: Replace): JsonValue {
  if (rule.kind !== 'field') return value
  if (rule.givenByService !== undefined) return replace(rule.givenByService, value, other)
  if (rule.value.kind === 'object') return inObject(rule.value.shape, value, other, replace)
  return rule.value.kind === 'list' ? inItems(rule.value.shape, value, other, replace) : value
}

/** Whether a line, or one within it, is marked. */
function hasGiven(rule: Rule): boolean {
  if (rule.kind !== 'field') return false
  return rule.givenByService !== undefined || ('shape' in rule.value && marksGiven(rule.value.shape))
}

const known = new WeakMap<Shape, boolean>()

function marksGiven(shape: Shape): boolean {
  const before = known.get(shape)
  if (before !== undefined) return before
  const marks = Object.values(shape.rules).some(hasGiven)
  known.set(shape, marks)
  return marks
}

/** Returns a text or a whole number as a request may write it, without quotes; undefined: it is neither. */
export function textOfGiven(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined
  const exact = value instanceof ExactNumber ? /^(-?\d+)e(\d{1,2})$/.exec(value.text) : null
  return exact === null ? undefined : `${exact[1]}${'0'.repeat(Number(exact[2]))}`
}
