import { createHash } from 'node:crypto'
import type { Budget } from './budget.ts'
import { canonicalText, isObject, type JsonValue } from './json-value.ts'

/** Fingerprints by array or object, so that each is walked only once. */
const known = new WeakMap<object, string>()

/**
 * Returns a short text that is equal for equal values only. The order of members and the form of numbers do not matter.
 * @throws TooCostly when the budget is used up.
 */
export function fingerprintOf(value: JsonValue, budget: Budget): string {
  budget.step()
  if (!Array.isArray(value) && !isObject(value)) return canonicalText(value)
  const existing = known.get(value)
  if (existing !== undefined) return existing
  const hash = createHash('sha256')
  if (Array.isArray(value)) for (const item of value) hash.update(`,${fingerprintOf(item, budget)}`)
  else if (isObject(value)) {
    for (const name of Object.keys(value).sort()) {
      hash.update(`${JSON.stringify(name)}:${fingerprintOf(value[name] ?? null, budget)};`)
    }
  }
  const fingerprint = `${Array.isArray(value) ? '[' : '{'}${hash.digest('base64')}`
  known.set(value, fingerprint)
  return fingerprint
}
