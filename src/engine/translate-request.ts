import { isUtf8 } from 'node:buffer'
import type { Operation } from '../mapping/operation.ts'
import { compile } from './compile/compile.ts'
import { JsonError, skipValue } from './json/json-scan.ts'
import { endOfText, startOfText, typeAt } from './json/json-walk.ts'
import { parameterTree, readBody, readQuery } from './read-parameters.ts'
import type { ValuePlan } from './rewrite/plan.ts'
import { Rewriter } from './rewrite/rewrite.ts'
import { withoutNulls } from './rewrite/without-nulls.ts'
import {
  type PageRequest,
  pageOf,
  parameterTable,
  queryString,
  translateParameters,
  type Violation,
} from './translate-parameters.ts'

/** What of a legacy request matters to its translation. */
export interface LegacyInput {
  /** Without the question mark. */
  readonly query: string
  /** As it came; empty when there was none. */
  readonly body: Uint8Array
}

/** The v1 call to make; without paging, which `page` tells where pages are stitched. */
export interface V1Call {
  readonly method: 'GET' | 'POST'
  /** From the root of the v1 interface. */
  readonly path: string
  /** Encoded, without the question mark; may be empty. */
  readonly query: string
  readonly body: Uint8Array | undefined
  readonly page: PageRequest | undefined
  /** Whether nothing can match, because of a value that v1 removed. */
  readonly matchesNothing: boolean
}

export interface Translation {
  readonly call: V1Call | undefined
  /** Why there is no call; empty when there is one. */
  readonly violations: readonly Violation[]
  /** Legacy members and parameters that are not sent, because v1 does not list them. */
  readonly dropped: ReadonlySet<string>
}

type RequestTranslator = (input: LegacyInput) => Translation

const EMPTY_OBJECT = Buffer.from('{}')

/** Compiles how requests of an operation are translated. Of an operation without v1 equivalent there is no translation. */
export function requestTranslator(operation: Operation): RequestTranslator {
  const { request, v1 } = operation
  if (v1 === undefined || request.kind === 'pass-through') {
    return () => ({ call: undefined, violations: [], dropped: new Set() })
  }
  const base = { method: v1.method, path: v1.path, query: '', body: undefined, page: undefined, matchesNothing: false }
  if (request.kind === 'body') {
    const plan = compile(request.shape, 'toV1')
    const root: ValuePlan = { kind: 'object', plan }
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
  if (request.kind === 'query-parameters') return translate
  const read = checked(translate)
  if (request.emptyBody === 'refused') return read
  return (input) => (input.body.length === 0 ? read({ ...input, body: EMPTY_OBJECT }) : read(input))
}

/** Refuses a body that is not a JSON object, so that what follows need not. */
function checked(translate: RequestTranslator): RequestTranslator {
  return (input) => {
    const refuse = (message: string, position?: number): Translation => ({
      call: undefined,
      violations: [{ path: '', message, with: { position: String(position ?? 0) } }],
      dropped: new Set(),
    })
    if (input.body.length === 0) return refuse('body-missing')
    if (!isUtf8(input.body)) return refuse('body-not-utf8')
    try {
      const start = startOfText(input.body)
      if (typeAt(input.body, start) !== 'object') {
        endOfText(input.body, skipValue(input.body, start))
        return refuse('body-not-an-object')
      }
      return translate(input)
    } catch (error) {
      if (error instanceof JsonError) return refuse('body-not-json', error.position)
      throw error
    }
  }
}
