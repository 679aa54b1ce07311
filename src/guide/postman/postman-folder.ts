import { createHash } from 'node:crypto'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'
import type { V1Facts } from '../../mapping/v1-facts.ts'
import { exampleAnswer, indented, type V1Example, v1Example } from '../examples/translated.ts'
import { describeChanges } from '../reference/describe-operation.ts'
import { type PostmanParameter, pagingOf, pathVariables, queryParameters } from './postman-parameters.ts'

/** A request of a collection. */
interface PostmanCall {
  readonly method: string
  readonly description: string
  /** Unset: the collection's applies. */
  readonly auth?: { readonly type: 'noauth' }
  readonly header: readonly PostmanParameter[]
  readonly body?: { readonly mode: 'raw'; readonly raw: string; readonly options: object }
  readonly url: {
    readonly raw: string
    readonly host: readonly string[]
    readonly path: readonly string[]
    readonly query?: readonly PostmanParameter[]
    readonly variable?: readonly PostmanParameter[]
  }
}

/** The folder of a legacy operation in a collection. */
export type PostmanFolder = ReturnType<typeof folderOf>

/** Returns the folder of a legacy operation: what changes, and the v1 calls to make instead. */
export function folderOf(
  operation: CompiledOperation,
  all: readonly CompiledOperation[],
  needs: ReadonlySet<string>,
  facts: V1Facts | undefined,
) {
  const { id, says, legacy, v1 } = operation.mapping
  const example = v1Example(operation)
  const title =
    v1 === undefined ? 'v1 has no equivalent, so there is no request here.' : `In v1: \`${v1.method} ${v1.path}\`.`
  return {
    id: postmanId(id),
    name: `${legacy.method} ${legacy.path}`,
    description: withoutLinks([says, title, ...describeChanges(operation.mapping)].join('\n\n')),
    item: example === undefined ? [] : requestsOf(operation, example, all, needs, facts),
  }
}

/** Removes links: they point to other sections of the reference, which a folder is not part of. */
const withoutLinks = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\(#[^)]*\)/g, '$1')

function requestsOf(
  operation: CompiledOperation,
  example: V1Example,
  all: readonly CompiledOperation[],
  needs: ReadonlySet<string>,
  facts: V1Facts | undefined,
) {
  const { mapping } = operation
  const { id } = mapping
  const event = scriptsOf(mapping, needs)
  const name = `${example.method} ${example.route}`
  const request = callOf(operation, example, facts)
  const first = { id: postmanId(`${id}/1`), name, event, request, response: savedAnswers(operation, request, all) }
  const paging = pagingOf(mapping)
  if (paging === undefined) return [first]
  const description = `The next page. Continue with \`${paging.page}\` up to \`meta.pageCount\` of the answer. A page has ${paging.mostPerPage} rows at most.`
  const next = withQuery(request, (query) => query.map((one) => (one.key === paging.page ? nextPage(one) : one)))
  return [
    first,
    { id: postmanId(`${id}/2`), name: `${name}, next page`, event, request: { ...next, description }, response: [] },
  ]
}

const nextPage = (page: PostmanParameter): PostmanParameter => ({ ...page, value: String(Number(page.value) + 1) })

function callOf(operation: CompiledOperation, example: V1Example, facts: V1Facts | undefined): PostmanCall {
  const { authorization, says } = operation.mapping
  const path = example.route.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const variable = pathVariables(operation, example)
  const call: PostmanCall = {
    method: example.method,
    description: facts?.says ?? says,
    ...(authorization === 'none' ? { auth: { type: 'noauth' } } : {}),
    header: [
      { key: 'Accept-Language', value: 'en', description: 'Without it, v1 answers in Turkish.', disabled: true },
      ...(example.body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    ...(example.body === undefined
      ? {}
      : { body: { mode: 'raw', raw: indented(example.body), options: { raw: { language: 'json' } } } }),
    url: {
      raw: `{{baseUrl}}/${path}`,
      host: ['{{baseUrl}}'],
      path: path.split('/'),
      ...(variable.length === 0 ? {} : { variable }),
    },
  }
  return withQuery(call, () => queryParameters(operation, example, facts?.query))
}

/** Puts a query into both forms of the URL. The textual form has only what is sent, as Postman itself writes it. */
function withQuery(
  call: PostmanCall,
  change: (query: readonly PostmanParameter[]) => readonly PostmanParameter[],
): PostmanCall {
  const query = change(call.url.query ?? [])
  if (query.length === 0) return call
  const sent = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`)
  const [address = ''] = call.url.raw.split('?')
  return {
    ...call,
    url: { ...call.url, raw: [address, sent.join('&')].filter((part) => part !== '').join('?'), query },
  }
}

function savedAnswers(operation: CompiledOperation, originalRequest: PostmanCall, all: readonly CompiledOperation[]) {
  const answer = exampleAnswer(operation, all)?.v1
  if (answer?.body === undefined) return []
  return [
    {
      id: postmanId(`${operation.mapping.id}/1/answer`),
      name: 'An answer, generated from the mapping; its values are placeholders',
      originalRequest,
      ...(answer.line === '' ? {} : { code: Number(answer.line) }),
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: answer.body,
      _postman_previewlanguage: 'json',
    },
  ]
}

/**
 * Returns the script that runs after the answer. It checks the status, as far as the contract shows it, and keeps what later requests
 * need: the token, and what a path `needs` from this answer.
 */
function scriptsOf(operation: Operation, needs: ReadonlySet<string>) {
  return [
    { listen: 'test', script: { type: 'text/javascript', exec: [...checks(operation), ...keeps(operation, needs)] } },
  ]
}

function checks({ response }: Operation): readonly string[] {
  const status = 'v1Status' in response ? response.v1Status : undefined
  return status === undefined
    ? ["pm.test('v1 answers with a success', () => pm.response.to.be.success)"]
    : [`pm.test('v1 answers ${status}', () => pm.response.to.have.status(${status}))`]
}

function keeps({ login, response }: Operation, needs: ReadonlySet<string>): readonly string[] {
  if (response.kind !== 'record') return []
  const lines = [
    ...(login === undefined ? [] : [keep('token', v1PathOf(response.shape, login.token))]),
    ...Object.entries(response.shape.rules).flatMap(([path, rule]) =>
      rule.kind === 'field' && rule.givenByService !== undefined && needs.has(rule.givenByService)
        ? [keep(rule.givenByService, rule.v1 ?? path)]
        : [],
    ),
  ]
  return lines.length === 0 ? [] : ['if (pm.response.code < 300) {', ...lines.map((line) => `  ${line}`), '}']
}

const keep = (variable: string, path: string): string =>
  `pm.collectionVariables.set(${JSON.stringify(variable)}, String(pm.response.json().data${path
    .split('.')
    .map((name) => `[${JSON.stringify(name)}]`)
    .join('')}))`

function v1PathOf({ rules }: Shape, legacy: string): string {
  const rule = rules[legacy]
  return rule?.kind === 'field' ? (rule.v1 ?? legacy) : legacy
}

/** The namespace of all ids: any UUID, as long as it stays the same. */
const NAMESPACE = Buffer.from('5d0c7c1e8f3b4a609d2b7e41c6a9f058', 'hex')

/**
 * Returns a UUID that depends only on the name (RFC 9562 section 5.5, version 5). Two exports have the same ids, so Postman
 * replaces what it imported before.
 */
export function postmanId(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
