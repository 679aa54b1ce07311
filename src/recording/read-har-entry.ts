import { ANSWER, type HarEntry, STARTED } from './har-entry.ts'
import { bodyOf } from './read-har-body.ts'
import { type BadEntry, type RecordedExchange, recordedExchange } from './read-request.ts'

/** Captures the path and query of a URL, or of a bare path. */
const URL_PARTS = /^(?:https?:\/\/[^/?#]*|(?=\/))([^#]*)/i
const BEYOND_ASCII = /[\u0080-\uffff]+/g

/** Returns the request of an entry, or why it cannot be sent. Keeps its URL as written, except that it encodes non-ASCII text. */
export function exchangeOfEntry(line: number, entry: HarEntry): RecordedExchange | BadEntry {
  const { texts, problem } = entry
  if (problem !== undefined) return { line, problem }
  const method = texts.get('method')
  const url = texts.get('url')
  if (method === undefined || url === undefined) return { line, problem: 'request.method or request.url is missing' }
  const path = pathOf(url)
  if (path === undefined) return { line, problem: 'request.url is not an HTTP URL' }
  const found = bodyOf(entry)
  if ('problem' in found) return { line, problem: found.problem }
  const mimeType = texts.get('postData.mimeType') ?? ''
  const exchange = recordedExchange(line, {
    at: texts.get(STARTED),
    method,
    path,
    headers: [
      ...(mimeType === '' ? [] : [['content-type', mimeType] as const]),
      ...entry.headers.map(({ name, value }) => [name, value] as const),
    ],
    body: found.body,
  })
  return 'problem' in exchange ? exchange : { ...exchange, ...answerOf(entry) }
}

/** Programs that write HAR files set the status 0 where there was no answer. */
function answerOf({ texts }: HarEntry): Pick<RecordedExchange, 'status' | 'answer'> {
  const status = Number(texts.get(ANSWER.status) ?? 0)
  if (!Number.isInteger(status) || status < 100 || status > 999) return {}
  const text = texts.get(ANSWER.text) ?? ''
  if (text === '') return { status }
  return { status, answer: Buffer.from(text, texts.get(ANSWER.encoding) === 'base64' ? 'base64' : 'utf8') }
}

function pathOf(url: string): string | undefined {
  const path = URL_PARTS.exec(url)?.[1]?.replace(BEYOND_ASCII, (text) => encodeURIComponent(text.toWellFormed()))
  return path === undefined || path.startsWith('/') ? path : `/${path}`
}
