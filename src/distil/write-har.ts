import type { ReadAgain } from './read-chosen.ts'

/** The host in the URLs of a distilled HAR: a recording does not know it (RFC 2606 section 3). */
const ORIGIN = 'https://legacy.example'
/** The time of entries without a recorded one, because HAR 1.2 requires a time. */
const NO_TIME = new Date(0)

/** Returns the beginning of a HAR 1.2, to be followed by entries with commas between them, and `HAR_END`. */
export const harStart = (version: string): string =>
  `{"log":{"version":"1.2","creator":${JSON.stringify({ name: 'legacy-gateway distil', version })},"entries":[\n`
export const HAR_END = '\n]}}\n'

/**
 * Writes an exchange as an entry of a HAR 1.2. Without a recorded answer it has no status: the status 0 would say that no server
 * answered.
 */
export function harEntry({ at, exchange }: ReadAgain): string {
  const { request, status, answer = new Uint8Array() } = exchange
  const { method, path, query, headers, body } = request
  const type = headers['content-type'] ?? 'application/json'
  const neither = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return JSON.stringify({
    startedDateTime: (at ?? NO_TIME).toISOString(),
    time: 0,
    request: {
      ...neither,
      method,
      url: `${ORIGIN}${path}${query === '' ? '' : `?${query}`}`,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      bodySize: body.length,
      ...(body.length > 0 && { postData: { mimeType: type, text: textOf(body) } }),
    },
    response: {
      ...neither,
      status,
      statusText: '',
      headers: [],
      redirectURL: '',
      bodySize: answer.length,
      content: { size: answer.length, mimeType: 'application/json', text: textOf(answer) },
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  })
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
