import { comparedHeaders, releaseOf } from '../../exchange/compared-headers.ts'
import { type BothAnswers, type CapturedExchange, type Missed, OVERLOADED } from '../../exchange/exchange.ts'
import { charsetOf, requestFacts } from '../../exchange/request-facts.ts'
import { versionOf } from '../../mapping/corrections/mapping-version.ts'
import { isChosen } from './answering-side.ts'
import type { BodyCapture } from './body-capture.ts'
import { ClientAbort } from './client-abort.ts'
import { Refusal } from './errors/refusal.ts'
import { failureOf, malformedOf } from './errors/translate-error.ts'
import type { Call, Gateway, ServedOperation } from './gateway.ts'
import { brokeOff, isAbandoned, type LegacyAnswer } from './legacy-answer.ts'
import { callerKey, clientOf } from './login/client-names.ts'
import { serviceMs } from './notes.ts'
import { isWrittenOtherwise, plainType } from './plain-body.ts'
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
  if (exchange !== undefined && call.notes.both !== undefined) {
    // The client does not wait for the side whose answer it does not get.
    void call.notes.both.then((both) => {
      watch.take({ ...exchange, both, size: exchange.size + sizeOf(both) })
      capture.letGo()
    })
    return
  }
  if (exchange !== undefined) watch.take(exchange)
  capture.letGo()
}

const sizeOf = ({ control, candidate }: BothAnswers): number =>
  [control, candidate].reduce((sum, answer) => sum + (answer.status === undefined ? 0 : answer.body.length), 0)

/** Returns an answered call as an exchange; undefined if its bodies could not be captured whole. */
function exchangeOf(
  { releaseHeaders, legacy }: Gateway,
  call: Call,
  operation: ServedOperation,
  capture: BodyCapture,
  { answer, error, failure, milliseconds, countedClient }: Ended,
): CapturedExchange | undefined {
  const { request, notes } = call
  const { answeredBy } = notes
  const body = capture.request.whole()
  const coded = bodyOf(answer, capture)
  if (body === undefined || (coded === undefined && !brokeOff(answer))) return undefined
  const { 'accept-language': language, 'content-type': type, 'content-encoding': coding } = request.headers
  const isAsSent = !operation.translates[call.side] && isWrittenOtherwise(request.headers)
  return {
    operation: operation.mapping.id,
    version: versionOf(operation.mapping),
    at: new Date(call.at),
    request: {
      method: request.method,
      path: operation.mapping.legacy.path,
      query: request.query,
      headers: { 'accept-language': language, 'content-type': isAsSent ? type : plainType(type) },
      body,
      clientHeaders: headersToAskAgain(request),
      requestId: request.requestId,
      asSent: isAsSent ? { body, headers: { 'content-encoding': coding, 'content-type': type } } : undefined,
    },
    answeredBy,
    isCached: answeredBy === 'v1' && notes.v1Calls === 0 && answer.status < 400,
    status: answer.status,
    client: call.share,
    caller: callerKey(call),
    ...{ failure, countedClient },
    rolloutClient: clientOf(call),
    isChosen: isChosen(call) || undefined,
    facts: requestFacts({ authorization: undefined, ...request.headers }),
    size: body.length + (coded?.length ?? 0),
    answer: {
      status: answer.status,
      body: coded,
      // Each coding may come in a line of its own.
      encoding: coded === NOTHING ? undefined : answer.headers['content-encoding']?.toString(),
      headers: comparedHeaders(answer.headers, answeredBy === 'legacy' ? legacy?.baseUrl : undefined),
      failure,
      malformed: malformedOf(error, notes),
      charset: answeredBy === 'legacy' ? charsetOf(answer.headers['content-type'] as string | undefined) : undefined,
      code: answeredBy === 'v1' ? (answer.headers['x-gateway-code'] as string | undefined) : undefined,
      release: answeredBy === 'v1' ? notes.v1Release : releaseOf(answer.headers, releaseHeaders.legacy),
      serviceMs: serviceMs(notes, answeredBy),
      milliseconds,
    },
    credentials: { v1: call.credentials.v1, legacy: call.credentials.legacy, isOurs: call.credentials.isOurs },
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
