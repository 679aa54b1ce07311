import { z } from 'zod'
import { postmanBody, rawBody } from './postman-body.ts'
import { parameter, postmanUrl, targetOf } from './postman-url.ts'
import { filler, textOf, type Variables } from './postman-variables.ts'
import { type BadEntry, isKept, type RecordedExchange, recordedExchange } from './read-request.ts'

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
  return 'problem' in entry && name !== '' ? { line, problem: `${JSON.stringify(name)}: ${entry.problem}` } : entry
}

function exchangeOf(line: number, item: Item, variables: Variables): RecordedExchange | BadEntry {
  const { method, url, header, body } = item.request
  const filling = filler(variables)
  const target = targetOf(url, filling)
  if (typeof target !== 'string') return { line, problem: target.problem }
  const headers = (header ?? [])
    .filter(({ key, disabled }) => disabled !== true && isKept(key?.trim().toLowerCase() ?? ''))
    .map(({ key, value }) => [key?.trim().toLowerCase() ?? '', filling.fill(textOf(value) ?? '')] as const)
  const sent = hasBody(item) ? rawBody(body, headers.findLast(([name]) => name === 'content-type')?.[1], filling) : {}
  const problem = filling.problem() ?? sent.problem
  if (problem !== undefined) return { line, problem }
  return recordedExchange(line, {
    method,
    path: target,
    headers: [...(sent.type === undefined ? [] : [['content-type', sent.type] as const]), ...headers],
    body: sent.body,
  })
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
