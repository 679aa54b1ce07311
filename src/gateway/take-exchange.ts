import { comparedHeaders, releaseOf } from '../exchange/compared-headers.ts'
import { type BodyAsSent, type Exchange, type Missed, OVERLOADED } from '../exchange/exchange.ts'
import { charsetOf, requestFacts } from '../exchange/request-facts.ts'
import { decodeBody, withoutMark } from '../upstream/decode-body.ts'
import { Holder } from '../upstream/memory-budget.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { type BodyCapture, MAX_CAPTURED } from './body-capture.ts'
import { ClientAbort } from './client-abort.ts'
import { Refusal } from './errors/refusal.ts'
import { failureOf, malformedOf } from './errors/translate-error.ts'
import type { Call, Gateway, ServedOperation } from './gateway.ts'
import { brokeOff, isAbandoned, type LegacyAnswer } from './legacy-answer.ts'
import { callerKey, clientOf } from './login/client-names.ts'
import { serviceMs } from './notes.ts'
import { isWrittenOtherwise, plainBody, plainType } from './plain-body.ts'
import type { Receiving } from './receive-body.ts'
import { headersToAskAgain } from './service-headers.ts'

/** The end of a call. */
interface Ended {
  readonly answer: LegacyAnswer
  /** What it threw, if anything. */
  readonly error: unknown
  /** How the answering side failed. */
  readonly failure: string | undefined
  readonly milliseconds: number
  /** The client that it counts under. */
  readonly countedClient: string
}

/** Passes an answered call on as an exchange, to be compared, recorded or looked at, or says why it is none. */
export function takeExchange(gateway: Gateway, call: Call, ended: Ended): void {
  const { watch } = gateway
  const { operation } = call
  const { capture } = call.notes
  if (operation === undefined) return
  const { id } = operation.mapping
  const missed = capture === undefined ? whyNotCaptured(call, ended) : whyMissed(capture, ended)
  if (missed !== undefined) watch.miss(id, missed)
  if (capture === undefined) return
  const exchange = missed === undefined ? exchangeOf(gateway, call, operation, capture, ended) : undefined
  const asSent = exchange?.request.asSent
  if (exchange === undefined || asSent === undefined) {
    if (exchange !== undefined) watch.take(exchange)
    capture.letGo()
    return
  }
  withPlainBody(exchange, asSent, gateway)
    .then(
      (plain) => watch.take(plain),
      () => watch.miss(id, 'memory short'),
    )
    .finally(() => capture.letGo())
}

/**
 * Returns an answered call as an exchange; undefined if its bodies could not be captured whole. If the legacy service broke its answer
 * off, the exchange's `answer` rejects with an UpstreamError.
 */
function exchangeOf(
  { releaseHeaders, legacy }: Gateway,
  call: Call,
  operation: ServedOperation,
  capture: BodyCapture,
  { answer, error, failure, milliseconds, countedClient }: Ended,
): Exchange | undefined {
  const { request, notes } = call
  const { answeredBy } = notes
  const body = capture.request.whole()
  const coded = bodyOf(answer, capture)
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
    isCached: answeredBy === 'v1' && notes.v1Calls === 0 && answer.status < 400,
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
        encoding === undefined || coded === NOTHING ? coded : await decodeBody(coded, String(encoding), MAX_CAPTURED)
      return {
        status: answer.status,
        // Without a byte order mark, like the other side's answer, so that the mark is not a difference.
        body: withoutMark(decoded),
        headers: comparedHeaders(answer.headers, answeredBy === 'legacy' ? legacy?.baseUrl : undefined),
        failure,
        malformed: malformedOf(error, notes),
        charset: answeredBy === 'legacy' ? charsetOf(answer.headers['content-type'] as string | undefined) : undefined,
        code: answeredBy === 'v1' ? (answer.headers['x-gateway-code'] as string | undefined) : undefined,
        release: answeredBy === 'v1' ? notes.v1Release : releaseOf(answer.headers, releaseHeaders.legacy),
        serviceMs: serviceMs(notes, answeredBy),
        milliseconds,
      }
    },
    credentials: call.credentials,
  }
}

/**
 * Returns an exchange whose request's body is plain, as v1 would be asked. A body that cannot be read stays as it was sent, with the
 * status that refuses it. Rejects with an UpstreamError if there is no memory for it.
 */
async function withPlainBody(
  exchange: Exchange,
  asSent: BodyAsSent,
  { maxBodyBytes, memory }: Receiving,
): Promise<Exchange> {
  const holder = new Holder()
  try {
    const body = await plainBody(asSent.body, asSent.headers, { maxBodyBytes, memory }, holder)
    const headers = { ...exchange.request.headers, 'content-type': plainType(asSent.headers['content-type']) }
    return { ...exchange, request: { ...exchange.request, headers, body }, size: exchange.size + body.length }
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

/** Returns the answer's body: empty if it is larger than wanted, undefined if it is incomplete or could not be captured. */
function bodyOf({ body }: LegacyAnswer, capture: BodyCapture): Uint8Array | undefined {
  if (body === null) return new Uint8Array()
  if (body instanceof Uint8Array) return capture.takes(body.length) ? body : NOTHING
  if (body.errored !== null || !body.readableEnded) return undefined
  return capture.answer.whole() ?? (capture.takes(Number.POSITIVE_INFINITY) ? undefined : NOTHING)
}

/**
 * Returns why a wanted call is no exchange; undefined: it is one. Without its request or its answer, a call can neither be
 * compared nor recorded.
 */
function whyMissed(capture: BodyCapture, { answer, error }: Pick<Ended, 'answer' | 'error'>): Missed | undefined {
  if (error instanceof ClientAbort || isAbandoned(answer)) return 'client gone'
  if (capture.request.isLost || (capture.answer.isLost && capture.takes(Number.POSITIVE_INFINITY)))
    return 'memory short'
  return capture.request.hasBegun ? undefined : whyUnread(error)
}

/** Returns why nothing of a call was captured; undefined: nobody wanted it. Whoever does not want the operation's calls disregards this. */
function whyNotCaptured({ request, notes }: Call, { error }: Pick<Ended, 'error'>): Missed | undefined {
  if (notes.brownout !== undefined) return 'refused in a brownout'
  if (request.method === 'HEAD') return 'HEAD'
  if (error === undefined) return undefined
  return error instanceof ClientAbort ? 'client gone' : whyUnread(error)
}

/** Returns why the gateway refused a call before it had read the body, or passed it on. */
function whyUnread(error: unknown): Missed {
  if (failureOf(error) === OVERLOADED) return OVERLOADED
  if (error instanceof Refusal && error.status === 401) return 'a token in the body'
  return error instanceof Refusal && error.status === 413 ? 'too large' : 'the body was not read'
}
