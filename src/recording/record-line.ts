import type { ExchangeRequest, SideAnswer } from '../exchange/exchange.ts'

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

/** Redacts data that must not be kept. */
export interface Redact {
  /** Returns a redacted copy of a JSON text, which the caller may change; undefined: not JSON. */
  body(json: Uint8Array): Buffer | undefined
  /** Redacts a query, without the question mark. */
  query(query: string): string
  /** Returns the pseudonym of a client. */
  client(name: string): string
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20

/** Writes one line of a recording, redacted, with its newline. Bodies keep their digits. A body that is not JSON is left out. */
export function exchangeLine(exchange: RecordableExchange, redact: Redact): Buffer {
  const { at, replica, client, operation, request, answer, recordsBodies } = exchange
  const caller = client === undefined ? '' : `"client":${text(redact.client(client))},`
  const path = request.query === '' ? request.path : `${request.path}?${redact.query(request.query)}`
  const { 'accept-language': language, 'content-type': type } = request.headers
  const headers = { 'accept-language': language, 'content-type': type }
  const bodyOf = (bytes: Uint8Array): readonly Buffer[] => {
    const json = recordsBodies && bytes.length > 0 ? redact.body(bytes) : undefined
    return json === undefined ? [] : [Buffer.from(',"body":'), onOneLine(json)]
  }
  return Buffer.concat([
    Buffer.from(`{"v":1,"at":${text(at.toISOString())},"replica":${text(replica)},`),
    Buffer.from(`${caller}"operation":${text(operation)},`),
    Buffer.from(`"request":{"method":${text(request.method)},"path":${text(path)},"headers":${text(headers)}`),
    ...bodyOf(request.body),
    Buffer.from(`},"response":{"status":${answer.status},"ms":${rounded(answer.milliseconds)}`),
    ...bodyOf(answer.body),
    Buffer.from('}}\n'),
  ])
}

const text = (value: unknown): string => JSON.stringify(value)
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** Replaces line breaks with spaces: in JSON they only occur between values. */
function onOneLine(json: Buffer): Buffer {
  for (let at = 0; at < json.length; at++) if (json[at] === NEWLINE || json[at] === RETURN) json[at] = SPACE
  return json
}
