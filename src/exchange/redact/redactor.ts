import { isUtf8 } from 'node:buffer'
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { JsonError } from '../../engine/json/json-scan.ts'
import { stringAt, textOf, typeAt } from '../../engine/json/json-walk.ts'
import { redactJson } from './redact.ts'
import { CREDENTIAL_NAMES, nameSet, PERSONAL_NAMES } from './redact-names.ts'
import { redactQuery } from './redact-query.ts'

/** Makes what may be kept of what came: personal data and credentials become tokens, equal ones equal tokens. */
export interface Redactor {
  /** A JSON text with everything else byte for byte; undefined when it is not JSON in UTF-8. */
  body(json: Uint8Array): Buffer | undefined
  /** A query without its question mark. */
  query(query: string): string
}

const NAMES = nameSet([...PERSONAL_NAMES, ...CREDENTIAL_NAMES])
/** RFC 5869 section 3.2: what sets this use of the key apart from every other. */
const INFO = 'legacy-gateway: redaction of recordings'

/**
 * A redactor whose tokens only who has the key can make: `~` and 132 bits of an HMAC-SHA-256 in base64url. What is hashed is
 * the value as JSON: texts as `JSON.stringify` writes them, however they came; anything else byte for byte. So the text `5`
 * and the number 5 have two tokens, and so have 5 and 5.0. Null and `""` stay.
 */
export function redactor(tokenKey: Uint8Array): Redactor {
  // A key object: with bare bytes each HMAC takes eight times as long.
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', tokenKey, '', INFO, 32)))
  const tokenOf = (json: string): string =>
    `~${createHmac('sha256', key).update(json).digest('base64url').slice(0, 22)}`

  const replace = (json: Uint8Array, start: number, end: number): Buffer | undefined => {
    const type = typeAt(json, start)
    if (type === 'null' || (type === 'string' && end - start === 2)) return undefined
    const value = type === 'string' ? JSON.stringify(stringAt(json, start, end)) : textOf(json, start, end)
    return Buffer.from(`"${tokenOf(value)}"`)
  }

  return {
    body(json) {
      if (!isUtf8(json)) return undefined
      try {
        return redactJson(json, NAMES, replace)
      } catch (error) {
        if (error instanceof JsonError) return undefined
        throw error
      }
    },
    query: (query) => redactQuery(query, NAMES, (value) => tokenOf(JSON.stringify(value))),
  }
}
