import { comparedHeaders } from '../exchange/compared-headers.ts'
import type { BodyAsSent, Exchange, ReleaseHeaders } from '../exchange/exchange.ts'
import { releaseOf } from '../exchange/release-of.ts'
import { charsetOf, requestFacts } from '../exchange/request-facts.ts'
import { decodeBody, withoutMark } from '../upstream/decode-body.ts'
import type { Holder } from '../upstream/memory-budget.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { brokeOff } from './broke-off.ts'
import type { Call } from './call.ts'
import { headersToAskAgain } from './client-headers.ts'
import { malformedOf } from './errors/malformed-of.ts'
import { Refusal } from './errors/refusal.ts'
import { type Kept, MAX_KEPT } from './kept.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { callerKey, clientOf } from './login/client-of.ts'
import type { Notes } from './notes.ts'
import { isWrittenOtherwise, plainBody, plainType } from './plain-body.ts'
import type { Receiving } from './receive-body.ts'

/** How a call ended. */
export interface Ended {
  readonly answer: LegacyAnswer
  /** What it threw, if anything. */
  readonly error: unknown
  /** How the answering side failed. */
  readonly failure: string | undefined
  readonly milliseconds: number
  /** The client that it counts under. */
  readonly countedClient: string
}

/**
 * Returns an answered call as an exchange; undefined if it was not kept. If the legacy
 * service broke its answer off, the exchange's `answer` rejects with an UpstreamError.
 */
export function exchangeOf(
  call: Call,
  notes: Notes,
  { answer, error, failure, milliseconds, countedClient }: Ended,
  { releaseHeaders, legacyUrl }: { readonly releaseHeaders: ReleaseHeaders; readonly legacyUrl: URL | undefined },
): Exchange | undefined {
  const { operation, request } = call
  const { kept, answeredBy, v1Calls, v1Release } = notes
  if (kept === undefined || operation === undefined) return undefined
  const body = kept.request.whole()
  const coded = bodyOf(answer, kept)
  if (body === undefined || (coded === undefined && !brokeOff(answer))) return undefined
  const { 'accept-language': language, 'content-type': type, 'content-encoding': coding } = request.headers
  const isAsSent = !operation.translates[call.side] && isWrittenOtherwise(request.headers)
  return {
    operation: operation.mapping.id,
    at: new Date(call.at),
    request: {
      method: request.method,
      path: operation.mapping.legacy.path,
      query: request.query,
      headers: { 'accept-language': language, 'content-type': isAsSent ? type : plainType(type) },
      body,
      clientHeaders: headersToAskAgain(request),
      asSent: isAsSent ? { body, headers: { 'content-encoding': coding, 'content-type': type } } : undefined,
    },
    answeredBy,
    isKept: answeredBy === 'v1' && v1Calls === 0 && answer.status < 400,
    status: answer.status,
    client: call.share,
    caller: callerKey(call),
    ...{ failure, countedClient },
    rolloutClient: () => clientOf(call),
    facts: () => requestFacts({ authorization: undefined, ...request.headers }),
    size: body.length + (coded?.length ?? 0),
    async answer() {
      if (coded === undefined) throw new UpstreamError('unreachable', 'the answer broke off')
      const encoding = answer.headers['content-encoding']
      const decoded =
        encoding === undefined || coded === NOTHING ? coded : await decodeBody(coded, String(encoding), MAX_KEPT)
      return {
        status: answer.status,
        // Without a byte order mark, like the other side's answer, so that the mark is not a difference.
        body: withoutMark(decoded),
        headers: comparedHeaders(answer.headers, answeredBy === 'legacy' ? legacyUrl : undefined),
        failure,
        malformed: malformedOf(error, notes),
        charset: answeredBy === 'legacy' ? charsetOf(answer.headers['content-type'] as string | undefined) : undefined,
        code: answeredBy === 'v1' ? (answer.headers['x-gateway-code'] as string | undefined) : undefined,
        release: answeredBy === 'v1' ? v1Release : releaseOf(answer.headers, releaseHeaders.legacy),
        serviceMs: notes.serviceMs(answeredBy),
        milliseconds,
      }
    },
    credentials: call.credentials,
  }
}

/**
 * Returns an exchange whose request's body is plain, as v1 would be asked. A body that cannot be read stays as it was sent, with the
 * status that refuses it. Rejects
 * with an UpstreamError if there is no memory for it.
 */
export async function withPlainBody(
  exchange: Exchange,
  asSent: BodyAsSent,
  { maxBodyBytes, memory }: Receiving,
): Promise<Exchange> {
  const holder: Holder = { held: 0, share: exchange.client }
  try {
    const body = await plainBody(asSent.body, asSent.headers, { maxBodyBytes, memory }, holder)
    const headers = { ...exchange.request.headers, 'content-type': plainType(asSent.headers['content-type']) }
    return {
      ...exchange,
      request: { ...exchange.request, headers, body },
      size: exchange.size + body.length,
    }
  } catch (error) {
    if (error instanceof Refusal) {
      return { ...exchange, request: { ...exchange.request, asSent: { ...asSent, refused: error.status } } }
    }
    throw error
  } finally {
    memory?.end(holder)
  }
}

const NOTHING = new Uint8Array()

/** Returns the answer's body: empty if it is larger than wanted, undefined if it is incomplete or could not be kept. */
function bodyOf({ body }: LegacyAnswer, kept: Kept): Uint8Array | undefined {
  if (body === null) return new Uint8Array()
  if (body instanceof Uint8Array) return kept.takes(body.length) ? body : NOTHING
  if (body.errored !== null || !body.readableEnded) return undefined
  return kept.answer.whole() ?? (kept.takes(Number.POSITIVE_INFINITY) ? undefined : NOTHING)
}
