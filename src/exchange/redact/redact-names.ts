import { hasEscape, stringAt } from '../../engine/json/walk-json.ts'
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

/** Why a value is not kept: it is replaced by a pseudonym, or it is a secret and is replaced by a token. */
export type Reason = 'personal' | 'secret'

/** Names with the reasons why their values are not kept, prepared for look-up in JSON text. */
export interface RedactedNames {
  of(name: string): Reason | undefined
  /** Returns the reason of the name in `json[start, end)`, quotes included. It may contain escapes. */
  at(json: Uint8Array, start: number, end: number): Reason | undefined
}

/** Prepares names for look-up. */
export function redactedNames(names: Readonly<Record<Reason, readonly string[]>>): RedactedNames {
  const all = new Map<string, Reason>()
  for (const name of names.personal) all.set(name, 'personal')
  for (const name of names.secret) all.set(name, 'secret')
  const byLength: { readonly key: Key; readonly reason: Reason }[][] = []
  for (const [name, reason] of all) {
    const key = readyKey(name)
    byLength[key.length] = [...(byLength[key.length] ?? []), { key, reason }]
  }
  return {
    of: (name) => all.get(name),
    at(json, start, end) {
      // The key also includes a colon.
      for (const { key, reason } of byLength[end - start + 1] ?? []) {
        if (nameStandsAt(key, json, start, end)) return reason
      }
      return hasEscape(json, start, end) ? all.get(stringAt(json, start, end)) : undefined
    },
  }
}
