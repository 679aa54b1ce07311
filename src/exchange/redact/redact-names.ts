import { hasEscape, stringAt } from '../../engine/json/json-walk.ts'
import { type Key, nameStandsAt, readyKey } from '../../engine/rewrite/key.ts'

/** Members that hold personal data. Names are case-sensitive, as in both services: `Email` is another member. */
export const PERSONAL_NAMES: readonly string[] = [
  'firstName',
  'lastName',
  'company',
  'email',
  'phone',
  'address1',
  'address2',
  'citizenshipNumber',
  'taxNumber',
  'taxIdentificationNumber',
  'tcNo',
]

/** Members that hold credentials. Logins are recorded without bodies; these names cover every other place. */
export const CREDENTIAL_NAMES: readonly string[] = ['token', 'secretKey', 'clientId', 'password', 'authorization']

/** A set of names, prepared for look-up in JSON text. */
export interface NameSet {
  has(name: string): boolean
  /** Whether `json[start, end)`, quotes included, is one of them. It may contain escapes. */
  standsAt(json: Uint8Array, start: number, end: number): boolean
}

/** Prepares a set of names. */
export function nameSet(names: readonly string[]): NameSet {
  const all = new Set(names)
  const byLength: Key[][] = []
  for (const key of names.map(readyKey)) byLength[key.length] = [...(byLength[key.length] ?? []), key]
  return {
    has: (name) => all.has(name),
    standsAt(json, start, end) {
      // The key also includes a colon.
      for (const key of byLength[end - start + 1] ?? []) if (nameStandsAt(key, json, start, end)) return true
      return hasEscape(json, start, end) && all.has(stringAt(json, start, end))
    },
  }
}
