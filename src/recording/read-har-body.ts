import type { HarEntry } from './har-entry.ts'

/** Programs that write HAR files may leave out bodies that are large, binary or no longer available. */
const NOT_IN_THE_FILE = 'that is not in the file; export it again with its content'
/** RFC 9110 section 8.6: a client without a body sends `Content-Length: 0` with these methods. */
const ANNOUNCES_EMPTY_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** RFC 4648 section 4, with the alphabet of section 5 and line breaks allowed. */
const BASE64 = /^[\w+/\s-]*={0,2}\s*$/

/**
 * Returns the body of an entry's request (undefined: none), or why it cannot be sent again. A missing body never counts as an empty
 * one: both sides would refuse the request alike, and that would count as a match.
 */
export function bodyOf(entry: HarEntry): { readonly body: Uint8Array | undefined } | { readonly problem: string } {
  const { texts, hasParameters } = entry
  const text = texts.get('postData.text') ?? ''
  if (text === '') {
    const problem = hasParameters ? 'a form: request.postData has params and no text' : missingBody(entry)
    return problem === undefined ? { body: undefined } : { problem }
  }
  const isBase64 = texts.get('postData.encoding') === 'base64'
  if (isBase64 && !BASE64.test(text)) return { problem: 'request.postData.text is not base64' }
  const body = Buffer.from(text, isBase64 ? 'base64' : 'utf8')
  const length = lengthOf(entry)
  // Browsers truncate long bodies. A body edited by hand also differs in length, but is still JSON.
  const isCutOff = length > body.length && headerOf(entry, 'content-encoding') === undefined && !isJson(body)
  return isCutOff ? { problem: `only ${body.length} of the ${length} bytes of its body are in the file` } : { body }
}

/** Describes the missing body of an entry without a text; undefined: the request had no body. */
function missingBody(entry: HarEntry): string | undefined {
  const { texts } = entry
  const size = Number(texts.get('bodySize') ?? 0)
  const length = Math.max(lengthOf(entry), size)
  if (length > 0) return `had a body of ${length} bytes ${NOT_IN_THE_FILE}`
  const isInOtherFile = (texts.get('postData._file') ?? '') !== ''
  const isChunked = headerOf(entry, 'transfer-encoding') !== undefined
  return isInOtherFile || isChunked || isUnknown(entry, size) ? `had a body ${NOT_IN_THE_FILE}` : undefined
}

/** Whether there was a body of unknown size. HAR 1.2: the size -1 means unknown; then a media type implies a body. */
function isUnknown(entry: HarEntry, size: number): boolean {
  if (size >= 0 || headerOf(entry, 'content-length') !== undefined) return false
  const type = headerOf(entry, 'content-type') ?? entry.texts.get('postData.mimeType') ?? ''
  return type !== '' && ANNOUNCES_EMPTY_BODY.has(entry.texts.get('method') ?? '')
}

/** Returns the value of `Content-Length`; 0 if it is missing or malformed. */
function lengthOf(entry: HarEntry): number {
  const length = headerOf(entry, 'content-length')?.trim() ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : 0
}

const headerOf = ({ headers }: HarEntry, wanted: string): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString())
    return true
  } catch {
    return false
  }
}
