import type { CompiledOperation } from '../../../engine/compile/compile-operations.ts'
import type { V1ErrorBody } from '../../../engine/read-v1-error.ts'
import { KEPT_STATUSES } from '../../../engine/read-v1-error.ts'
import type { V1Call } from '../../../engine/translate-request.ts'
import type { UpstreamAnswer } from '../../upstream/upstream.ts'
import type { FailureKind } from '../../upstream/upstream-error.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { type Language, lookUp, type Messages, say, sentenceOf } from './legacy-messages.ts'
import { StacklessError } from './refusal.ts'

/** An error that v1 answered, and what it means for legacy. */
export interface V1Refusal {
  readonly answer: UpstreamAnswer
  /** As much of the answer's body as could be read. */
  readonly body: V1ErrorBody
  readonly operation: CompiledOperation
  readonly call: V1Call
  readonly meaning: Meaning
  /** Whether legacy had a message other than v1's. */
  readonly ownMessage: boolean
}

/** Thrown for an error that v1 answered where only a success will do. */
export class V1Refused extends StacklessError {
  override readonly name = 'V1Refused'
  readonly refusal: V1Refusal

  constructor(refusal: V1Refusal) {
    super(`v1 answered ${refusal.answer.status}`)
    this.refusal = refusal
  }
}

/**
 * Says what an error of v1 means. A mapping's own entry for its code takes precedence over the table of statuses.
 * @param body what was read of the answer's body.
 */
export function refusalOfV1(
  answer: UpstreamAnswer,
  body: V1ErrorBody,
  operation: CompiledOperation,
  call: V1Call,
): V1Refusal {
  const { code } = body
  const { errors } = operation.mapping
  const entry = code !== undefined && errors !== undefined && Object.hasOwn(errors, code) ? errors[code] : undefined
  const meaning = entry?.status === undefined ? meaningOf(answer.status, code !== undefined) : { status: entry.status }
  return { answer, body, operation, call, meaning, ownMessage: entry?.ownMessage === true }
}

/** Translates an error of v1 into the legacy answer. */
export function translateRefusal(refusal: V1Refusal, language: Language, messages: Messages): LegacyAnswer {
  const { answer, body: error, meaning, ownMessage } = refusal
  const headers = headersOf(answer, error)
  if ('failure' in meaning) {
    headers['x-gateway-error'] = meaning.failure
    return jsonAnswer(500, JSON.stringify({ message: say(messages, language, 'unexpected') }), headers)
  }
  const { status } = meaning
  const message = messageOf(answer.status, error, ownMessage, language, messages)
  // Clients look for violations in a 400, even if there are none.
  const violations = status === 400 ? violationsOf(refusal, language, messages) : undefined
  if (violations !== undefined && error.leftOut > 0) headers['x-gateway-violations-left-out'] = String(error.leftOut)
  const json = JSON.stringify({ message, violations })
  // `params` is v1's own text, so that its numbers keep their digits. Legacy had none in validation errors.
  const hasParams = error.params !== undefined && answer.status !== 422
  if (error.paramsLeftOut > 0 && answer.status !== 422)
    headers['x-gateway-params-left-out'] = String(error.paramsLeftOut)
  return jsonAnswer(status, hasParams ? `${json.slice(0, -1)},"params":${error.params}}` : json, headers)
}

/** The violations that v1 found, at their legacy paths. */
function violationsOf({ body, operation, call }: V1Refusal, language: Language, messages: Messages) {
  const { legacyErrorPath, sentValue } = operation
  return body.errors.map(({ path, message = say(messages, language, 'invalid-value') }, index) => ({
    propertyPath: legacyErrorPath(path),
    message: index < MAX_VALUES ? withValue(message, sentValue?.(path, call)) : message,
  }))
}

/**
 * How many messages of an answer repeat the client's value. Each value is looked up in the request's body, and a body with
 * thousands of wrong rows must not be walked thousands of times.
 */
const MAX_VALUES = 50

/** Longer values are not repeated to the client. */
const MAX_VALUE_LENGTH = 64

/**
 * Appends the client's own value to a message, unless it is there already. v1 names a converted value in its own form,
 * which means nothing to a client.
 */
function withValue(message: string, legacy: string | undefined): string {
  if (legacy === undefined || legacy.length > MAX_VALUE_LENGTH || message.includes(legacy.replaceAll('"', '')))
    return message
  return `${message} (${legacy})`
}

/** Longer headers of v1 are not passed on, so that all headers together stay small. */
const MAX_HEADER = 1_024

/** A code that is safe in a header. */
const CODE = /^\w{1,128}$/

function headersOf({ headers: v1 }: UpstreamAnswer, { code }: V1ErrorBody): Record<string, string> {
  const headers: Record<string, string> = {}
  if (code !== undefined && CODE.test(code)) headers['x-gateway-code'] = code
  for (const name of ['retry-after', 'www-authenticate'] as const) {
    // If v1 sent several, they are joined into a list.
    const value = v1[name] === undefined ? '' : String(v1[name])
    if (value !== '' && value.length <= MAX_HEADER) headers[name] = value
  }
  return headers
}

/**
 * Returns the message of an error. In v1, validation messages follow Accept-Language and all others are Turkish; legacy
 * translated them all (docs/contract.md 8.3). So English is looked up by code, and a code without a text becomes a
 * sentence.
 */
function messageOf(
  v1Status: number,
  { code, message }: V1ErrorBody,
  ownMessage: boolean,
  language: Language,
  messages: Messages,
): string {
  const byCode = code === undefined ? undefined : lookUp(messages, language, code)
  const general = (): string => lookUp(messages, language, `status-${v1Status}`) ?? say(messages, language, 'not-valid')
  if (ownMessage && byCode !== undefined) return byCode
  if (language === 'tr' || code === 'VALIDATION_FAILED') return message ?? byCode ?? general()
  if (byCode !== undefined) return byCode
  if (code !== undefined && CODE.test(code)) return sentenceOf(code)
  // Only v1's own words say what was wrong.
  return v1Status === 400 && code === undefined && message !== undefined ? message : general()
}

const KEPT = new Set(KEPT_STATUSES)

/** The meaning of an error of v1 for legacy: a status, or a failure. */
type Meaning = { readonly status: number } | { readonly failure: FailureKind }

/**
 * Returns what an error status of v1 means: docs/contract.md 8.2 and 9.3; where that is silent, docs/decisions/0011. A
 * broken business rule has a code. A 400 without one says that the request is wrong, like legacy's 400. The contract
 * promises no other status: any other is a failure.
 */
export function meaningOf(v1Status: number, hasCode: boolean): Meaning {
  if (KEPT.has(v1Status)) return { status: v1Status }
  if (v1Status === 422) return { status: 400 }
  if (v1Status === 400) return { status: hasCode ? 406 : 400 }
  return { failure: v1Status >= 500 ? 'unavailable' : 'malformed' }
}
