import type { ExchangeRequest } from '../exchange/exchange.ts'
import type { Redactor } from '../exchange/redact/redactor.ts'
import type { RecordedExchange } from '../recording/read-request.ts'
import { onOneLine, type RecordedBody, recordedBody, whyOmitted } from '../recording/record-body.ts'
import { membersOf } from '../recording/record-line.ts'
import { isAsRecorded } from './is-as-recorded.ts'

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
  /** Whether it was redacted here, because the gateway did not record the line. */
  readonly isRedacted: boolean
}

/** The operation that an exchange is a call of. */
export interface FoundCall {
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
  const { source, status, answer } = exchange
  if (source !== undefined && mayBeRecorded(exchange, call) && isAsRecorded(source))
    return { line: source, request: call.request, status, answer, isRedacted: false }
  return redacted(exchange, call, redact)
}

/** The gateway records only calls of operations, and no bodies of logins. */
const mayBeRecorded = ({ body, answer }: RecordedExchange, { operation, isLogin }: FoundCall): boolean =>
  operation !== undefined && !(isLogin && (body ?? answer) !== undefined)

const NOTHING = new Uint8Array()

function redacted({ at, status, answer }: RecordedExchange, call: FoundCall, redact: Redactor): KeptExchange {
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
  const kept = {
    ...{ request, status, isRedacted: true },
    answer: redactedAnswer && onOneLine(redactedAnswer),
    ...(omitted !== undefined && { omitted }),
  }
  return { ...kept, line: lineOf(at, operation, kept, recorded) }
}

function bytesOf(recorded: RecordedBody): Uint8Array {
  if (recorded === undefined || 'bodyOmitted' in recorded) return NOTHING
  return 'body' in recorded ? recorded.body : Buffer.from(recorded.form)
}

/** Writes a line as `src/recording/record-line.ts` does, without the members that the exchange lacks. */
function lineOf(
  at: Date | undefined,
  operation: string | undefined,
  { request, status, answer }: Omit<KeptExchange, 'line'>,
  recorded: RecordedBody,
): Buffer {
  const { method, path, query, headers } = request
  const target = query === '' ? path : `${path}?${query}`
  const start = [
    '"v":1',
    ...(at === undefined ? [] : [`"at":${JSON.stringify(at.toISOString())}`]),
    ...(operation === undefined ? [] : [`"operation":${JSON.stringify(operation)}`]),
    `"request":{"method":${JSON.stringify(method)},"path":${JSON.stringify(target)},"headers":${JSON.stringify(headers)}`,
  ]
  const response = [
    Buffer.from(`,"response":{"status":${status}`),
    ...membersOf(answer === undefined ? undefined : { body: Buffer.from(answer) }),
    Buffer.from('}'),
  ]
  return Buffer.concat([
    Buffer.from(`{${start.join(',')}`),
    ...membersOf(recorded),
    Buffer.from('}'),
    ...(status === undefined ? [] : response),
    Buffer.from('}'),
  ])
}
