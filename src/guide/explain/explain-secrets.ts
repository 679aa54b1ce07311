import { COLON, QUOTE, skipColon, skipSpace, skipString, skipValue } from '../../engine/json/json-scan.ts'
import { stringAt, textOf } from '../../engine/json/json-walk.ts'

/** A part of a body to show: its text as written, or a secret by the name of the shell variable that holds it. */
export type BodyPart = { readonly text: string } | { readonly secret: string }

/**
 * Members that hold credentials, at any depth. They are recognized by name, because the contract does not show the
 * login's body (docs/contract.md 13.1).
 */
const SECRET = /secret|password|token/i
/** Values that are shown: a client should see that its secret is empty. */
const EMPTY = ['null', '""']

/**
 * Removes the secrets from a JSON body and leaves quotes in their place. They must not appear in a terminal or on a
 * page, even if the user pasted them. Everything else stays byte for byte.
 */
export function withoutSecrets(json: Uint8Array): readonly BodyPart[] {
  const parts: BodyPart[] = []
  /** The next text to show: the quote after a secret, then the body from `from` on. */
  let quote = ''
  let from = 0
  let at = 0
  while (at < json.length) {
    if (json[at] !== QUOTE) {
      at++
      continue
    }
    const end = skipString(json, at)
    const isKey = json[skipSpace(json, end)] === COLON
    const name = isKey ? stringAt(json, at, end) : ''
    at = isKey ? skipColon(json, end) : end
    if (!SECRET.test(name)) continue
    const valueEnd = skipValue(json, at)
    if (EMPTY.includes(textOf(json, at, valueEnd))) continue
    parts.push({ text: `${quote}${textOf(json, from, at)}"` }, { secret: variableOf(name) })
    quote = '"'
    from = valueEnd
    at = valueEnd
  }
  return [...parts, { text: `${quote}${textOf(json, from, json.length)}` }]
}

/** Names the shell variable of a member: V1_SECRET_KEY for `secretKey`. */
function variableOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_')
  return `V1_${words.toUpperCase()}`
}

/** Returns a body for people, with `<SECRET_KEY>` instead of the secret in V1_SECRET_KEY. */
export function shownBody(parts: readonly BodyPart[]): string {
  return parts.map((part) => ('text' in part ? part.text : `<${part.secret.replace(/^V1_/, '')}>`)).join('')
}
