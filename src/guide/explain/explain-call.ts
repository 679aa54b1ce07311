import { type CompiledOperation, readsBody } from '../../engine/compile/compile-operations.ts'
import type { LegacyInput } from '../../engine/translate-request.ts'
import { languageOf, type Messages } from '../../gateway/errors/messages.ts'
import { Refusal } from '../../gateway/errors/refusal.ts'
import { refusalOf } from '../../gateway/errors/refuse-translation.ts'
import type { FindOperation } from '../../gateway/find-operation.ts'
import type { ForwardedPath } from '../../gateway/forwarded-path.ts'
import { bodyTooLarge } from '../../gateway/receive-body.ts'
import { type ExplainedLine, explain } from '../lines/explain.ts'
import { listsFilledFrom } from './explain-lists.ts'
import { adviceFor, type ExplainedRefusal, explainRefusal, nearMiss } from './explain-refusal.ts'
import { type ExplainedRequest, explainRequests } from './explain-requests.ts'

/** What it takes to explain calls; nothing in it can send one. */
export interface Explainer {
  readonly operations: readonly CompiledOperation[]
  readonly find: FindOperation
  readonly basePath: string
  /** Whether there is a legacy service to pass on to what v1 has no equivalent of. */
  readonly hasLegacy: boolean
  readonly forwardedPath: ForwardedPath
  readonly messages: Messages
  /** Where v1's requests would go. */
  readonly v1BaseUrl: URL
  readonly maxBodyBytes: number
}

/** A legacy call as a client would make it. */
export interface CallToExplain {
  readonly method: string
  /** As in the request line, with the query; the host of a whole URL does not matter. */
  readonly path: string
  /** Only Accept-Language matters; a token is neither needed nor shown. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty: none. */
  readonly body: Uint8Array
}

/** What a legacy call becomes, and what differs; everything that a page, a terminal or a program shows of it. */
export interface ExplainedCall {
  /** The operation's id and its sentence for whoever migrates a client; null for a path that no mapping knows. */
  readonly operation: string | null
  readonly says: string | null
  readonly legacy: { readonly method: string; readonly path: string }
  /** In the order in which they are made; the first ones where there are many. Empty when v1 would not be asked. */
  readonly requests: readonly ExplainedRequest[]
  /** What is asked besides, and what becomes of several answers; or why v1 is never asked, and who is instead. */
  readonly then?: string
  /** What the client sent and v1 would not get: legacy members by path, parameters of the query after a question mark. */
  readonly dropped: readonly string[]
  /** When the call would be refused. */
  readonly refusal?: ExplainedRefusal
  /** Everything that differs between the two operations, whether this call uses it or not. */
  readonly lines: readonly ExplainedLine[]
}

const PASSED_ON = 'the call is passed on to the legacy service as it is.'
const NOT_PASSED_ON =
  'it would be passed on to the legacy service, but the gateway knows of none: it is answered with 501.'

/** Explains a call with nothing sent. Never throws for what a client may send. */
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
      return { ...unknown, requests: [], ...inWords([`No mapping knows this path: ${PASSED_ON}`, ...near]) }
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
  const dropped = [...translation.dropped, ...unread(operation, { query, body: call.body })]
  if (translation.call === undefined) return { ...explained, ...refused(refusalOf(translation)), dropped }
  const { requests, next } = explainRequests(v1BaseUrl, mapping, translation.call, acceptLanguage)
  return { ...explained, requests, ...inWords([...next, ...listsFilledFrom(mapping, explainer.operations)]), dropped }
}

const OPTIONS =
  'OPTIONS asks about the path and calls no operation: it is answered with 204 and the methods, or passed on to the legacy service where that answers.'

function inWords(sentences: readonly string[]): Pick<ExplainedCall, 'then'> {
  // biome-ignore lint/suspicious/noThenProperty: it is a text, which nothing takes for a promise
  return sentences.length === 0 ? {} : { then: sentences.join(' ') }
}

const NO_BODY = new Uint8Array()

function findOrRefusal({ find }: Explainer, method: string, path: string): CompiledOperation | Refusal {
  try {
    return find(method, path) ?? new Refusal(404, 'unknown-path')
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** As `passThrough` decides: another method of a path that is known is refused whoever is behind. */
function isPassedOn({ hasLegacy, forwardedPath }: Explainer, { status }: Refusal, path: string): boolean {
  return status === 404 && hasLegacy && forwardedPath(path) !== undefined
}

function targetOf(target: string): { readonly path: string; readonly query: string } {
  const [path = '', ...query] = target.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '').split('?')
  return { path, query: query.join('?') }
}

/** An operation reads the body or the query, never both. */
function unread({ mapping }: CompiledOperation, { query, body }: LegacyInput): readonly string[] {
  if (!readsBody(mapping.request)) return body.length === 0 ? [] : ['(the body)']
  return [...new Set(new URLSearchParams(query).keys())].map((name) => `?${name}`)
}
