import { isUtf8 } from 'node:buffer'
import type { BodyAsSent, ExchangeRequest, Side, SideAnswer } from '../exchange/exchange.ts'
import type { Redactor } from '../exchange/redactor.ts'

/** A call of a known operation with its answer. */
export interface RecordableExchange {
  /** When the request arrived. */
  readonly at: Date
  /** The id of the gateway that answered. */
  readonly replica: string
  /** Who made the call, if known. */
  readonly client: string | undefined
  readonly operation: string
  readonly answeredBy: Side
  readonly request: ExchangeRequest
  readonly answer: Pick<SideAnswer, 'status' | 'body' | 'milliseconds'>
  /** False: the bodies of this operation hold credentials, so neither is recorded. */
  readonly recordsBodies: boolean
}

/**
 * Writes one line of a recording, redacted, with its newline. Bodies keep their digits. If a body of a request is left out, the line
 * says why.
 */
export function exchangeLine(exchange: RecordableExchange, redact: Redactor): Buffer {
  const { at, replica, client, operation, answeredBy, request, answer, recordsBodies } = exchange
  const { 'accept-language': language } = request.headers
  const type = (request.asSent ?? request).headers['content-type']
  const body = recordsBodies && answer.body.length > 0 ? redact.body(answer.body) : undefined
  const line = lineOf(
    { at, replica, client: client && redact.client(client), operation, key: redact.key, answeredBy },
    {
      ...{ method: request.method, path: request.path, query: request.query === '' ? '' : redact.query(request.query) },
      headers: { 'accept-language': language, 'content-type': type },
    },
    recordedBody(request, recordsBodies, redact),
    { status: answer.status, ms: Math.round(answer.milliseconds * 1000) / 1000, body: body && onOneLine(body) },
  )
  return Buffer.concat([line, Buffer.from('\n')])
}

/** Writes a line of a recording, without its newline, from what is already redacted. It has no member for what is undefined. */
export function lineOf(
  about: {
    readonly [name in 'at' | 'replica' | 'client' | 'operation' | 'key' | 'answeredBy']?: Date | string | undefined
  },
  { method, path, query, headers }: Pick<ExchangeRequest, 'method' | 'path' | 'query' | 'headers'>,
  recorded: RecordedBody,
  response: { readonly status: number; readonly ms?: number; readonly body: Buffer | undefined } | undefined,
): Buffer {
  const { at, replica, client, operation, key, answeredBy } = about
  const target = query === '' ? path : `${path}?${query}`
  const { body, ...answer } = response ?? { body: undefined }
  return Buffer.concat([
    opened({ v: 1, at, replica, client, operation, key, answeredBy }),
    Buffer.from(',"request":'),
    ...[opened({ method, path: target, headers }), ...membersOf(recorded), CLOSE],
    ...(response === undefined
      ? []
      : [Buffer.from(',"response":'), opened(answer), ...membersOf(body && { body }), CLOSE]),
    CLOSE,
  ])
}

const CLOSE = Buffer.from('}')
/** Writes an object that further members follow. */
const opened = (members: object): Buffer => Buffer.from(text(members).slice(0, -1))

/** Writes what a line says about a body, as the last member of its object. */
function membersOf(recorded: RecordedBody): readonly Uint8Array[] {
  if (recorded === undefined) return []
  if ('body' in recorded) return [Buffer.from(',"body":'), recorded.body]
  return [Buffer.from(`,${text(recorded).slice(1, -1)}`)]
}

const text = (value: unknown): string => JSON.stringify(value)

export const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The member of a recorded request that holds its body, or says why it was left out. */
export type RecordedBody =
  | { readonly body: Buffer }
  | { readonly form: string }
  | { readonly bodyOmitted: Omitted }
  | undefined

/** Reasons to leave a body out. A call without it would be another call, so it is not replayed. */
const OMITTED = [
  'credentials',
  'a multipart form',
  'a form with a document in it',
  'not UTF-8',
  'sent in a content coding, or in another charset',
  'neither JSON nor a form',
] as const
type Omitted = (typeof OMITTED)[number]

/**
 * Returns the redacted body of a request as a line keeps it: JSON, or the text of a form; undefined: the request had none.
 * @param keeps whether bodies of the operation may be recorded.
 */
export function recordedBody(
  { body, headers, asSent }: Pick<ExchangeRequest, 'body' | 'headers' | 'asSent'>,
  keeps: boolean,
  redact: Redactor,
): RecordedBody {
  const type = headers['content-type'] ?? ''
  if (body.length === 0 || !keeps) {
    // Only of another type must a line say why it has no body. Older recordings do not.
    if (type === '' || isJson(type)) return undefined
    return body.length === 0 ? { form: '' } : { bodyOmitted: 'credentials' }
  }
  if (asSent !== undefined && isWrittenOtherwise(asSent, body)) {
    return { bodyOmitted: 'sent in a content coding, or in another charset' }
  }
  const json = redact.body(body)
  if (json !== undefined) return { body: onOneLine(json) }
  if (isMedia(type, MULTIPART)) return { bodyOmitted: 'a multipart form' }
  if (!isUtf8(body)) return { bodyOmitted: 'not UTF-8' }
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  if (!isMedia(type, FORM) || !text.split('&').every((one) => PARAMETER.test(one))) {
    return { bodyOmitted: 'neither JSON nor a form' }
  }
  const hasDocument = [...new URLSearchParams(text).values()].some((value) => DOCUMENT.test(value))
  return hasDocument ? { bodyOmitted: 'a form with a document in it' } : { form: redact.query(text) }
}

/** Whether a service got other bytes than the plain body. Sent plainly, it might answer otherwise. */
const isWrittenOtherwise = ({ body, headers }: BodyAsSent, plain: Uint8Array): boolean =>
  headers['content-encoding'] !== undefined || Buffer.compare(body, plain) !== 0

/** Matches a parameter with its name. Other text may hold personal values that no name tells. */
const PARAMETER = /^(?:[^\s"'{}<>\\=]+=[^\n\r]*)?$/
/** Matches what may be JSON or XML, whose members are not redacted. */
const DOCUMENT = /[{}<>"]/

/** Says why a recorded call without its body cannot be replayed; undefined: it is never replayed, so it lacks nothing. */
export function whyOmitted(omitted: string): string | undefined {
  if (omitted === 'credentials') return undefined
  return isOmitted(omitted) ? `its body is not recorded: ${omitted}` : 'its body is not recorded'
}

export const isOmitted = (text: string): text is Omitted => OMITTED.some((one) => one === text)

/** Whether a `Content-Type` names this media type, regardless of its parameters. */
export const isMedia = (type: string, media: string): boolean => mediaOf(type) === media

/** Whether a `Content-Type` names JSON: RFC 8259, or RFC 6839 section 3.1. */
export const isJson = (type: string): boolean => /^(?:application|text)\/(?:[^/]+\+)?json$/.test(mediaOf(type))

const mediaOf = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? ''

const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20

/** Replaces line breaks with spaces: in JSON they only occur between values. */
export function onOneLine(json: Buffer): Buffer {
  for (let at = 0; at < json.length; at++) if (json[at] === NEWLINE || json[at] === RETURN) json[at] = SPACE
  return json
}
