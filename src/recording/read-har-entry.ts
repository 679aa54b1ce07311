import { ANSWER, type HarEntry, STARTED } from './har-entry.ts'
import { bodyOf } from './read-har-body.ts'
import { queryOf } from './read-har-query.ts'
import { type BadEntry, type RecordedExchange, recordedExchange, unplayable } from './read-request.ts'

/** Captures the path, the query and the fragment of a URL, or of a bare path. */
const URL_PARTS = /^(?:https?:\/\/[^/?#]*|(?=\/))([^?#]*)(?:\?([^#]*))?(?:#(.*))?/is
const BEYOND_ASCII = /[\u0080-\uffff]+/g

/** Returns the request of an entry, or why it cannot be sent. Keeps its URL as written, except that it encodes non-ASCII text. */
export function exchangeOfEntry(line: number, entry: HarEntry, withAnswer: boolean): RecordedExchange | BadEntry {
  const { texts, problem } = entry
  const written = texts.get('method')
  const url = texts.get('url')
  const parts = url === undefined ? null : URL_PARTS.exec(url)
  if (written === undefined || url === undefined) {
    return { line, problem: problem ?? 'request.method or request.url is missing' }
  }
  if (parts === null) return { line, problem: problem ?? 'request.url is not an HTTP URL' }
  const [, path = '', query = '', fragment = ''] = parts
  const call = { method: methodOf(written), path: encoded(path.startsWith('/') ? path : `/${path}`) }
  if (problem !== undefined) return unplayable(line, call, problem)
  if (!wasAnswered(entry)) return unplayable(line, call, NOT_ANSWERED)
  const sent = queryOf(query, fragment, entry.query)
  if (sent === undefined) return unplayable(line, call, 'request.url and request.queryString contradict each other')
  const found = bodyOf(entry)
  if ('why' in found) return unplayable(line, call, found.why, found.problem)
  const mimeType = texts.get('postData.mimeType') ?? ''
  const exchange = recordedExchange(line, {
    at: texts.get(STARTED),
    method: call.method,
    path: sent === '' ? call.path : `${call.path}?${encoded(sent)}`,
    headers: [
      ...(mimeType === '' ? [] : [['content-type', mimeType] as const]),
      ...entry.headers.map(({ name, value }) => [name, value] as const),
    ],
    body: found.body,
  })
  return 'problem' in exchange || !withAnswer ? exchange : { ...exchange, ...answerOf(entry) }
}

const NOT_ANSWERED = 'it got no answer, so it may have reached no server: blocked, aborted or offline'

/** Whether a server answered; also true if the entry does not say. Browsers write the status 0 if none did, Playwright -1. */
function wasAnswered({ texts }: HarEntry): boolean {
  const status = texts.get(ANSWER.status)
  return status === undefined ? !texts.has(ANSWER.error) : Number(status) > 0
}

/** Some programs write methods in lower case, but send them in upper case. */
const methodOf = (method: string): string => (/^[a-z]+$/.test(method) ? method.toUpperCase() : method)

/** Programs that write HAR files set the status 0 where there was no answer. */
function answerOf({ texts }: HarEntry): Pick<RecordedExchange, 'status' | 'answer'> {
  const status = Number(texts.get(ANSWER.status) ?? 0)
  if (!Number.isInteger(status) || status < 100 || status > 999) return {}
  const text = texts.get(ANSWER.text) ?? ''
  if (text === '') return { status }
  return { status, answer: Buffer.from(text, texts.get(ANSWER.encoding) === 'base64' ? 'base64' : 'utf8') }
}

const encoded = (url: string): string => url.replaceAll(BEYOND_ASCII, (text) => encodeURIComponent(text.toWellFormed()))
