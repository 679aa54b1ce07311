import type { ExchangeRequest, SideAnswer } from '../exchange/exchange.ts'
import { onOneLine, type RecordedBody, type Redact, recordedBody } from './record-body.ts'

/** A call of a known operation with its answer. */
export interface RecordableExchange {
  /** When the request arrived. */
  readonly at: Date
  /** The id of the gateway that answered. */
  readonly replica: string
  /** Who made the call, if known. */
  readonly client: string | undefined
  readonly operation: string
  readonly request: ExchangeRequest
  readonly answer: Pick<SideAnswer, 'status' | 'body' | 'milliseconds'>
  /** False: the bodies of this operation hold credentials, so neither is recorded. */
  readonly recordsBodies: boolean
}

/**
 * Writes one line of a recording, redacted, with its newline. Bodies keep their digits. If a body of a request is left out, the line
 * says why.
 */
export function exchangeLine(exchange: RecordableExchange, redact: Redact): Buffer {
  const { at, replica, client, operation, request, answer, recordsBodies } = exchange
  const caller = client === undefined ? '' : `"client":${text(redact.client(client))},`
  const path = request.query === '' ? request.path : `${request.path}?${redact.query(request.query)}`
  const { 'accept-language': language } = request.headers
  const type = (request.asSent ?? request).headers['content-type']
  const headers = { 'accept-language': language, 'content-type': type }
  const answered = recordsBodies && answer.body.length > 0 ? redact.body(answer.body) : undefined
  return Buffer.concat([
    Buffer.from(`{"v":1,"at":${text(at.toISOString())},"replica":${text(replica)},`),
    Buffer.from(`${caller}"operation":${text(operation)},`),
    Buffer.from(`"request":{"method":${text(request.method)},"path":${text(path)},"headers":${text(headers)}`),
    ...membersOf(recordedBody(request, recordsBodies, redact)),
    Buffer.from(`},"response":{"status":${answer.status},"ms":${rounded(answer.milliseconds)}`),
    ...membersOf(answered && { body: onOneLine(answered) }),
    Buffer.from('}}\n'),
  ])
}

/** Writes what a line says about a body, as the last member of its object. */
export function membersOf(recorded: RecordedBody): readonly Uint8Array[] {
  if (recorded === undefined) return []
  if ('body' in recorded) return [Buffer.from(',"body":'), recorded.body]
  return [Buffer.from(`,${text(recorded).slice(1, -1)}`)]
}

const text = (value: unknown): string => JSON.stringify(value)
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000
