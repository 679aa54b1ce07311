import { bufferOf, scanValue, viewOf } from '../../engine/json/scan-json.ts'
import { startOfText, stringAt, typeAt, walkObject } from '../../engine/json/walk-json.ts'
import type { ExchangeRequest, Side } from '../../exchange/exchange.ts'
import { CREDENTIAL_NAMES, redactedNames, redactJson, redactQuery } from '../../exchange/redact.ts'
import { type Redactor, TOKEN } from '../../exchange/redactor.ts'
import { isOmitted, lineOf, onOneLine, type RecordedBody, recordedBody, whyOmitted } from '../record-line.ts'
import { isKept, type RecordedExchange } from '../recorded-exchange.ts'

/** An exchange as it is kept, safe to share. */
export interface KeptExchange {
  /** Its line in a recording, without the line feed. */
  readonly line: Uint8Array
  /** Its body is empty if it is left out. */
  readonly request: ExchangeRequest
  /** Why the body of the request cannot be kept. Without it, this would be another call. */
  readonly omitted?: string
  readonly status: number | undefined
  readonly answer: Uint8Array | undefined
  /** As in `RecordedExchange`; null: nothing names the key. */
  readonly key: string | null
  readonly answeredBy: Side | undefined
  /** Whether it was redacted here, because the gateway did not record the line. */
  readonly isRedacted: boolean
}

/** The operation that an exchange is a call of. */
interface FoundCall {
  /** The operation's id; undefined: the call is of no operation. */
  readonly operation: string | undefined
  /** Whether its bodies hold credentials, and so are not kept. */
  readonly isLogin: boolean
  readonly request: ExchangeRequest
  /** Replaces a path that no operation has. */
  readonly shape: string
}

/**
 * Returns an exchange as it is kept. A line that the gateway recorded stays byte for byte. Everything else is redacted as a
 * recording is: personal values become pseudonyms, secrets become tokens, and bodies of logins and bodies that are not JSON are left
 * out. If a call is of no operation, only its method, its status and the shape of its path are kept.
 */
export function keptExchange(exchange: RecordedExchange, call: FoundCall, redact: Redactor): KeptExchange {
  const { source, status, answer, key = null, answeredBy } = exchange
  if (source !== undefined && mayBeRecorded(exchange, call) && isAsRecorded(source))
    return { line: source, request: call.request, status, answer, key, answeredBy, isRedacted: false }
  return redacted(exchange, call, redact)
}

/** The gateway records only calls of operations, and no bodies of logins. */
const mayBeRecorded = ({ body, answer }: RecordedExchange, { operation, isLogin }: FoundCall): boolean =>
  operation !== undefined && !(isLogin && (body ?? answer) !== undefined)

const NOTHING = new Uint8Array()

function redacted(exchange: RecordedExchange, call: FoundCall, redact: Redactor): KeptExchange {
  const { at, status, answer, answeredBy } = exchange
  const { operation, isLogin, shape } = call
  const isKnown = operation !== undefined
  const keepsBodies = isKnown && !isLogin
  const { method, path, query, headers } = call.request
  const recorded = isKnown ? recordedBody(call.request, keepsBodies, redact) : undefined
  const redactedAnswer = keepsBodies && answer !== undefined && answer.length > 0 ? redact.body(answer) : undefined
  const request: ExchangeRequest = {
    method,
    path: isKnown ? path : shape,
    query: isKnown && query !== '' ? redact.query(query) : '',
    headers,
    body: bytesOf(recorded),
  }
  const omitted = recorded !== undefined && 'bodyOmitted' in recorded ? whyOmitted(recorded.bodyOmitted) : undefined
  const body = redactedAnswer && onOneLine(redactedAnswer)
  // What was redacted before has pseudonyms of pseudonyms now, which no key gives again.
  const key = exchange.key === undefined ? redact.key : null
  return {
    ...{ request, status, answer: body, key, answeredBy, isRedacted: true },
    ...(omitted !== undefined && { omitted }),
    line: lineOf(
      { at, operation, key: key ?? undefined, answeredBy },
      request,
      recorded,
      status === undefined ? undefined : { status, body },
    ),
  }
}

function bytesOf(recorded: RecordedBody): Uint8Array {
  if (recorded === undefined || 'bodyOmitted' in recorded) return NOTHING
  return 'body' in recorded ? recorded.body : Buffer.from(recorded.form)
}

const SECRETS = redactedNames({ personal: [], secret: CREDENTIAL_NAMES })
const isIn =
  (names: ReadonlySet<string>) =>
  (name: string): boolean =>
    names.has(name)

const MEMBERS: ReadonlySet<string> = new Set([
  ...['v', 'at', 'replica', 'client', 'operation', 'key', 'answeredBy', 'request', 'response'],
])
const OF_REQUEST: ReadonlySet<string> = new Set(['method', 'path', 'headers', 'body', 'form', 'bodyOmitted'])
/** Members that are read here. */
const TEXTS: ReadonlySet<string> = new Set(['path', 'form', 'bodyOmitted'])
const OF_RESPONSE: ReadonlySet<string> = new Set(['status', 'ms', 'body'])

/**
 * Whether a line has the form in which the gateway records exchanges: no other members or headers, and a token for each secret. Its
 * personal values then pass as pseudonyms, because nothing can tell the two apart. The line must be a valid JSON object.
 */
function isAsRecorded(line: Uint8Array): boolean {
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
  walkMembers(startOfText(line), isIn(MEMBERS), (name, at) => {
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
  const bytes = bufferOf(line)
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
