import { z } from 'zod'
import { postmanBody, rawBody } from './postman-body.ts'
import { parameter, postmanUrl, targetOf } from './postman-url.ts'
import { filler, textOf, type Variables } from './postman-variables.ts'
import { type BadEntry, matters, type RecordedExchange, recordedExchange, unplayable } from './read-request.ts'

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
  const filling = filler(variables)
  const target = targetOf(url, filling)
  if (typeof target !== 'string') return { line, problem: target.problem }
  const headers = (header ?? [])
    .filter(({ key, disabled }) => disabled !== true && matters(key?.trim().toLowerCase() ?? ''))
    .map(({ key, value }) => [key?.trim().toLowerCase() ?? '', filling.fill(textOf(value) ?? '')] as const)
  const sent = hasBody(item) ? rawBody(body, headers.findLast(([name]) => name === 'content-type')?.[1], filling) : {}
  const unfilled = filling.problem()
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
  const filling = filler(variables)
  const bare = (text: string): string => text.split('?')[0] ?? ''
  const target = targetOf(
    typeof url === 'string' ? bare(url) : { ...url, raw: bare(url.raw ?? ''), query: [] },
    filling,
  )
  return typeof target === 'string' && filling.problem() === undefined ? target : undefined
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
