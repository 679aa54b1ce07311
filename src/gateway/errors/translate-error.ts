import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { JsonError } from '../../engine/json/json-scan.ts'
import { readV1Error, type V1ErrorBody } from '../../engine/read-v1-error.ts'
import { PromiseError } from '../../engine/rewrite/rewrite-options.ts'
import type { UpstreamAnswer } from '../../upstream/upstream.ts'
import { type FailureKind, UpstreamError } from '../../upstream/upstream-error.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { meaningOf } from './error-table.ts'
import { ExpectedError } from './expected-error.ts'
import { HungUp } from './hung-up.ts'
import { LegacyFailure } from './legacy-failure.ts'
import { type Language, lookUp, type Messages, say, sentenceOf } from './messages.ts'
import { Refusal } from './refusal.ts'

/** v1 answered with an error. */
export class V1Refusal extends ExpectedError {
  override readonly name = 'V1Refusal'
  readonly answer: UpstreamAnswer
  /** The answer's body, as far as it could be read. */
  readonly body: V1ErrorBody
  readonly operation: CompiledOperation

  constructor(answer: UpstreamAnswer, operation: CompiledOperation) {
    super(`v1 answered ${answer.status}`)
    this.answer = answer
    this.body = readV1Error(answer.body)
    this.operation = operation
  }
}

/** How v1, or the legacy service in its place, failed; undefined where it answered, or was not asked. */
export function failureOf(error: unknown): FailureKind | 'internal' | undefined {
  if (error instanceof Refusal || error instanceof HungUp) return undefined
  if (error instanceof UpstreamError || error instanceof LegacyFailure) return error.kind
  if (error instanceof JsonError || error instanceof PromiseError) return 'malformed'
  if (!(error instanceof V1Refusal)) return 'internal'
  const { code } = error.body
  if (exceptionOf(error.operation, code)?.status !== undefined) return undefined
  const meaning = meaningOf(error.answer.status, code !== undefined)
  return 'failure' in meaning ? meaning.failure : undefined
}

/** Whether v1 did not accept the caller's token. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof V1Refusal && (error.answer.status === 401 || error.answer.status === 403)
}

/** Whatever was thrown on the way of a request, as the legacy answer. */
export function translateError(error: unknown, language: Language, messages: Messages): LegacyAnswer {
  if (error instanceof Refusal) return refused(error, language, messages)
  // What nginx logs of a client that is gone; nobody reads it.
  if (error instanceof HungUp) return { status: 499, headers: {}, body: null }
  const failure = failureOf(error)
  if (error instanceof V1Refusal) return v1Refused(error, failure, language, messages)
  const status = error instanceof LegacyFailure ? error.status : 500
  return jsonAnswer(status, JSON.stringify({ message: say(messages, language, 'unexpected') }), {
    'x-gateway-error': failure ?? 'internal',
    ...(failure === 'overloaded' && { 'retry-after': '1' }),
  })
}

function refused({ status, message, values, violations, headers }: Refusal, language: Language, messages: Messages) {
  const body = {
    message: say(messages, language, message, values),
    violations: violations?.map((violation) => ({
      propertyPath: violation.path,
      message: say(messages, language, violation.message, violation.with),
    })),
  }
  return jsonAnswer(status, JSON.stringify(body), headers)
}

function v1Refused(
  { answer, body: error, operation }: V1Refusal,
  failure: FailureKind | 'internal' | undefined,
  language: Language,
  messages: Messages,
): LegacyAnswer {
  const headers: Record<string, string> = {}
  if (error.code !== undefined && CODE.test(error.code)) headers['x-gateway-code'] = error.code
  for (const name of ['retry-after', 'www-authenticate'] as const) {
    const value = String(answer.headers[name] ?? '')
    if (value !== '' && value.length <= MAX_HEADER) headers[name] = value
  }
  if (failure !== undefined) {
    headers['x-gateway-error'] = failure
    return jsonAnswer(500, JSON.stringify({ message: say(messages, language, 'unexpected') }), headers)
  }
  const exception = exceptionOf(operation, error.code)
  const meaning = meaningOf(answer.status, error.code !== undefined)
  const status = exception?.status ?? ('status' in meaning ? meaning.status : 500)
  const message = messageOf(answer.status, error, exception?.ownMessage === true, language, messages)
  if (status === 400) return jsonAnswer(400, JSON.stringify({ message, violations: violations(error) }), headers)
  // The text of params is v1's own, so that its numbers keep their digits.
  const params = error.params === undefined ? '' : `,"params":${error.params}`
  return jsonAnswer(status, `{"message":${JSON.stringify(message)}${params}}`, headers)

  function violations({ errors }: V1ErrorBody) {
    return errors.map(({ path, message: text = say(messages, language, 'invalid-value') }) => ({
      propertyPath: operation.legacyErrorPath(path),
      message: text,
    }))
  }
}

/** Headers of v1 that are longer than this are not passed on: all headers together stay small. */
const MAX_HEADER = 1_024

/** A code that is safe in a header. */
const CODE = /^\w{1,128}$/

function exceptionOf({ mapping }: CompiledOperation, code: string | undefined) {
  const { errors } = mapping
  return code !== undefined && errors !== undefined && Object.hasOwn(errors, code) ? errors[code] : undefined
}

/**
 * The contract, Errors: validation messages follow Accept-Language, all others are Turkish in v1, whereas legacy
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
  return own ?? (code !== undefined && CODE.test(code) ? sentenceOf(code) : general())
}
