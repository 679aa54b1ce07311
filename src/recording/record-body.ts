import { isUtf8 } from 'node:buffer'
import type { BodyAsSent, ExchangeRequest } from '../exchange/exchange.ts'

export const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** Redacts data that must not be kept. */
export interface Redact {
  /** Returns a redacted copy of a JSON text, which the caller may change; undefined: not JSON. */
  body(json: Uint8Array): Buffer | undefined
  /** Redacts a query, without the question mark. */
  query(query: string): string
  /** Returns the pseudonym of a client. */
  client(name: string): string
}

/** The member of a recorded request that holds its body, or says why it was left out. */
export type RecordedBody =
  | { readonly body: Buffer }
  | { readonly form: string }
  | { readonly bodyOmitted: Omitted }
  | undefined

/** Why a body was left out. A call without it would be another call, so it is not replayed. */
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
  redact: Redact,
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
