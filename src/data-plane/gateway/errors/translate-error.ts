import { JsonError } from '../../../engine/json/scan-json.ts'
import { PromiseError } from '../../../engine/rewrite/rewrite-plan.ts'
import { charsetOf } from '../../../exchange/request-facts.ts'
import { malformedBy, malformedText } from '../../../exchange/why-malformed.ts'
import type { RawAnswer, Unreadable } from '../../http/close-connection.ts'
import { SlowDown } from '../../upstream/slow-down.ts'
import { type FailureKind, UpstreamError } from '../../upstream/upstream-error.ts'
import { ClientAbort } from '../client-abort.ts'
import { jsonAnswer, type LegacyAnswer } from '../legacy-answer.ts'
import type { Notes } from '../notes.ts'
import { newRequestId } from '../request-head.ts'
import { type Language, type Messages, say } from './legacy-messages.ts'
import { Refusal } from './refusal.ts'
import { translateRefusal, V1Refused } from './v1-refusal.ts'

/** The legacy service failed on a call that it was to answer. */
class LegacyFailure extends Error {
  override readonly name = 'LegacyFailure'
  readonly kind: FailureKind
  /** A gateway's status (RFC 9110 sections 15.6.3 to 15.6.5). */
  readonly status: 502 | 503 | 504

  constructor({ kind, message }: UpstreamError, options?: ErrorOptions) {
    super(`legacy: ${message}`, options)
    this.kind = kind
    this.status = STATUSES[kind] ?? 502
  }
}

const STATUSES: Partial<Record<FailureKind, 503 | 504>> = { timeout: 504, unavailable: 503, overloaded: 503 }

/** Turns an upstream's failure into one of the legacy service. Returns anything else unchanged. */
export function legacyFailureOf(error: unknown): unknown {
  return error instanceof UpstreamError ? new LegacyFailure(error, { cause: error }) : error
}

/** Returns how v1, or the legacy service in its place, failed; undefined if it answered or was not asked. */
export function failureOf(error: unknown): FailureKind | 'internal' | undefined {
  if (error instanceof Refusal || error instanceof ClientAbort) return undefined
  if (error instanceof UpstreamError || error instanceof LegacyFailure) return error.kind
  if (error instanceof JsonError || error instanceof PromiseError) return 'malformed'
  if (error instanceof SlowDown) return 'unavailable'
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
  if (error instanceof ClientAbort) return { status: 499, headers: {}, body: null }
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

/** Says what is malformed in the answer of a service, without anything of its body; undefined: it is not malformed, or unknown. */
export function malformedOf(error: unknown, { v1Type }: Pick<Notes, 'v1Type'>): string | undefined {
  if (failureOf(error) !== 'malformed' || !(error instanceof Error)) return undefined
  if (error instanceof JsonError) {
    return malformedText(error.what ?? 'not JSON', error.position, charsetOf(v1Type)).says
  }
  return malformedBy(error.cause instanceof Error ? error.cause.message : error.message) ?? malformedBy(error.message)
}

const MESSAGES: Readonly<Record<Unreadable['status'], string>> = {
  400: 'not-http',
  408: 'not-in-time',
  413: 'status-413',
  431: 'head-too-large',
}

/** By Node's code, where it says what is wrong. */
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  HPE_INVALID_URL: 'invalid-target',
  HPE_INVALID_HEADER_TOKEN: 'invalid-header',
}

/**
 * Returns what answers a request that cannot be read, or whose Host is invalid, before any operation is looked up: a message, with the
 * headers of every answer. Nothing has been read that would reveal the client's language.
 */
export function unreadableRefuser(
  headers: Readonly<Record<string, string>>,
  messages: Messages,
): (sent: Pick<Unreadable, 'status' | 'code'>) => RawAnswer {
  return ({ status, code }) => {
    const message = say(messages, 'tr', MESSAGES_BY_CODE[code] ?? MESSAGES[status])
    return {
      headers: { ...headers, 'content-type': 'application/json', 'x-request-id': newRequestId() },
      // Clients look for violations in a 400, even if there are none.
      body: JSON.stringify(status === 400 ? { message, violations: [] } : { message }),
    }
  }
}
