import { similarTo } from '../../common/similar.ts'
import { type Language, languageOf, type Messages, say } from '../../data-plane/gateway/errors/legacy-messages.ts'
import { Refusal, refusalOf } from '../../data-plane/gateway/errors/refusal.ts'
import { translateError } from '../../data-plane/gateway/errors/translate-error.ts'
import type { FindOperation, ForwardedPath } from '../../data-plane/gateway/legacy-paths.ts'
import { bodyTooLarge } from '../../data-plane/gateway/receive-body.ts'
import { shapesOf } from '../../engine/compile/check-operations.ts'
import { type CompiledOperation, readsBody } from '../../engine/compile/compile-operations.ts'
import type { LegacyInput } from '../../engine/translate-request.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'
import { explain } from '../lines/explain.ts'
import type { ExplainedLine } from '../lines/explained-line.ts'
import { type ExplainedRequest, explainRequests, inWords } from './explain-requests.ts'

/** Everything needed to explain calls. Nothing in it can send one. */
export interface Explainer {
  readonly operations: readonly CompiledOperation[]
  readonly find: FindOperation
  readonly basePath: string
  /** Whether there is a legacy service, to pass calls on to that have no v1 equivalent. */
  readonly hasLegacy: boolean
  readonly forwardedPath: ForwardedPath
  readonly messages: Messages
  /** The address that the v1 requests would go to. */
  readonly v1BaseUrl: URL
  readonly maxBodyBytes: number
}

/** A legacy call as a client would make it. */
export interface CallToExplain {
  readonly method: string
  /** As in the request line, with the query. The host of a complete URL does not matter. */
  readonly path: string
  /** Only Accept-Language matters. A token is neither required nor shown. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty if there is none. */
  readonly body: Uint8Array
}

/** An explained legacy call, with everything that a page, a terminal or a program shows of it. */
export interface ExplainedCall {
  /** The operation's id and its sentence for people who migrate a client. Null for a path that no mapping has. */
  readonly operation: string | null
  readonly says: string | null
  readonly legacy: { readonly method: string; readonly path: string }
  /** In the order in which they are made; only the first few of many. Empty if v1 would not be asked. */
  readonly requests: readonly ExplainedRequest[]
  /** Which further calls follow, and how answers are combined; or why v1 is never asked, and who answers instead. */
  readonly then?: string
  /** What the client sent but v1 would not get: legacy members by path, query parameters with a leading question mark. */
  readonly dropped: readonly string[]
  /** Present if the call would be refused. */
  readonly refusal?: ExplainedRefusal
  /** Everything that differs between legacy and v1, whether or not this call uses it. */
  readonly lines: readonly ExplainedLine[]
}

const PASSED_ON = 'the call is passed on to the legacy service unchanged.'
const NOT_PASSED_ON =
  'the call would be passed on to the legacy service, but none is configured, so it is answered with 501.'

/** Explains a call without sending anything. Never throws, no matter what a client sends. */
export function explainCall(explainer: Explainer, call: CallToExplain): ExplainedCall {
  const { messages, v1BaseUrl } = explainer
  const acceptLanguage = Object.entries(call.headers).find(([name]) => name.toLowerCase() === 'accept-language')?.[1]
  const { path, query } = targetOf(call.path)
  const legacy = { method: call.method, path: call.path }
  const refused = (refusal: Refusal, advice?: readonly string[]) => ({
    requests: [],
    refusal: explainRefusal(refusal, languageOf(acceptLanguage), messages, advice),
  })

  const operation = findOrRefusal(explainer, call.method, path)
  if (operation instanceof Refusal) {
    const unknown = { operation: null, says: null, legacy, dropped: [], lines: [] }
    if (isPassedOn(explainer, operation, path)) {
      const near = nearMiss(explainer.operations, explainer.basePath, path) ?? []
      return { ...unknown, requests: [], ...inWords([`No mapping has this path: ${PASSED_ON}`, ...near]) }
    }
    if (call.method === 'OPTIONS' && operation.status === 405)
      return { ...unknown, requests: [], ...inWords([OPTIONS]) }
    const advice = adviceFor(explainer.operations, explainer.basePath, path)
    return { ...unknown, ...refused(operation, advice) }
  }
  const { mapping } = operation
  const explained = { operation: mapping.id, says: mapping.says, legacy, lines: explain(mapping) }
  if (mapping.v1 === undefined) {
    const fate = explainer.hasLegacy ? PASSED_ON : NOT_PASSED_ON
    return { ...explained, requests: [], ...inWords([`v1 has no equivalent: ${fate}`]), dropped: [] }
  }

  const input = { query, body: readsBody(mapping.request) ? call.body : NO_BODY }
  if (input.body.length > explainer.maxBodyBytes) {
    return { ...explained, ...refused(bodyTooLarge(explainer.maxBodyBytes)), dropped: [] }
  }
  const translation = operation.translateRequest(input)
  const dropped = [...translation.dropped, ...unread(mapping, { query, body: call.body })]
  if (translation.call === undefined) return { ...explained, ...refused(refusalOf(translation)), dropped }
  const { requests, next } = explainRequests(v1BaseUrl, mapping, translation.call, acceptLanguage)
  return { ...explained, requests, ...inWords([...next, ...listsFilledFrom(mapping, explainer.operations)]), dropped }
}

const OPTIONS =
  'OPTIONS calls no operation: it is answered with 204 and the allowed methods, or passed on if the legacy service answers the path.'

const NO_BODY = new Uint8Array()

function findOrRefusal({ find }: Explainer, method: string, path: string): CompiledOperation | Refusal {
  try {
    return find(method, path) ?? new Refusal(404, 'unknown-path')
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Whether a call is passed on, as `passThrough` decides. Another method of a mapped path is always refused. */
function isPassedOn({ hasLegacy, forwardedPath }: Explainer, { status }: Refusal, path: string): boolean {
  return status === 404 && hasLegacy && forwardedPath(path) !== undefined
}

function targetOf(target: string): { readonly path: string; readonly query: string } {
  const [path = '', ...query] = target.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '').split('?')
  return { path, query: query.join('?') }
}

/** Returns what the client sent and the operation does not read: it reads the body or the query, never both. */
export function unread({ request }: Operation, { query, body }: LegacyInput): readonly string[] {
  if (!readsBody(request)) return body.length === 0 ? [] : ['(the body)']
  return [...new Set(new URLSearchParams(query).keys())].map((name) => `?${name}`)
}

/** Says in sentences which lists are read to fill members of the answer. */
function listsFilledFrom(mapping: Operation, operations: readonly CompiledOperation[]): readonly string[] {
  const sentences = shapesOf(mapping).flatMap(([, shape]) =>
    referencesIn(shape).map(({ list, take }) => {
      const path = operations.find((other) => other.mapping.id === list)?.mapping.v1?.path
      return `${take} is filled in from the list GET ${path}, which is read too.`
    }),
  )
  return [...new Set(sentences)]
}

function referencesIn({ rules }: Shape): readonly { readonly list: string; readonly take: string }[] {
  return Object.values(rules).flatMap((rule) => {
    if (rule.kind === 'context') return rule.source.from === 'reference' ? [rule.source] : []
    return rule.kind === 'field' && 'shape' in rule.value ? referencesIn(rule.value.shape) : []
  })
}

/** A call that the gateway would refuse without asking v1. */
export interface ExplainedRefusal {
  /** The answer that the client would get. */
  readonly status: number
  readonly body: unknown
  /** What is wrong and what would be right, always in English. */
  readonly why: readonly string[]
}

/** Explains a refusal. `advice` says what would be right, where the messages do not. */
function explainRefusal(
  refusal: Refusal,
  language: Language,
  messages: Messages,
  advice: readonly string[] = [],
): ExplainedRefusal {
  const { status, body } = translateError(refusal, language, messages)
  const violations = (refusal.violations ?? []).filter(({ path }) => path !== '')
  return {
    status,
    body: JSON.parse(Buffer.from(body as Uint8Array).toString()) as unknown,
    why: [
      say(messages, 'en', refusal.message, refusal.values),
      ...violations.map(({ path, message, with: values }) => `${path}: ${say(messages, 'en', message, values)}`),
      ...advice,
    ],
  }
}

/** Says what would be right instead of a path or a method that no operation has. */
function adviceFor(operations: readonly CompiledOperation[], basePath: string, path: string): readonly string[] {
  return (
    nearMiss(operations, basePath, path) ?? [
      'Any path but these is passed on to the legacy service, if one is configured:',
      ...operations.map(({ mapping: { legacy } }) => `${legacy.method} ${basePath}${legacy.path}`),
    ]
  )
}

/** Says which operation a path probably meant. Undefined if it resembles none. */
function nearMiss(
  operations: readonly CompiledOperation[],
  basePath: string,
  path: string,
): readonly [string] | undefined {
  const routes = operations.map(({ mapping: { legacy, v1 } }) => ({
    legacy: `${legacy.method} ${basePath}${legacy.path}`,
    paths: [legacy.path, basePath + legacy.path].map(simplified),
    v1: v1?.path,
  }))
  const near = routes.filter(({ paths }) => paths.includes(simplified(path)))
  if (near.length > 0) {
    return [
      `Paths and methods are matched exactly as written; did you mean ${near.map(({ legacy }) => legacy).join(' or ')}?`,
    ]
  }
  const migrated = routes.filter(({ v1 }) => v1 !== undefined && pattern(v1).test(path))
  if (migrated.length > 0)
    return [`This is already a v1 path; its legacy call is ${migrated.map(({ legacy }) => legacy).join(' or ')}.`]
  const [nearest] = similarTo(
    simplified(path),
    routes.flatMap(({ paths }) => paths),
  )
  const meant = routes.filter(({ paths }) => nearest !== undefined && paths.includes(nearest))
  return meant.length === 0 ? undefined : [`Did you mean ${meant.map(({ legacy }) => legacy).join(' or ')}?`]
}

/** Simplifies a path, so that paths that are easily mistaken for each other become equal. */
function simplified(path: string): string {
  const plain = path.replaceAll(/%[2-7][\da-f]/gi, decodeURIComponent)
  return `/${plain
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`.toLowerCase()
}

/** Matches the paths of a v1 route, with any value for `{id}`. */
const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
