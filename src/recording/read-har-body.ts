import type { HarEntry } from './har-entry.ts'

/** Programs that write a HAR leave bodies out that are large, binary or were no longer there. */
const NOT_IN_THE_FILE = 'that is not in the file; export it again with its content'
/** RFC 9110 section 8.6: of these a client says `Content-Length: 0` when it sends nothing. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** RFC 4648 section 4, and the alphabet of section 5; line breaks may be in it. */
const BASE64 = /^[\w+/\s-]*={0,2}\s*$/

/**
 * The body that an entry was sent with, undefined for none; or why it cannot be sent again. An entry that had a body is never
 * taken for one without: both sides would refuse it alike, and that would count as a match.
 */
export function bodyOf(entry: HarEntry): { readonly body: Uint8Array | undefined } | { readonly problem: string } {
  const { texts, hasParameters } = entry
  const text = texts.get('postData.text') ?? ''
  if (text === '') {
    const problem = hasParameters ? 'a form: request.postData has params and no text' : missingBody(entry)
    return problem === undefined ? { body: undefined } : { problem }
  }
  const isBase64 = texts.get('postData.encoding') === 'base64'
  if (isBase64 && !BASE64.test(text)) return { problem: 'request.postData.text is no base64' }
  const body = Buffer.from(text, isBase64 ? 'base64' : 'utf8')
  const length = lengthOf(entry)
  // Browsers cut long bodies off. One that was edited since is another length too, and still JSON.
  const isCutOff = length > body.length && headerOf(entry, 'content-encoding') === undefined && !isJson(body)
  return isCutOff ? { problem: `had a body of ${length} bytes, of which ${body.length} are in the file` } : { body }
}

/** What is missing of an entry without a text; undefined: it had no body. */
function missingBody(entry: HarEntry): string | undefined {
  const { texts } = entry
  const size = Number(texts.get('bodySize') ?? 0)
  const length = Math.max(lengthOf(entry), size)
  if (length > 0) return `had a body of ${length} bytes ${NOT_IN_THE_FILE}`
  const isInOtherFile = (texts.get('postData._file') ?? '') !== ''
  const isChunked = headerOf(entry, 'transfer-encoding') !== undefined
  return isInOtherFile || isChunked || isUnknown(entry, size) ? `had a body ${NOT_IN_THE_FILE}` : undefined
}

/** HAR 1.2: a size of -1 is one that is not known. Then the media type tells that there was a body. */
function isUnknown(entry: HarEntry, size: number): boolean {
  if (size >= 0 || headerOf(entry, 'content-length') !== undefined) return false
  const type = headerOf(entry, 'content-type') ?? entry.texts.get('postData.mimeType') ?? ''
  return type !== '' && SAYS_NOTHING.has(entry.texts.get('method') ?? '')
}

/** What `Content-Length` says; 0 without one that can be read. */
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
