import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { readV1Error, type V1ErrorBody } from '../../engine/read-v1-error.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import type { UpstreamAnswer } from '../../upstream/upstream.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { type Meaning, meaningOf } from './error-table.ts'
import { type Language, lookUp, type Messages, say, sentenceOf } from './messages.ts'
import { StacklessError } from './stackless-error.ts'

/** An error that v1 answered, read, and what it means for legacy. */
export interface V1Refusal {
  readonly answer: UpstreamAnswer
  /** The answer's body, as far as it could be read. */
  readonly body: V1ErrorBody
  readonly operation: CompiledOperation
  /** What v1 was asked. */
  readonly call: V1Call
  readonly meaning: Meaning
  /** Whether legacy said something else than v1. */
  readonly ownMessage: boolean
}

/** The same where it is an error: nothing can be done without a success. */
export class V1Refused extends StacklessError {
  override readonly name = 'V1Refused'
  readonly refusal: V1Refusal

  constructor(refusal: V1Refusal) {
    super(`v1 answered ${refusal.answer.status}`)
    this.refusal = refusal
  }
}

/** Reads an error of v1; a mapping's own line for its code comes before the table of statuses. */
export function readRefusal(answer: UpstreamAnswer, operation: CompiledOperation, call: V1Call): V1Refusal {
  const body = readV1Error(answer.body)
  const { code } = body
  const { errors } = operation.mapping
  const own = code !== undefined && errors !== undefined && Object.hasOwn(errors, code) ? errors[code] : undefined
  const meaning = own?.status === undefined ? meaningOf(answer.status, code !== undefined) : { status: own.status }
  return { answer, body, operation, call, meaning, ownMessage: own?.ownMessage === true }
}

/** An error of v1 as the legacy answer. */
export function translateRefusal(refusal: V1Refusal, language: Language, messages: Messages): LegacyAnswer {
  const { answer, body: error, meaning, ownMessage } = refusal
  const headers = headersOf(answer, error)
  if ('failure' in meaning) {
    headers['x-gateway-error'] = meaning.failure
    return jsonAnswer(500, JSON.stringify({ message: say(messages, language, 'unexpected') }), headers)
  }
  const { status } = meaning
  const message = JSON.stringify(messageOf(answer.status, error, ownMessage, language, messages))
  // Programs that are answered 400 look for violations, of which there may be none.
  const violations = status === 400 ? `,"violations":${violationsOf(refusal, language, messages)}` : ''
  // The text of params is v1's own, so that its numbers keep their digits. Of a validation legacy had none.
  const params = error.params === undefined || answer.status === 422 ? '' : `,"params":${error.params}`
  return jsonAnswer(status, `{"message":${message}${violations}${params}}`, headers)
}

/** What v1 found wrong, at the legacy fields; JSON. */
function violationsOf({ body, operation, call }: V1Refusal, language: Language, messages: Messages): string {
  const { legacyErrorPath, sentValue } = operation
  const violations = body.errors.map(({ path, message = say(messages, language, 'invalid-value') }, index) => ({
    propertyPath: legacyErrorPath(path),
    message: index < MOST_VALUES ? withValue(message, sentValue?.(path, call)) : message,
  }))
  return JSON.stringify(violations)
}

/** Each value is looked for in the request's body: a body with thousands of wrong rows must not be walked thousands of times. */
const MOST_VALUES = 50

/** Longer values are not repeated to whoever sent them. */
const MAX_VALUE = 64

/**
 * v1 knows a converted value by another name than the client, which says nothing to whoever reads the message: so it ends with
 * the client's own, unless it has that already.
 */
function withValue(message: string, legacy: string | undefined): string {
  if (legacy === undefined || legacy.length > MAX_VALUE || message.includes(legacy.replaceAll('"', ''))) return message
  return `${message} (${legacy})`
}

/** Headers of v1 that are longer than this are not passed on: all headers together stay small. */
const MAX_HEADER = 1_024

/** A code that is safe in a header. */
const CODE = /^\w{1,128}$/

function headersOf({ headers: v1 }: UpstreamAnswer, { code }: V1ErrorBody): Record<string, string> {
  const headers: Record<string, string> = {}
  if (code !== undefined && CODE.test(code)) headers['x-gateway-code'] = code
  for (const name of ['retry-after', 'www-authenticate'] as const) {
    // Where v1 sent several they are a list.
    const value = v1[name] === undefined ? '' : String(v1[name])
    if (value !== '' && value.length <= MAX_HEADER) headers[name] = value
  }
  return headers
}

/**
 * docs/contract.md 8.3: validation messages follow Accept-Language, all others are Turkish in v1, whereas legacy
 * translated them. So English is looked up by code; a code without a text becomes a sentence.
 */
function messageOf(
  v1Status: number,
  { code, message }: V1ErrorBody,
  ownMessage: boolean,
  language: Language,
  messages: Messages,
): string {
  const own = code === undefined ? undefined : lookUp(messages, language, code)
  const general = (): string => lookUp(messages, language, `status-${v1Status}`) ?? say(messages, language, 'not-valid')
  if (ownMessage && own !== undefined) return own
  if (language === 'tr' || code === 'VALIDATION_FAILED') return message ?? own ?? general()
  if (own !== undefined) return own
  if (code !== undefined && CODE.test(code)) return sentenceOf(code)
  // Nothing tells what it was but v1's own words.
  return v1Status === 400 && code === undefined && message !== undefined ? message : general()
}
