import { z } from 'zod'
import { bodyOf } from './har-body.ts'
import { aboutAnswer, type BadEntry, type RecordedExchange, recordedExchange, unplayable } from './recorded-exchange.ts'

const text = z.string().optional().catch(undefined)
const number = z
  .union([z.number(), z.string().transform(Number)])
  .optional()
  .catch(undefined)
/** Some programs write `Content-Length` as a number. */
const value = z.union([z.string(), z.number().transform(String)]).catch('')

/** A header, a parameter of the query, or a part of a form, which may stand for a file. */
const named = z
  .object({ name: z.string().catch(''), value, fileName: text })
  .catch({ name: '', value: '', fileName: undefined })
export type Named = z.infer<typeof named>

const list = z.array(named).catch([])
const postData = z
  .object({ text: z.unknown(), encoding: text, mimeType: text, params: list, _file: text })
  .partial()
  .catch({})
const request = z.object({ method: text, url: text, headers: list, queryString: list, postData, bodySize: number })
const content = z.object({ text, encoding: text }).catch({})

/** The parts of an entry that are read. A part of another type counts as missing. */
const harEntry = z.object({
  startedDateTime: text,
  _key: text,
  _answeredBy: text,
  request: request.catch({ headers: [], queryString: [], postData: {} }),
  /** `_error` says why there was no answer, as Chrome and mitmproxy write it. */
  response: z.object({ status: number, _error: text, content }).catch({ content: {} }),
})

type HarEntry = z.infer<typeof harEntry>
export type HarRequest = HarEntry['request']

/** Captures the path, the query and the fragment of a URL, or of a bare path. */
const URL_PARTS = /^(?:https?:\/\/[^/?#]*|(?=\/))([^?#]*)(?:\?([^#]*))?(?:#(.*))?/is
const BEYOND_ASCII = /[\u0080-\uffff]+/g

/**
 * Returns the request of an entry, with what is read of its answer, or why it cannot be sent. Keeps its URL as written, except that it
 * encodes non-ASCII text.
 * @param problem why the entry was not read completely; undefined: it was.
 * @param everything see `ReadOptions`.
 */
export function exchangeOfEntry(
  line: number,
  entry: unknown,
  problem: string | undefined,
  everything: boolean,
): RecordedExchange | BadEntry {
  const { data } = harEntry.safeParse(entry)
  if (data === undefined) return { line, problem: 'not an object' }
  const { startedDateTime, _key, _answeredBy, request, response } = data
  const { method, url, queryString, postData } = request
  if (method === undefined || url === undefined) {
    return { line, problem: problem ?? 'request.method or request.url is missing' }
  }
  const parts = URL_PARTS.exec(url)
  if (parts === null) return { line, problem: problem ?? 'request.url is not an HTTP URL' }
  const [, path = '', query = '', fragment = ''] = parts
  const call = { method: methodOf(method), path: encoded(path.startsWith('/') ? path : `/${path}`) }
  if (problem !== undefined) return unplayable(line, call, problem)
  if (!wasAnswered(response)) return unplayable(line, call, NOT_ANSWERED)
  const sent = queryOf(query, fragment, queryString)
  if (sent === undefined) return unplayable(line, call, 'request.url and request.queryString contradict each other')
  const body = bodyOf(request)
  if ('why' in body) return unplayable(line, call, body.why, body.problem)
  const exchange = recordedExchange(line, {
    at: startedDateTime,
    method: call.method,
    path: sent === '' ? call.path : `${call.path}?${encoded(sent)}`,
    headers: [
      ...(postData.mimeType ? [['content-type', postData.mimeType] as const] : []),
      ...request.headers.map(({ name, value }) => [name, value] as const),
    ],
    body: body.body,
  })
  if ('problem' in exchange) return exchange
  const isDistilled = everything && url.startsWith(`${DISTILLED}/`)
  return { ...exchange, ...answerOf(response), ...(isDistilled && aboutAnswer(_key, _answeredBy)) }
}

/** The origin in the URLs of a distilled HAR, which is redacted: a recording does not know it (RFC 2606 section 3). */
export const DISTILLED = 'https://legacy.example'

const NOT_ANSWERED = 'it got no answer, so it may have reached no server: blocked, aborted or offline'

/** Whether a server answered; also true if the entry does not say. Browsers write the status 0 if none did, Playwright -1. */
const wasAnswered = ({ status, _error }: HarEntry['response']): boolean =>
  status === undefined ? _error === undefined : status > 0

/** Some programs write methods in lower case, but send them in upper case. */
const methodOf = (method: string): string => (/^[a-z]+$/.test(method) ? method.toUpperCase() : method)

/** Programs that write HAR files set the status 0 where there was no answer. */
function answerOf({ status = 0, content }: HarEntry['response']): Pick<RecordedExchange, 'status' | 'answer'> {
  if (!Number.isInteger(status) || status < 100 || status > 999) return {}
  if (!content.text) return { status }
  return { status, answer: Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8') }
}

const encoded = (url: string): string => url.replaceAll(BEYOND_ASCII, (text) => encodeURIComponent(text.toWellFormed()))

/** A parameter's name and value, decoded. */
type Pair = readonly [name: string, value: string]

/** An escape that is not UTF-8, such as `%FE` of ISO-8859-9, cannot be decoded. */
const ESCAPES = /(?:%[\da-f]{2})+/gi

/**
 * Returns the query of an entry, without the question mark (empty: none); undefined: URL and `queryString` contradict each other.
 * If the URL has a query, that is what was sent. Insomnia, for instance, writes the parameters only into `queryString`.
 * @param fragment what follows the `#` of the URL. It is not sent, but some programs take it for a part of the query.
 */
function queryOf(query: string, fragment: string, all: readonly Named[]): string | undefined {
  const listed = all.filter(({ name, value }) => name !== '' || value !== '')
  if (listed.length === 0) return query
  const [, inFragment = ''] = /\?(.*)/s.exec(fragment) ?? []
  const written = [query, `${query}#${fragment}`, ...(query === '' ? [inFragment] : [])]
  const isUndecodable = pairsIn(query) === undefined
  if (isUndecodable || written.some((one) => one !== '' && saysTheSame(one, listed))) return query
  return query === '' ? listed.map(encodedPair).join('&') : undefined
}

/** Whether a query has the listed parameters, in any order. Programs list them decoded or as they stand in the URL. */
function saysTheSame(query: string, listed: readonly Named[]): boolean {
  const pairs = pairsIn(query)
  if (pairs === undefined) return false
  const sent = inOrder(pairs)
  const asListed = listed.map(({ name, value }): Pair => [name, value])
  return [asListed, decodedPairs(asListed)].some((one) => one !== undefined && inOrder(one) === sent)
}

/** Returns the parameters of a query; undefined: one cannot be decoded. */
const pairsIn = (query: string): readonly Pair[] | undefined =>
  decodedPairs(
    query
      .split('&')
      .filter((one) => one !== '')
      .map((one): Pair => {
        const at = one.indexOf('=')
        return at === -1 ? [one, ''] : [one.slice(0, at), one.slice(at + 1)]
      }),
  )

function decodedPairs(pairs: readonly Pair[]): readonly Pair[] | undefined {
  try {
    return pairs.map(([name, value]): Pair => [decoded(name), decoded(value)])
  } catch {
    return undefined
  }
}

/** Invalid escapes are text, as in the URL standard. */
const decoded = (text: string): string => text.replaceAll(ESCAPES, decodeURIComponent)

/** Compares without regard to the order. `+` and a space are the same, because some programs decode the one to the other. */
const inOrder = (pairs: readonly Pair[]): string =>
  JSON.stringify(pairs.map(([name, value]) => JSON.stringify([plain(name), plain(value)])).sort())
const plain = (text: string): string => text.replaceAll('+', ' ')

/** Escapes in a listed value stay: programs that list values only there send them as they are. */
function encodedPair({ name, value }: Named): string {
  const part = (text: string): string =>
    text
      .split(/(%[\da-f]{2})/i)
      .map((piece, at) => (at % 2 === 1 ? piece : encodeURIComponent(piece.toWellFormed())))
      .join('')
  return `${part(name)}=${part(value)}`
}
