import { viewOf } from '../engine/json/json-bytes.ts'
import { stringAt, typeAt, walkObject } from '../engine/json/json-walk.ts'
import { scanValue } from '../engine/json/scan.ts'
import { redactJson } from '../exchange/redact/redact.ts'
import { CREDENTIAL_NAMES, redactedNames } from '../exchange/redact/redact-names.ts'
import { redactQuery } from '../exchange/redact/redact-query.ts'
import { isKept } from '../recording/read-request.ts'
import { isOmitted } from '../recording/record-body.ts'

const SECRETS = redactedNames({ personal: [], secret: CREDENTIAL_NAMES })
const isIn =
  (names: ReadonlySet<string>) =>
  (name: string): boolean =>
    names.has(name)

/** Matches the token that replaces a secret in a recording. */
const TOKEN = /^~[\w-]{22}$/

const MEMBERS: ReadonlySet<string> = new Set(['v', 'at', 'replica', 'client', 'operation', 'request', 'response'])
const OF_REQUEST: ReadonlySet<string> = new Set(['method', 'path', 'headers', 'body', 'form', 'bodyOmitted'])
/** Members that are read here. */
const TEXTS: ReadonlySet<string> = new Set(['path', 'form', 'bodyOmitted'])
const OF_RESPONSE: ReadonlySet<string> = new Set(['status', 'ms', 'body'])

/**
 * Whether a line has the form in which the gateway records exchanges: no other members or headers, and a token for each secret. Its
 * personal values then pass as pseudonyms, because nothing can tell the two apart. The line must be a valid JSON object.
 */
export function isAsRecorded(line: Uint8Array): boolean {
  const text = viewOf(line)
  let isRight = true
  const check = (isFine: boolean): void => {
    isRight &&= isFine
  }
  /** Walks an object; `visit` returns the end of a value, or undefined if it has not walked the value. */
  const walkMembers = (
    at: number,
    isMember: (name: string) => boolean,
    visit: (name: string, at: number) => number | undefined = () => undefined,
  ): number => {
    if (typeAt(line, at) !== 'object') {
      check(false)
      return scanValue(text, at, line.length)
    }
    return walkObject(line, at, (name, valueAt) => {
      check(isMember(name))
      return visit(name, valueAt) ?? scanValue(text, valueAt, line.length)
    })
  }
  walkMembers(startOf(line), isIn(MEMBERS), (name, at) => {
    if (name === 'response') return walkMembers(at, isIn(OF_RESPONSE))
    if (name !== 'request') return undefined
    return walkMembers(at, isIn(OF_REQUEST), (inner, valueAt) => {
      if (inner === 'headers') return walkMembers(valueAt, (header) => isKept(header.toLowerCase()))
      if (!TEXTS.has(inner)) return undefined
      const end = scanValue(text, valueAt, line.length)
      const value = typeAt(line, valueAt) === 'string' ? stringAt(line, valueAt, end) : ''
      if (inner === 'bodyOmitted') check(isOmitted(value))
      else check(hasOnlyTokens(inner === 'form' ? `?${value}` : value))
      return end
    })
  })
  return isRight && !hasSecret(line)
}

function hasOnlyTokens(path: string): boolean {
  let hasOnly = true
  redactQuery(path.slice(path.indexOf('?') + 1), SECRETS, (_, value) => {
    hasOnly &&= TOKEN.test(value)
    return value
  })
  return hasOnly || !path.includes('?')
}

/** Bytes that a line must hold to name a secret. A name may also be written with escapes. */
const SUSPICIOUS = [...CREDENTIAL_NAMES, '\\u'].map((text) => Buffer.from(text))

/** Whether a member with a secret's name has a value other than a token, null or an empty text. */
function hasSecret(line: Uint8Array): boolean {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
  if (!SUSPICIOUS.some((text) => bytes.includes(text))) return false
  let has = false
  redactJson(line, SECRETS, (_, json, start, end) => {
    const type = typeAt(json, start)
    const text = type === 'string' ? stringAt(json, start, end) : undefined
    if (type !== 'null' && text !== '' && (text === undefined || !TOKEN.test(text))) has = true
    return undefined
  })
  return has
}

function startOf(line: Uint8Array): number {
  let at = 0
  while (line[at] !== 0x7b && at < line.length) at++
  return at
}
