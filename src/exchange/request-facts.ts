/**
 * Facts about a request's headers without their values: content coding, charset, media type, languages, and the names of
 * all other headers. Differences that one client causes often come from one of these.
 */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const CODINGS: ReadonlySet<string> = new Set(['identity', 'gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'compress'])
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml'],
  ...['application/octet-stream', 'application/ld+json', 'text/plain', 'text/html', 'text/xml', 'text/json', '*/*'],
])

/** Headers that say nothing about how the call differs from others, or that the facts tell in another way. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'content-encoding', 'accept', 'accept-language'],
  ...['authorization', 'x-request-id', 'traceparent', 'tracestate', 'x-gateway-serve'],
])

/** The most header names that are told per request, and the longest; a client may send any. */
const MOST_NAMES = 30
const LONGEST_NAME = 64

/** Returns the facts, each a short text: `Content-Encoding: gzip`, `charset=iso-8859-9`, `header x-company`. */
export function requestFacts(headers: Headers): readonly string[] {
  const of = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' ? value.trim().toLowerCase() : value?.[0]?.trim().toLowerCase()
  }
  const [coding, type, accept, language] = ['content-encoding', 'content-type', 'accept', 'accept-language'].map(of)
  const charset = charsetOf(headers['content-type'])
  const names = Object.keys(headers).filter(
    (name) => headers[name] !== undefined && !TOLD_ELSEWHERE.has(name) && name.length <= LONGEST_NAME,
  )
  return [
    ...(coding === undefined ? [] : [`Content-Encoding: ${oneOf(coding, CODINGS)}`]),
    type === undefined ? 'no Content-Type' : `Content-Type: ${oneOf(mediaTypeOf(type), MEDIA_TYPES)}`,
    ...(charset === undefined ? [] : [`charset=${charset}`]),
    ...(accept === undefined ? [] : [`Accept: ${oneOf(mediaTypeOf(accept.split(',', 1)[0] ?? ''), MEDIA_TYPES)}`]),
    language === undefined ? 'no Accept-Language' : `Accept-Language: ${/^[a-z]{2,3}\b/.exec(language)?.[0] ?? OTHER}`,
    ...('authorization' in headers && headers.authorization === undefined ? ['no Authorization'] : []),
    ...names
      .sort()
      .slice(0, MOST_NAMES)
      .map((name) => `header ${name}`),
  ]
}

/** Stands for a value that is not told, because it may be anything. */
const OTHER = 'another'

const oneOf = (value: string, all: ReadonlySet<string>): string => (all.has(value) ? value : OTHER)
const mediaTypeOf = (type: string): string => (type.split(';', 1)[0] ?? '').trim()

/** Returns the charset that a `Content-Type` names, in lower case, if it is a known one, else `another`; undefined: it names none. */
export function charsetOf(type: string | readonly string[] | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(typeof type === 'string' ? type : (type?.[0] ?? ''))?.[1]
  if (label === undefined) return undefined
  try {
    // The decoder knows the labels of the Encoding Standard.
    new TextDecoder(label)
    return label.toLowerCase()
  } catch {
    return OTHER
  }
}
