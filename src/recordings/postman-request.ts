import { z } from 'zod'
import { Filler, parameter, postmanUrl, targetOf, textOf, type Variables } from './postman-url.ts'
import { FORM } from './record-line.ts'
import { type BadEntry, matters, type RecordedExchange, recordedExchange, unplayable } from './recorded-exchange.ts'

const postmanBody = z.looseObject({
  mode: z.string().nullish(),
  disabled: z.boolean().nullish(),
  options: z
    .object({ raw: z.object({ language: z.string().nullish() }).nullish() })
    .nullish()
    .catch(undefined),
})

/** The parts of an item that replay needs, without credentials. */
const postmanItem = z.object({
  name: z.unknown().optional(),
  protocolProfileBehavior: z.object({ disableBodyPruning: z.unknown().optional() }).nullish(),
  request: z.union([
    z.string().transform((url) => ({ method: 'GET', url, header: [], body: undefined })),
    z.object({
      method: z.string().default('GET'),
      url: postmanUrl,
      header: z.union([z.string().transform(headersOf), z.array(parameter)]).nullish(),
      body: postmanBody.nullish(),
    }),
  ]),
})

type Item = z.infer<typeof postmanItem>

const MAX_NAME = 100

/** Returns the request of an item, or why it cannot be sent, with the item's name. */
export function exchangeOfItem(line: number, value: unknown, variables: Variables): RecordedExchange | BadEntry {
  const name = nameOf(value)
  const { data } = postmanItem.safeParse(value)
  const entry =
    data === undefined ? { line, problem: 'its request is missing or malformed' } : exchangeOf(line, data, variables)
  return 'problem' in entry && name !== '' ? { ...entry, problem: `${JSON.stringify(name)}: ${entry.problem}` } : entry
}

function exchangeOf(line: number, item: Item, variables: Variables): RecordedExchange | BadEntry {
  const { method, url, header, body } = item.request
  const filling = new Filler(variables)
  const target = targetOf(url, filling)
  if (typeof target !== 'string') return { line, problem: target.problem }
  const headers = (header ?? [])
    .filter(({ key, disabled }) => disabled !== true && matters(key?.trim().toLowerCase() ?? ''))
    .map(({ key, value }) => [key?.trim().toLowerCase() ?? '', filling.fill(textOf(value) ?? '')] as const)
  const sent = hasBody(item) ? rawBody(body, headers.findLast(([name]) => name === 'content-type')?.[1], filling) : {}
  const unfilled = filling.problem
  const problem = unfilled ?? sent.problem
  if (problem !== undefined) {
    const path = pathOf(url, variables)
    const why = unfilled === undefined ? problem : 'one of its variables has no usable value'
    return path === undefined ? { line, problem } : unplayable(line, { method, path }, why, problem)
  }
  return recordedExchange(line, {
    method,
    path: target,
    headers: [...(sent.type === undefined ? [] : [['content-type', sent.type] as const]), ...headers],
    body: sent.body,
  })
}

/** Returns the path of a URL; undefined: its variables have no value. */
function pathOf(url: Item['request']['url'], variables: Variables): string | undefined {
  const filling = new Filler(variables)
  const bare = (text: string): string => text.split('?')[0] ?? ''
  const target = targetOf(
    typeof url === 'string' ? bare(url) : { ...url, raw: bare(url.raw ?? ''), query: [] },
    filling,
  )
  return typeof target === 'string' && filling.problem === undefined ? target : undefined
}

/** Whether Postman sends the body: it removes the body of a GET or HEAD unless `disableBodyPruning` is set. */
function hasBody({ request, protocolProfileBehavior }: Item): boolean {
  return !['GET', 'HEAD'].includes(request.method) || protocolProfileBehavior?.disableBodyPruning === true
}

/** Parses headers written as text: one `name: value` per line. */
function headersOf(text: string): z.infer<typeof parameter>[] {
  return text.split(/\r?\n/).map((line) => {
    const [, key, value] = /^([^:]*):(.*)$/.exec(line) ?? []
    return { key, value: value?.trim() }
  })
}

/** Returns an item's name, safe to show on a terminal. */
function nameOf(item: unknown): string {
  const { name } = Object(item) as { readonly name?: unknown }
  return typeof name === 'string' ? name.slice(0, MAX_NAME).replaceAll(/\p{C}/gu, '\ufffd') : ''
}

/** The body to send; an empty object: no body. */
interface SentBody {
  readonly body?: Uint8Array
  /** The media type that Postman sends if no header sets one. */
  readonly type?: string
  /** Why it cannot be sent. */
  readonly problem?: string
}

/** Reasons not to send a body, by its mode. */
const NOT_RAW: ReadonlyMap<string, string> = new Map([
  ['formdata', 'its body is a multipart form (formdata)'],
  ['graphql', 'its body is GraphQL'],
  ['file', 'its body is a file, which is not in the collection'],
])

/** Media types by the language of a raw body. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['html', 'text/html'],
  ['javascript', 'application/javascript'],
])

/** Matches a JSON string, which is kept, or a comment. */
const STRING_OR_COMMENT = /("[^"\\]*(?:\\.[^"\\]*)*")|\/\/.*|\/\*[\s\S]*?\*\//g

/**
 * Returns the body of a request as Postman sends it, with comments removed from JSON.
 * @param type the media type in the headers.
 */
function rawBody(
  body: z.infer<typeof postmanBody> | null | undefined,
  type: string | undefined,
  filling: Filler,
): SentBody {
  if (!body?.mode || body.disabled === true || isEmpty(body[body.mode])) return {}
  const { mode } = body
  if (mode === 'urlencoded') return formBody(body.urlencoded, filling)
  if (mode !== 'raw') {
    return {
      problem: `${NOT_RAW.get(mode) ?? 'its body has an unknown mode'}; only raw bodies and urlencoded forms are replayed`,
    }
  }
  const ownType = TYPES.get(body.options?.raw?.language ?? '') ?? 'text/plain'
  const text = filling.fill(textOf(body.raw) ?? '')
  const isJson = /\bjson\b/i.test(type ?? ownType)
  return { type: ownType, body: Buffer.from(isJson ? text.replaceAll(STRING_OR_COMMENT, '$1') : text) }
}

/** Returns a form without its disabled parameters, encoded as Postman does. */
function formBody(list: unknown, filling: Filler): SentBody {
  const { data } = z.array(parameter).safeParse(list)
  if (data === undefined) return { problem: 'its form is malformed' }
  const encoded = (text: string): string => encodeURIComponent(filling.fill(text).toWellFormed())
  const sent = data.filter(({ disabled }) => disabled !== true)
  const form = sent.map(({ key, value }) => `${encoded(key ?? '')}=${encoded(textOf(value) ?? '')}`).join('&')
  return { type: FORM, ...(form !== '' && { body: Buffer.from(form) }) }
}

/** Whether a mode has no content to send. Postman keeps the content of other modes when the mode changes. */
const isEmpty = (content: unknown): boolean =>
  content === undefined ||
  content === null ||
  content === '' ||
  (typeof content === 'object' && Object.keys(content).length === 0)
