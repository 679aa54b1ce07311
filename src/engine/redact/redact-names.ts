import { stringAt } from '../json-walk.ts'
import { type Key, keyOfName, keyStandsAt } from '../key.ts'

/** Members that hold personal data. Names are case-sensitive, as they are to both services: `Email` is another member. */
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

/** Members that hold credentials. Logins are recorded without bodies; this is for wherever else one may turn up. */
export const CREDENTIAL_NAMES: readonly string[] = ['token', 'secretKey', 'clientId', 'password', 'authorization']

/** Names, ready to be found in JSON text. */
export interface NameSet {
  has(name: string): boolean
  /** Whether one of them stands in `json[start, end)`, quotes included and escapes allowed. `view` is over the same bytes. */
  standsAt(json: Uint8Array, view: DataView, start: number, end: number): boolean
}

const BACKSLASH = 0x5c

export function nameSet(names: readonly string[]): NameSet {
  const all = new Set(names)
  const byLength: Key[][] = []
  for (const key of names.map(keyOfName)) byLength[key.length] = [...(byLength[key.length] ?? []), key]
  return {
    has: (name) => all.has(name),
    standsAt(json, view, start, end) {
      for (const key of byLength[end - start - 2] ?? []) if (keyStandsAt(key, json, view, start + 1)) return true
      for (let at = start; at < end; at++) {
        if (json[at] === BACKSLASH) return all.has(stringAt(json, start, end))
      }
      return false
    },
  }
}
