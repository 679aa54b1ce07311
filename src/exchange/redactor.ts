import { isUtf8 } from 'node:buffer'
import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { JsonError } from '../engine/json/scan-json.ts'
import { stringAt, textOf, typeAt } from '../engine/json/walk-json.ts'
import { type KeyStream, pseudonymOf } from './pseudonym.ts'
import { CREDENTIAL_NAMES, PERSONAL_NAMES, type Reason, redactedNames, redactJson, redactQuery } from './redact.ts'

/** Replaces personal data and credentials, so that the rest can be kept. Equal values get equal replacements. */
export interface Redactor {
  /** Redacts a JSON text; everything else stays byte for byte. Returns undefined if it is not JSON in UTF-8. */
  body(json: Uint8Array): Buffer | undefined
  /** Redacts a query, given without its question mark. */
  query(query: string): string
  /** Returns 22 base64url characters that stand for a client. */
  client(name: string): string
  /** Tells keys apart: 12 hexadecimal digits, which say nothing about the key or what stands for a value. */
  readonly key: string
}

const NAMES = redactedNames({ personal: PERSONAL_NAMES, secret: CREDENTIAL_NAMES })
/** Each separates one use of the key from all others (RFC 5869 section 3.2). */
const OF_SECRETS = 'legacy-gateway: redaction of recordings'
const OF_PERSONAL = 'legacy-gateway: pseudonyms of recordings'
const OF_CLIENTS = 'legacy-gateway: clients of recordings'
const OF_KEY = 'legacy-gateway: fingerprint of the key of recordings'
const FINGERPRINT_BYTES = 6

const EXPONENT = /[eE]/

/**
 * Creates a redactor. Only the holder of the key can compute what stands for a value.
 *
 * - A personal value becomes a pseudonym of the same form (docs/decisions/0069), made from an HMAC-SHA-256 of the whole value. The
 *   string "5" and the number 5 get the same digits; 5 and 5.0 get different ones. True, false, null and `""` stay.
 * - A secret becomes `~` and 132 bits of an HMAC-SHA-256 of its JSON. Null and `""` stay.
 */
export function redactor(tokenKey: Uint8Array): Redactor {
  // With raw bytes instead of a key object, each HMAC takes eight times as long.
  const keyFor = (use: string): KeyObject => createSecretKey(new Uint8Array(hkdfSync('sha256', tokenKey, '', use, 32)))
  const [secrets, personal, clients] = [keyFor(OF_SECRETS), keyFor(OF_PERSONAL), keyFor(OF_CLIENTS)]
  const hashOf = (key: KeyObject, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)

  const stream: KeyStream = (value) => {
    const seed = createHmac('sha256', personal).update(value).digest()
    const isEnough = value.length <= seed.length
    return isEnough ? seed : createHash('shake256', { outputLength: value.length }).update(seed).digest()
  }
  const pseudonymOfNumber = (number: string): string => {
    const end = number.search(EXPONENT)
    return end === -1 ? pseudonymOf(number, stream) : `${pseudonymOf(number.slice(0, end), stream)}${number.slice(end)}`
  }

  const replacement = (reason: Reason, json: Uint8Array, start: number, end: number): string | undefined => {
    const type = typeAt(json, start)
    if (type === 'null' || (type === 'string' && end - start === 2)) return undefined
    const string = type === 'string' ? stringAt(json, start, end) : undefined
    if (reason === 'secret') {
      return `"~${hashOf(secrets, string === undefined ? textOf(json, start, end) : JSON.stringify(string))}"`
    }
    if (string !== undefined) return JSON.stringify(pseudonymOf(string, stream))
    return type === 'number' ? pseudonymOfNumber(textOf(json, start, end)) : undefined
  }

  return {
    body(json) {
      if (!isUtf8(json)) return undefined
      try {
        return redactJson(json, NAMES, (...value) => {
          const other = replacement(...value)
          return other === undefined ? undefined : Buffer.from(other)
        })
      } catch (error) {
        if (error instanceof JsonError) return undefined
        throw error
      }
    },
    query: (query) =>
      redactQuery(query, NAMES, (reason, value) =>
        reason === 'secret' ? `~${hashOf(secrets, JSON.stringify(value))}` : pseudonymOf(value, stream),
      ),
    client: (name) => hashOf(clients, name),
    key: Buffer.from(hkdfSync('sha256', tokenKey, '', OF_KEY, FINGERPRINT_BYTES)).toString('hex'),
  }
}

/** What is left of a JSON text of which only the presence and the types of personal values and secrets are known. */
interface TypesOnly {
  readonly body: Buffer
  /** How many values were replaced. */
  readonly values: number
  /** Whether one of them was a token, which older recordings have in place of a personal value of any type. */
  readonly hasTokens: boolean
}

/** Matches the token in place of a secret. */
export const TOKEN = /^~[\w-]{22}$/
const ANY_TEXT = Buffer.from('"~"')
const ANY_NUMBER = Buffer.from('0')

/**
 * Replaces each personal value and each secret by one that shows no more than its presence and type, whatever redacted it. Null,
 * true, false and `""` stay. Returns undefined if it is not JSON in UTF-8.
 * @param isPresenceAlone whether not even the type of a number shows, because the other text has tokens in place of numbers too.
 */
export function typesOnly(json: Uint8Array, isPresenceAlone = false): TypesOnly | undefined {
  if (!isUtf8(json)) return undefined
  let [values, hasTokens] = [0, false]
  try {
    const body = redactJson(json, NAMES, (reason, text, start, end) => {
      const type = typeAt(text, start)
      const isEmpty = type === 'null' || (type === 'string' && end - start === 2)
      if (isEmpty || (type === 'boolean' && reason === 'personal')) return undefined
      values++
      if (reason === 'personal' && type === 'string' && TOKEN.test(stringAt(text, start, end))) hasTokens = true
      return type === 'number' && reason === 'personal' && !isPresenceAlone ? ANY_NUMBER : ANY_TEXT
    })
    return { body, values, hasTokens }
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}
