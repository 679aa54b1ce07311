import type { HarRequest, Named } from './har-entry.ts'
import { FORM, isMedia } from './record-line.ts'

/** A body to send (undefined: none), or why it cannot be sent again: for reports, and with details. */
type HarBody = { readonly body: Uint8Array | undefined } | { readonly why: string; readonly problem?: string }

/** Programs that write HAR files may leave out bodies that are large, binary or no longer available. */
const MISSING = 'its body is not in the file'
const NOT_IN_THE_FILE = 'that is not in the file; export it again with its content'
const ONLY_PARTS = 'a form: request.postData has params and no text'
const OTHER_LENGTH = 'its body in the file is longer or shorter than the one that was sent'
/** RFC 9110 section 8.6: a client without a body sends `Content-Length: 0` with these methods. */
const ANNOUNCES_EMPTY_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** RFC 4648 section 4, with the alphabet of section 5 and line breaks allowed. */
const BASE64 = /^[\w+/\s-]*={0,2}\s*$/

/**
 * Returns the body of an entry's request, or why it cannot be sent as it was. A missing or truncated body never counts as the
 * real one: both sides would refuse it alike, and that would count as a match.
 */
export function bodyOf(request: HarRequest): HarBody {
  const { params = [], encoding } = request.postData
  const text = request.postData.text ?? ''
  if (typeof text !== 'string') return { why: 'request.postData.text is not a string' }
  if (text === '' && params.length > 0) return ofParts(request, params)
  if (text === '') {
    const problem = missingBody(request)
    return problem === undefined ? { body: undefined } : { why: MISSING, problem }
  }
  const isBase64 = encoding === 'base64'
  if (isBase64 && !BASE64.test(text)) return { why: 'request.postData.text is not base64' }
  const body = isBase64 ? Buffer.from(text, 'base64') : bytesOf(request, text)
  if (body === undefined) return { why: 'its body was sent in another charset than UTF-8' }
  const sent = sentLength(request)
  if (sent === undefined || isCompressed(request) || isAsLong(body.length, text, sent)) return { body }
  const problem = `the file has ${body.length} bytes of its body, of which ${sent.bytes} were sent`
  return { why: OTHER_LENGTH, problem }
}

/** Some programs write a form only as its parts. */
function ofParts(request: HarRequest, params: readonly Named[]): HarBody {
  const form = isMedia(typeOf(request), FORM) ? formOf(params, sentLength(request)?.bytes) : undefined
  return form === undefined ? { why: ONLY_PARTS } : { body: Buffer.from(form) }
}

/** Describes the missing body of an entry without a text; undefined: the request had no body. */
function missingBody(request: HarRequest): string | undefined {
  const length = Math.max(contentLength(request) ?? 0, sizeOf(request))
  if (length > 0) return `had a body of ${length} bytes ${NOT_IN_THE_FILE}`
  // `_file` names a body in a separate file.
  const isInOtherFile = (request.postData._file ?? '') !== ''
  const isChunked = headerOf(request, 'transfer-encoding') !== undefined
  return isInOtherFile || isChunked || isUnknown(request) ? `had a body ${NOT_IN_THE_FILE}` : undefined
}

/** Whether there was a body of unknown size. HAR 1.2: the size -1 means unknown; then a media type implies a body. */
function isUnknown(request: HarRequest): boolean {
  if (sizeOf(request) >= 0 || headerOf(request, 'content-length') !== undefined) return false
  return typeOf(request) !== '' && ANNOUNCES_EMPTY_BODY.has(request.method?.toUpperCase() ?? '')
}

/** Returns the length of the body; undefined: the file does not say. `isSize`: from `bodySize`, in which some programs count characters. */
function sentLength(request: HarRequest): { readonly bytes: number; readonly isSize: boolean } | undefined {
  const length = contentLength(request)
  if (length !== undefined) return { bytes: length, isSize: false }
  // Programs that do not know the size write -1, or 0.
  const size = sizeOf(request)
  return size > 0 ? { bytes: size, isSize: true } : undefined
}

const isAsLong = (length: number, text: string, sent: { readonly bytes: number; readonly isSize: boolean }): boolean =>
  length === sent.bytes || (sent.isSize && text.length === sent.bytes)

/** Whether the length is that of the compressed body. It cannot be sent as it was anyway (`recordedExchange`). */
const isCompressed = (request: HarRequest): boolean => headerOf(request, 'content-encoding') !== undefined

/** Returns a text in the charset in which it was sent; undefined: its type names another one, and its length does not settle it. */
function bytesOf(request: HarRequest, text: string): Uint8Array | undefined {
  const utf8 = Buffer.from(text)
  const length = contentLength(request)
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(typeOf(request)) ?? []
  if (utf8.length === text.length || utf8.length === length || /^utf-?8$/i.test(charset)) return utf8
  return length === text.length ? inCharset(charset, text) : undefined
}

/** Returns a text in a charset of one byte per letter; undefined: the charset is unknown, or lacks a letter. */
function inCharset(charset: string, text: string): Uint8Array | undefined {
  try {
    const letters = new TextDecoder(charset).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
    const bytes = Array.from(text, (letter) => letters.indexOf(letter))
    return letters.length === 256 && !bytes.includes(-1) ? Uint8Array.from(bytes) : undefined
  } catch {
    return undefined
  }
}

/** Returns the value of `Content-Length`; undefined: it is missing or malformed. */
function contentLength(request: HarRequest): number | undefined {
  const length = headerOf(request, 'content-length')?.trim() ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

const sizeOf = ({ bodySize = 0 }: HarRequest): number => bodySize
const typeOf = (request: HarRequest): string => headerOf(request, 'content-type') ?? request.postData.mimeType ?? ''
const headerOf = ({ headers }: HarRequest, wanted: string): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value

/**
 * Writes the form of which a HAR has only the parts; undefined: it cannot be told how it was written. Programs list the parts
 * decoded or encoded. The length of the form tells which; without one, the parts must mean the same either way.
 */
function formOf(parts: readonly Named[], length: number | undefined): string | undefined {
  if (parts.some(({ fileName }) => fileName !== undefined)) return undefined
  const join = (write: (text: string) => string): string =>
    parts.map(({ name, value }) => `${write(name)}=${write(value)}`).join('&')
  const forms = [
    join((text) => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')),
    join((text) => encodeURIComponent(text.toWellFormed())),
    join((text) => text),
  ]
  if (length !== undefined) return forms.find((form) => Buffer.byteLength(form) === length)
  const isPlain = parts.every(({ name, value }) => !/[+%]/.test(`${name}${value}`))
  return isPlain ? forms[0] : undefined
}
