import { COLON, QUOTE, skipColon, skipSpace, skipString, skipValue } from '../../engine/json/json-scan.ts'
import { stringAt, textOf } from '../../engine/json/json-walk.ts'

/** A body as it may be shown: its text as it stands, and secrets by the names of the shell variables that hold them. */
export type BodyPart = { readonly text: string } | { readonly secret: string }

/** Members that hold credentials, at any depth. The login's body is not known (docs/contract.md 13.1): they go by their names. */
const SECRET = /secret|password|token/i
/** What hides nothing: a client that sends an empty secret is to see that. */
const EMPTY = ['null', '""']

/**
 * Takes the secrets out of a body, which is JSON, with the quotes around them left in: they are not to be shown in a
 * terminal or on a page, also where whoever asks has pasted them. Everything else stays byte for byte.
 */
export function withoutSecrets(json: Uint8Array): readonly BodyPart[] {
  const parts: BodyPart[] = []
  /** What is shown next: the quote behind a secret, then what follows in the body from `from` on. */
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

/** `secretKey` is held by V1_SECRET_KEY. */
function variableOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_')
  return `V1_${words.toUpperCase()}`
}

/** A body for reading: `<SECRET_KEY>` in place of what V1_SECRET_KEY holds. */
export function shownBody(parts: readonly BodyPart[]): string {
  return parts.map((part) => ('text' in part ? part.text : `<${part.secret.replace(/^V1_/, '')}>`)).join('')
}
