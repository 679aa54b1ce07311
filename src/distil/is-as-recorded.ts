import { viewOf } from '../engine/json/json-bytes.ts'
import { stringAt, typeAt, walkObject } from '../engine/json/json-walk.ts'
import { scanValue } from '../engine/json/scan.ts'
import { redactJson } from '../exchange/redact/redact.ts'
import { CREDENTIAL_NAMES, redactedNames } from '../exchange/redact/redact-names.ts'
import { redactQuery } from '../exchange/redact/redact-query.ts'
import { isKept } from '../recording/read-request.ts'

const SECRETS = redactedNames({ personal: [], secret: CREDENTIAL_NAMES })
/** What stands for a secret in a recording. */
const TOKEN = /^~[\w-]{22}$/

const MEMBERS: ReadonlySet<string> = new Set(['v', 'at', 'replica', 'client', 'operation', 'request', 'response'])
const OF_REQUEST: ReadonlySet<string> = new Set(['method', 'path', 'headers', 'body'])
const OF_RESPONSE: ReadonlySet<string> = new Set(['status', 'ms', 'body'])

/**
 * Whether a line is as the gateway records exchanges: it has no other members and headers, and a token for each secret. Then its
 * personal values are taken for pseudonyms: nothing tells them from others. The line must be valid JSON, and an object.
 */
export function isAsRecorded(line: Uint8Array): boolean {
  const text = viewOf(line)
  let isRight = true
  const check = (isFine: boolean): void => {
    isRight &&= isFine
  }
  const walkMembers = (at: number, names: ReadonlySet<string>, visit: (name: string, at: number) => void): number => {
    if (typeAt(line, at) !== 'object') {
      check(false)
      return scanValue(text, at, line.length)
    }
    return walkObject(line, at, (name, valueAt) => {
      check(names.has(name))
      visit(name, valueAt)
      return scanValue(text, valueAt, line.length)
    })
  }
  walkMembers(startOf(line), MEMBERS, (name, at) => {
    if (name === 'response') walkMembers(at, OF_RESPONSE, () => undefined)
    else if (name === 'request') {
      walkMembers(at, OF_REQUEST, (inner, valueAt) => {
        if (inner === 'headers' && typeAt(line, valueAt) === 'object') {
          walkObject(line, valueAt, (header, headerAt) => {
            check(isKept(header.toLowerCase()))
            return scanValue(text, headerAt, line.length)
          })
        } else if (inner === 'path' && typeAt(line, valueAt) === 'string') {
          check(hasOnlyTokens(stringAt(line, valueAt, scanValue(text, valueAt, line.length))))
        }
      })
    }
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

/** Whether a member that is named like a secret has a value other than a token, null or an empty text. */
function hasSecret(line: Uint8Array): boolean {
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
