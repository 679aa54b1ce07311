import { scanValue, viewOf } from '../engine/json/scan-json.ts'
import { endOfText, hasEscape, NO_KEY, startOfText, stringAt, typeAt, walkTree } from '../engine/json/walk-json.ts'
import { type Key, nameStandsAt, readyKey } from '../engine/rewrite/key.ts'
import { RunWriter } from '../engine/rewrite/run-writer.ts'

/** Returns the replacement of the value in `json[start, end)`, or undefined to keep it. */
export type Replace = (reason: Reason, json: Uint8Array, start: number, end: number) => Uint8Array | undefined

/**
 * Copies a JSON text and replaces the values of members of these names, at any depth. A secret is replaced whole. In a personal
 * object or array, every value is replaced that is not itself an object or array. Everything else stays byte for byte. Walks any
 * depth without recursion.
 * @throws JsonError
 */
export function redactJson(json: Uint8Array, names: RedactedNames, replace: Replace): Buffer {
  const text = viewOf(json)
  const { length } = json
  const out = new RunWriter(json, text, length)
  /** The number of containers around the value. */
  let depth = 0
  /** With more containers than this around it, every value is personal. */
  let personalDepth = Number.POSITIVE_INFINITY
  out.resume(0)
  const end = walkTree(text, startOfText(json), length, {
    value(at, keyAt, keyEnd) {
      const reason =
        (keyAt === NO_KEY ? undefined : names.at(json, keyAt, keyEnd)) ??
        (depth > personalDepth ? 'personal' : undefined)
      const type = typeAt(json, at)
      if ((type === 'object' || type === 'array') && reason !== 'secret') {
        if (reason === 'personal') personalDepth = Math.min(personalDepth, depth)
        depth++
        return undefined
      }
      if (reason === undefined) return undefined
      const valueEnd = scanValue(text, at, length)
      const replacement = replace(reason, json, at, valueEnd)
      if (replacement !== undefined) {
        out.cut(at)
        out.append(replacement)
        out.resume(valueEnd)
      }
      return valueEnd
    },
    close() {
      depth--
      if (depth <= personalDepth) personalDepth = Number.POSITIVE_INFINITY
    },
  })
  endOfText(json, end)
  out.cut(length)
  return out.finish()
}

/** Separates the names in `recipientAddress[email]`, `recipientAddress.email` and `email[]`. */
const PARTS = /[[\].]+/

/**
 * Redacts a query, given without its question mark: replaces the value of every parameter that has one of `names` by
 * `replace` of the decoded value, percent-encoded. Compares decoded names. Everything else stays as written, including
 * empty values.
 */
export function redactQuery(
  query: string,
  names: RedactedNames,
  replace: (reason: Reason, value: string) => string,
): string {
  const redact = (parameter: string): string => {
    // The parser of the URL standard reads invalid escapes as text.
    const [[name, value] = ['', '']] = new URLSearchParams(parameter)
    const reasons = value === '' ? [] : name.split(PARTS).map(names.of)
    const reason = reasons.includes('secret') ? 'secret' : reasons.find((each) => each !== undefined)
    if (reason === undefined) return parameter
    return `${parameter.slice(0, parameter.indexOf('='))}=${encodeURIComponent(replace(reason, value))}`
  }
  return query.split('&').map(redact).join('&')
}

/** Members that hold personal data. Names are case-sensitive, as in both services: `Email` is another member. */
export const PERSONAL_NAMES: readonly string[] = [
  ...['firstName', 'lastName', 'company', 'email', 'phone', 'address1', 'address2'],
  ...['citizenshipNumber', 'taxNumber', 'taxIdentificationNumber', 'tcNo'],
]

/** Members that hold credentials. Logins are recorded without bodies; these names cover every other place. */
export const CREDENTIAL_NAMES: readonly string[] = ['token', 'secretKey', 'clientId', 'password', 'authorization']

/** The reason why a value is replaced: it is personal, and a pseudonym replaces it, or it is a secret, and a token does. */
export type Reason = 'personal' | 'secret'

/** Names with the reasons why their values are not kept, prepared for look-up in JSON text. */
interface RedactedNames {
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
