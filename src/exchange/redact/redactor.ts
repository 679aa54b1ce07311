import { isUtf8 } from 'node:buffer'
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { JsonError } from '../../engine/json/json-scan.ts'
import { stringAt, textOf, typeAt } from '../../engine/json/json-walk.ts'
import { redactJson } from './redact.ts'
import { CREDENTIAL_NAMES, nameSet, PERSONAL_NAMES } from './redact-names.ts'
import { redactQuery } from './redact-query.ts'

/** Replaces personal data and credentials with tokens, so that the rest can be kept. Equal values get equal tokens. */
export interface Redactor {
  /** Redacts a JSON text; everything else stays byte for byte. Returns undefined if it is not JSON in UTF-8. */
  body(json: Uint8Array): Buffer | undefined
  /** Redacts a query, given without its question mark. */
  query(query: string): string
}

const NAMES = nameSet([...PERSONAL_NAMES, ...CREDENTIAL_NAMES])
/** Separates this use of the key from all others (RFC 5869 section 3.2). */
const INFO = 'legacy-gateway: redaction of recordings'

/**
 * Creates a redactor. A token is `~` and 132 bits of an HMAC-SHA-256 in base64url, so only the holder of the key can
 * compute it. The HMAC covers the value as JSON: strings as `JSON.stringify` writes them, however they were escaped;
 * anything else byte for byte. So the string "5" and the number 5 get different tokens, as do 5 and 5.0. Null and `""`
 * stay.
 */
export function redactor(tokenKey: Uint8Array): Redactor {
  // With raw bytes instead of a key object, each HMAC takes eight times as long.
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
