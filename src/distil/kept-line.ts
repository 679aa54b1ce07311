import type { ExchangeRequest } from '../exchange/exchange.ts'
import type { Redactor } from '../exchange/redact/redactor.ts'
import type { RecordedExchange } from '../recording/read-request.ts'
import { isAsRecorded } from './is-as-recorded.ts'

/** An exchange as it is kept, safe to share. */
export interface KeptExchange {
  /** Its line in a recording, without the line feed. */
  readonly line: Uint8Array
  readonly request: ExchangeRequest
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
  const keepsBodies = operation !== undefined && !isLogin
  const redactedBody = (body: Uint8Array | undefined): Buffer | undefined =>
    !keepsBodies || body === undefined || body.length === 0 ? undefined : onOneLine(redact.body(body))
  const isKnown = operation !== undefined
  const request: ExchangeRequest = {
    method: call.request.method,
    path: isKnown ? call.request.path : shape,
    query: isKnown && call.request.query !== '' ? redact.query(call.request.query) : '',
    headers: call.request.headers,
    body: redactedBody(call.request.body) ?? NOTHING,
  }
  const kept = { request, status, answer: redactedBody(answer), isRedacted: true }
  return { ...kept, line: lineOf(at, operation, kept) }
}

/** Writes a line as `src/recording/record-line.ts` does, without the members that the exchange lacks. */
function lineOf(
  at: Date | undefined,
  operation: string | undefined,
  { request, status, answer }: Omit<KeptExchange, 'line'>,
): Buffer {
  const { method, path, query, headers, body } = request
  const target = query === '' ? path : `${path}?${query}`
  const withBody = (json: Uint8Array | undefined): readonly Uint8Array[] =>
    json === undefined || json.length === 0 ? [] : [Buffer.from(',"body":'), json]
  const start = [
    '"v":1',
    ...(at === undefined ? [] : [`"at":${JSON.stringify(at.toISOString())}`]),
    ...(operation === undefined ? [] : [`"operation":${JSON.stringify(operation)}`]),
    `"request":{"method":${JSON.stringify(method)},"path":${JSON.stringify(target)},"headers":${JSON.stringify(headers)}`,
  ]
  return Buffer.concat([
    Buffer.from(`{${start.join(',')}`),
    ...withBody(body),
    Buffer.from('}'),
    ...(status === undefined
      ? []
      : [Buffer.from(`,"response":{"status":${status}`), ...withBody(answer), Buffer.from('}')]),
    Buffer.from('}'),
  ])
}

/** Replaces line breaks with spaces: in JSON they only occur between values. */
function onOneLine(json: Buffer | undefined): Buffer | undefined {
  json?.forEach((byte, at) => {
    if (byte === 0x0a || byte === 0x0d) json[at] = 0x20
  })
  return json
}
