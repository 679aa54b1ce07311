import { JsonError } from '../../engine/json/scan-json.ts'
import { PromiseError } from '../../engine/rewrite/plan.ts'
import { type FailureKind, UpstreamError } from '../../upstream/upstream-error.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import { HungUp } from './hung-up.ts'
import { LegacyFailure } from './legacy-failure.ts'
import { type Language, type Messages, say } from './messages.ts'
import { Refusal } from './refusal.ts'
import { translateRefusal, V1Refused } from './v1-refusal.ts'

/** Returns how v1, or the legacy service in its place, failed; undefined if it answered or was not asked. */
export function failureOf(error: unknown): FailureKind | 'internal' | undefined {
  if (error instanceof Refusal || error instanceof HungUp) return undefined
  if (error instanceof UpstreamError || error instanceof LegacyFailure) return error.kind
  if (error instanceof JsonError || error instanceof PromiseError) return 'malformed'
  if (!(error instanceof V1Refused)) return 'internal'
  const { meaning } = error.refusal
  return 'failure' in meaning ? meaning.failure : undefined
}

/** Whether v1 rejected the caller's token. */
export function isTokenRefused(error: unknown): boolean {
  if (!(error instanceof V1Refused)) return false
  const { status } = error.refusal.answer
  return status === 401 || status === 403
}

/** Turns the error of a call into the legacy answer. */
export function translateError(error: unknown, language: Language, messages: Messages): LegacyAnswer {
  if (error instanceof Refusal) return refused(error, language, messages)
  // The status that nginx logs for a client that hung up. Nobody reads this answer.
  if (error instanceof HungUp) return { status: 499, headers: {}, body: null }
  if (error instanceof V1Refused) return translateRefusal(error.refusal, language, messages)
  const failure = failureOf(error)
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
