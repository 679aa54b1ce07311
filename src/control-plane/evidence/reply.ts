import type { ComparedHeaders } from '../../exchange/compared-headers.ts'
import type { ExchangeRequest, SideAnswer, V1Answer } from '../../exchange/exchange.ts'
import { malformedBy, whyMalformed } from '../../exchange/why-malformed.ts'
import type { Answer } from './diff/difference.ts'
import { type ReadBody, readBody } from './diff/json-value.ts'
import type { Expectations } from './expected/expectations.ts'

/** The result of asking a side: an answer, or how it failed (`timeout`, `unreachable`, …). */
export type Reply =
  | {
      readonly status: number
      readonly body: Uint8Array
      /** Unset: legacy answered, or what v1 answered was not kept. */
      readonly v1Answer?: V1Answer
      /** The headers that are compared; undefined: unknown. */
      readonly headers?: ComparedHeaders | undefined
      /** Why this does not count as the side's answer, regardless of its status. */
      readonly failure?: string | undefined
      /** What is wrong with v1's answer, if that is why it failed. */
      readonly malformed?: string | undefined
      /** The charset that the answer says it is in; undefined: none. */
      readonly charset?: string | undefined
      /** v1's error code; undefined: none. */
      readonly code?: string | undefined
      /** The release that the service reports; undefined: none. */
      readonly release?: string | undefined
      /** How long the service took; undefined: unknown. */
      readonly serviceMs?: number | undefined
    }
  | {
      readonly failure: string
      readonly status?: undefined
      readonly malformed?: string | undefined
      readonly code?: undefined
      readonly release?: undefined
      readonly serviceMs?: undefined
    }

/** Returns how many bytes a reply's body has. */
export const sizeOf = (reply: Reply): number => (reply.status === undefined ? 0 : reply.body.length)

/** Returns how long both services took; ms. Undefined: it is not known of both. */
export function durationsOf({ control, candidate }: { readonly control: Reply; readonly candidate: Reply }) {
  const [controlMs, candidateMs] = [control.serviceMs, candidate.serviceMs]
  return controlMs === undefined || candidateMs === undefined
    ? undefined
    : { control: controlMs, candidate: candidateMs }
}

/** How a side failed. */
export interface Failure {
  readonly failure: string
  /** What is malformed, if that is how. */
  readonly malformed?: string | undefined
  /** Where it stops being JSON, in bytes from 0; unset: unknown. */
  readonly at?: number | undefined
}

/** Says how the control failed, from a bounded set of texts: `control: malformed: HTML or XML`. */
export const controlFailed = ({ failure, malformed }: Failure): string =>
  `control: ${failure}${malformed === undefined ? '' : `: ${malformed}`}`

/** An answer whose body was parsed. */
export type ReadAnswer = Answer & { readonly read: ReadBody }

export const isFailure = (reply: ReadAnswer | Failure | undefined): reply is Failure =>
  reply !== undefined && 'failure' in reply

/** Whether a success has a body. */
export const promisesBody = ({ kind }: Expectations['response']): boolean =>
  kind !== 'no-content' && kind !== 'pass-through'

/** Reads the body of an answer, or says how the side failed (docs/decisions/0041). */
export function readReply(reply: Reply, { response }: Expectations): ReadAnswer | Failure {
  if (reply.status === undefined || reply.failure !== undefined) {
    return { failure: reply.failure ?? 'no answer', malformed: reply.malformed }
  }
  const { status, body, headers } = reply
  if (status >= 500) return { failure: String(status) }
  const read = readBody(body)
  // Breaks the contract. For v1's answers the gateway itself reports this.
  if (status < 300 && promisesBody(response) && read.unread === 'not JSON') {
    const { says, at } = whyMalformed(body, reply.charset) ?? { says: undefined, at: undefined }
    return { failure: 'malformed', malformed: says, at }
  }
  return { status, body, headers, read }
}

/**
 * With these statuses a service refuses whoever asks, or how often, whatever they ask: no valid token, no permission, no proxy's
 * permission, too slow, too often.
 */
const REFUSES_WHOEVER_ASKS: ReadonlySet<number> = new Set([401, 403, 407, 408, 429])
/** Of these, those that answer what a login asks: it asks whether these credentials are let in. */
const REFUSES_CREDENTIALS: ReadonlySet<number> = new Set([401, 403])

/** Whether a status refuses whoever asks, whatever they ask, so that it says nothing about the request. */
export const refusesWhoeverAsks = (status: number, { isLogin }: Expectations): boolean =>
  REFUSES_WHOEVER_ASKS.has(status) && !(isLogin && REFUSES_CREDENTIALS.has(status))

/** The language that a request asks for; docs/contract.md 2.3. */
export const languageOf = (headers: ExchangeRequest['headers']): 'en' | 'tr' =>
  headers['accept-language']?.startsWith('en') === true ? 'en' : 'tr'

/** Resolves to the answer, or to how it failed. Never rejects. */
export function replyOf(answer: Promise<SideAnswer>): Promise<Reply> {
  return answer.then(
    ({ status, body, v1Answer, headers, failure, malformed, charset, code, release, serviceMs }) => ({
      ...{ status, body, headers, malformed, charset },
      ...(v1Answer !== undefined && { v1Answer }),
      ...{ failure, code, release, serviceMs },
    }),
    (error: unknown) => ({ failure: kindOf(error), malformed: malformedIn(error) }),
  )
}

const malformedIn = (error: unknown): string | undefined =>
  kindOf(error) === 'malformed' && error instanceof Error ? malformedBy(error.message) : undefined

const kindOf = (error: unknown): string =>
  error instanceof Error && 'kind' in error ? String(error.kind) : 'no answer'
