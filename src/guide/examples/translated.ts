import { rewriteList, rewriteRecord, rewriteRows } from '../../engine/answer.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { recordFinder, requestRowFinder } from '../../engine/json-members.ts'
import { Rewriter } from '../../engine/rewrite/rewrite.ts'
import type { RewriteContext } from '../../engine/rewrite/rewrite-plan.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'
import { answerParts } from '../lines/answer-parts.ts'
import { requestExample, sampleOf } from './samples.ts'

/** One message in both interfaces, translated by the engine itself. */
export interface Translated {
  readonly legacy: Message
  readonly v1: Message
}

interface Message {
  /** The request line, or the status. Empty if the status is not known. */
  readonly line: string
  /** Indented JSON. Undefined if there is no body. */
  readonly body: string | undefined
}

/** Generates a request with every member of the mapping. Undefined if the mapping has none. */
export function exampleRequest(operation: CompiledOperation): Translated | undefined {
  const { legacy, request } = operation.mapping
  if (request.kind === 'body' && isEmpty(request.shape)) return undefined
  const sent = legacySent(operation.mapping)
  const asked = v1CallOf(operation, sent)
  if (asked === undefined) return undefined
  return {
    legacy: {
      line: `${legacy.method} ${withQuery(legacy.path, sent.query)}`,
      body: sent.body && indented(JSON.stringify(sent.body)),
    },
    v1: { line: `${asked.method} ${withQuery(asked.path, asked.query)}`, body: asked.body && indented(asked.body) },
  }
}

/**
 * Generates an answer with every member of the mapping. Members may be filled in from `all` operations. Undefined if the
 * mapping has no members.
 */
export function exampleAnswer(operation: CompiledOperation, all: readonly CompiledOperation[]): Translated | undefined {
  const { response } = operation.mapping
  if (!('status' in response)) return undefined
  const v1 = v1Answered(operation.mapping)
  const legacy = v1 === undefined ? undefined : legacyAnswered(operation, all, bytesOf(v1))
  if (legacy === undefined) return undefined
  const v1Status = 'v1Status' in response ? response.v1Status : undefined
  return {
    legacy: { line: String(response.status), body: indented(legacy) },
    v1: { line: v1Status === undefined ? '' : String(v1Status), body: indented(JSON.stringify(v1)) },
  }
}

/** A legacy request: its query, encoded, and its body; undefined: none. */
interface Sent {
  readonly query: string
  readonly body: object | undefined
}

/** Sends these members as an operation takes them: in the query, or as the body. */
export function sentAs({ request }: Operation, members: object | undefined): Sent {
  if (request.kind !== 'query-parameters') return { query: '', body: members }
  const texts = Object.entries(members ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  return { query: new URLSearchParams(texts).toString(), body: undefined }
}

/** Generates what a legacy client could send: every member of the mapping. */
const legacySent = (mapping: Operation): Sent => sentAs(mapping, requestExample(mapping))

/** Returns the query of a call with its paging, which the call keeps apart. For a whole list, that of the first page. */
function queryOf({ query, page }: V1Call, { response }: Operation): string {
  const asked =
    page ??
    (response.kind === 'whole-list'
      ? { page: 1, perPage: response.paging.mostPerPage, paging: response.paging }
      : undefined)
  if (asked === undefined) return query
  const paging = `${asked.paging.page}=${asked.page}&${asked.paging.perPage}=${asked.perPage}`
  return query === '' ? paging : `${query}&${paging}`
}

/** Returns what v1 could answer; undefined: nothing that becomes a legacy body. */
function v1Answered({ request, response }: Operation): unknown {
  const parts = answerParts(response)
  if (parts.every(({ shape }) => isEmpty(shape))) return undefined
  const bodies = parts.map(({ v1, shape, isList }) => {
    const sample = sampleOf(shape, 'v1')
    return [v1, isList ? [sample] : sample]
  })
  const stitching = 'stitching' in request ? request.stitching : undefined
  const perPage = response.kind === 'whole-list' ? response.paging.mostPerPage : (stitching?.defaultPerPage ?? 1)
  const hasPages = response.kind === 'whole-list' || response.kind === 'page'
  return {
    ...{ success: true, message: '…', ...Object.fromEntries(bodies) },
    ...(hasPages && { meta: { page: 1, perPage, total: 1, pageCount: 1 } }),
  }
}

function legacyAnswered(
  operation: CompiledOperation,
  all: readonly CompiledOperation[],
  v1: Uint8Array,
): string | undefined {
  const { response } = operation.mapping
  const options = { context: contextOf(operation, all) }
  const rows = (): string => `[${textOf(rewriteRows(operation.answer, v1, { skip: 0, take: 1 }, options).rows)}]`
  switch (response.kind) {
    case 'record':
      return textOf(rewriteRecord(operation.answer, v1, options))
    case 'list':
      return textOf(rewriteList(operation.answer, v1, options))
    case 'whole-list':
      return rows()
    case 'page': {
      const meta = new Rewriter(bytesOf(JSON.parse(textOf(v1)).meta), 0)
      meta.value(operation.page?.meta ?? { kind: 'copy' }, 0)
      return `{${JSON.stringify(response.rows.at)}:${rows()},${JSON.stringify(response.meta.at)}:${textOf(meta.finish())}}`
    }
    case 'no-content':
    case 'pass-through':
      return undefined
  }
}

/** Fills members from the examples of the other operations, and of the operation's own request. */
function contextOf(operation: CompiledOperation, all: readonly CompiledOperation[]): RewriteContext {
  const { body } = legacySent(operation.mapping)
  return {
    requestRow: requestRowFinder(bytesOf(body ?? {})),
    reference(list, match, key, take) {
      const other = all.find(({ mapping }) => mapping.id === list)
      const records = other === undefined ? undefined : exampleAnswer(other, all)?.legacy.body
      return records === undefined ? undefined : recordFinder(Buffer.from(records))(match, key, take)
    },
  }
}

const isEmpty = ({ rules }: Shape): boolean => Object.keys(rules).length === 0
const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)
const bytesOf = (value: unknown): Buffer => Buffer.from(value === undefined ? '' : JSON.stringify(value))
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

/** A v1 call of an operation, for examples. */
export interface V1Example {
  readonly method: string
  readonly path: string
  /** The path as in v1's route, with `{id}`. */
  readonly route: string
  /** The values of the route's variable parts. */
  readonly segments: Readonly<Record<string, string>>
  /** Encoded, with the paging. Empty if there is none. */
  readonly query: string
  /** JSON. Undefined if there is none. */
  readonly body: string | undefined
}

/**
 * Returns the v1 call of the mapping's example, translated by the engine itself. Credentials in it are replaced with the names of their
 * variables: `{{clientId}}`. Undefined if v1 has no equivalent.
 * @throws an Error if the gateway itself would refuse the example.
 */
export function v1Example(operation: CompiledOperation): V1Example | undefined {
  if (operation.mapping.v1 === undefined) return undefined
  const example = v1CallOf(operation, sentInExample(operation.mapping))
  if (example === undefined) throw new Error(`the example of ${operation.mapping.id} is refused`)
  return example
}

/** Returns the query of a v1 call that uses every parameter of the mapping; empty if there is none. */
export const wholeQuery = (operation: CompiledOperation): string =>
  v1CallOf(operation, legacySent(operation.mapping))?.query ?? ''

function v1CallOf({ mapping, translateRequest }: CompiledOperation, { query, body }: Sent): V1Example | undefined {
  const { call } = translateRequest({ query, body: bytesOf(body) })
  if (call === undefined || mapping.v1 === undefined) return undefined
  return {
    method: call.method,
    path: call.path,
    route: mapping.v1.path,
    segments: valuesInPath(mapping.v1.path, call),
    query: queryOf(call, mapping),
    body: call.body && textOf(call.body),
  }
}

/** Returns the legacy request of the mapping's example; a generated one if it has none. */
function sentInExample(mapping: Operation): Sent {
  const { example, login } = mapping
  if (example === undefined) return legacySent(mapping)
  const credentials = login === undefined ? [] : [login.client, login.secret].map((name) => [name, `{{${name}}}`])
  return sentAs(mapping, { ...example.request, ...Object.fromEntries(credentials) })
}

/** Reads the values of parts such as `{id}` from the path of a call. */
export function valuesInPath(route: string, { path }: Pick<V1Call, 'path'>): Readonly<Record<string, string>> {
  const values = path.split('/')
  return Object.fromEntries(
    route.split('/').flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), values[index] ?? '']] : [])),
  )
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Indents a JSON text by 2, as `JSON.stringify` does, but keeps numbers as written: `125.00` stays `125.00`. */
export function indented(json: string): string {
  const tokens = [...json.matchAll(TOKEN)].map(([token]) => token)
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  const write = (token: string, index: number): string => {
    const isEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '['
    switch (token) {
      case '{':
      case '[':
        depth++
        return tokens[index + 1] === '}' || tokens[index + 1] === ']' ? token : token + line()
      case '}':
      case ']':
        depth--
        return isEmpty ? token : line() + token
      case ',':
        return token + line()
      default:
        return token === ':' ? ': ' : token
    }
  }
  return tokens.map(write).join('')
}
