import { isUtf8 } from 'node:buffer'
import type { Operation } from '../mapping/operation.ts'
import { valuePlan } from './compile/compile.ts'
import { JsonError, scanValue, viewOf } from './json/scan-json.ts'
import { endOfText, NO_KEY, skipValue, startOfText, typeAt, walkTree } from './json/walk-json.ts'
import { itemsAt } from './json-members.ts'
import { Rewriter } from './rewrite/rewrite.ts'
import { RunWriter } from './rewrite/run-writer.ts'
import {
  type PageRequest,
  pageOf,
  parameterTable,
  parameterTree,
  queryString,
  readBody,
  readQuery,
  translateParameters,
  type Violation,
} from './translate-parameters.ts'

/** The parts of a legacy request that its translation reads. */
export interface LegacyInput {
  /** Without the question mark. */
  readonly query: string
  /** As received. Empty if there was none. */
  readonly body: Uint8Array
}

/** The v1 call to make. Where pages are stitched, `page` holds the paging, which `query` then lacks. */
export interface V1Call {
  readonly method: 'GET' | 'POST'
  /** From the root of the v1 interface. */
  readonly path: string
  /** Encoded, without the question mark. May be empty. */
  readonly query: string
  readonly body: Uint8Array | undefined
  readonly page: PageRequest | undefined
  /** Whether nothing can match, because the request asks for a value that v1 removed. */
  readonly matchesNothing: boolean
}

export interface Translation {
  readonly call: V1Call | undefined
  /** Why there is no call. Empty if there is one. */
  readonly violations: readonly Violation[]
  /** Legacy members and parameters that are not sent, because v1 does not list them. */
  readonly dropped: ReadonlySet<string>
}

type RequestTranslator = (input: LegacyInput) => Translation

const EMPTY_OBJECT = Buffer.from('{}')

/** Compiles the translation of an operation's requests. Without a v1 equivalent, the translation has no call. */
export function requestTranslator(operation: Operation): RequestTranslator {
  const { request, v1 } = operation
  if (v1 === undefined || request.kind === 'pass-through') {
    return () => ({ call: undefined, violations: [], dropped: new Set() })
  }
  const base = { method: v1.method, path: v1.path, query: '', body: undefined, page: undefined, matchesNothing: false }
  if (request.kind === 'body') {
    const root = valuePlan({ kind: 'object', shape: request.shape }, 'toV1')
    return checked(({ body }) => {
      const json = request.nulls === 'not sent' ? withoutNulls(body) : body
      const dropped = new Set<string>()
      const rewriter = new Rewriter(json, json.length, { dropped })
      endOfText(json, rewriter.value(root, startOfText(json)))
      return { call: { ...base, body: rewriter.finish() }, violations: [], dropped }
    })
  }
  const { parameters } = request
  const tree = parameterTree(parameters)
  const table = parameterTable(parameters)
  const stitching = request.kind === 'body-parameters' ? request.stitching : undefined
  const translate = (input: LegacyInput): Translation => {
    const legacy = request.kind === 'query-parameters' ? readQuery(input.query, parameters) : readBody(input.body, tree)
    const { query, path, violations, matchesNothing } = translateParameters(table, legacy)
    if (violations.length > 0) return { call: undefined, violations, dropped: legacy.dropped }
    const page = stitching === undefined ? undefined : pageOf(query, stitching)
    const unpaged =
      page === undefined ? query : query.filter(([name]) => name !== page.paging.page && name !== page.paging.perPage)
    const call: V1Call = {
      ...base,
      path: path.size === 0 ? v1.path : v1.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path.get(name) ?? ''),
      query: queryString(unpaged),
      body: v1.method === 'POST' ? EMPTY_OBJECT : undefined,
      page,
      matchesNothing,
    }
    return { call, violations: [], dropped: legacy.dropped }
  }
  return request.kind === 'query-parameters' ? translate : checked(translate, request.emptyBody)
}

/**
 * Refuses a body that is not a JSON object, so that `translate` need not check it. Where a missing body counts as an empty
 * object, so does an empty array, which is how PHP writes it (`json_encode([])`).
 */
function checked(
  translate: RequestTranslator,
  emptyBody: 'an empty object' | 'refused' = 'refused',
): RequestTranslator {
  const orEmpty = (input: LegacyInput, message: string): Translation =>
    emptyBody === 'refused' ? refusal(message) : translate({ ...input, body: EMPTY_OBJECT })
  return (input) => {
    const { body } = input
    if (body.length === 0) return orEmpty(input, 'body-missing')
    if (!isUtf8(body)) return refusal('body-not-utf8')
    try {
      const start = startOfText(body)
      if (typeAt(body, start) === 'object') return translate(input)
      endOfText(body, skipValue(body, start))
      const isEmptyArray = typeAt(body, start) === 'array' && itemsAt(body, start).length === 0
      return isEmptyArray ? orEmpty(input, 'body-not-an-object') : refusal('body-not-an-object')
    } catch (error) {
      if (error instanceof JsonError) return refusal('body-not-json', error.position)
      throw error
    }
  }
}

const refusal = (message: string, position = 0): Translation => ({
  call: undefined,
  violations: [{ path: '', message, with: { position: String(position) } }],
  dropped: new Set(),
})

/**
 * Copies a JSON text without the members that are null, at any depth. Null items of arrays stay.
 * @throws JsonError
 */
export function withoutNulls(json: Uint8Array): Buffer {
  const text = viewOf(json)
  const out = new RunWriter(json, text, json.length)
  /** For each container around the value: whether the one around it has a member. */
  const outer: boolean[] = []
  const start = startOfText(json)
  out.resume(start)
  const end = walkTree(text, start, json.length, {
    value(at, keyAt, _keyEnd, before) {
      const type = typeAt(json, at)
      if (keyAt !== NO_KEY) {
        if (type === 'null') {
          out.cut(before)
          return scanValue(text, at, json.length)
        }
        out.keepMember(keyAt)
      }
      if (type === 'object' || type === 'array') {
        outer.push(out.hasMember)
        out.hasMember = false
      }
      return undefined
    },
    close(at) {
      out.resume(at)
      out.hasMember = outer.pop() ?? false
    },
  })
  out.cut(end)
  endOfText(json, end)
  return out.finish()
}
