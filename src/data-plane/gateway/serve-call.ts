import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { LinearRouter } from 'hono/router/linear-router'
import { readsBody } from '../../engine/compile/compile-operations.ts'
import type { Observe } from '../../observe/observe-call.ts'
import { endOfTurn } from '../upstream/end-of-turn.ts'
import { answerOptions, answerUnmapped } from './answer-unmapped.ts'
import { choiceOf, chooseSide, isChosen, SERVE, withAnswerer } from './answering-side.ts'
import { BodyCapture } from './body-capture.ts'
import { ResponseCaller } from './client-abort.ts'
import type { TrustedProxies } from './client-address.ts'
import { networkOf } from './client-address.ts'
import { failureOf, translateError } from './errors/translate-error.ts'
import { type Call, type Gateway, newCall } from './gateway.ts'
import { translateCall } from './large-texts.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { callerKey } from './login/client-names.ts'
import { readCredentials } from './login/credentials.ts'
import { noteCall } from './note-call.ts'
import { passThrough } from './pass-through.ts'
import { receivePlain } from './plain-body.ts'
import { refuseInBrownout } from './refuse-in-brownout.ts'
import { refuseSealed, refuseSealedBody } from './refuse-sealed.ts'
import { legacyRequest, refuseAmbiguous } from './request-head.ts'
import type { StandardHeaders } from './standard-headers.ts'
import { type UnknownOutcomes, withUnknownOutcome } from './unknown-outcomes.ts'
import { releaseWhenWritten, settleConnection, writeAnswer } from './write-answer.ts'

/** All that the legacy interface is served with. */
interface LegacyInterface {
  readonly gateway: Gateway
  readonly headersOf: StandardHeaders
  readonly observe: Observe
  /** Remembers writes that failed and may have been carried out. */
  readonly outcomes: UnknownOutcomes
  /** Undefined: no proxy is trusted. */
  readonly trusted?: TrustedProxies | undefined
  /** Whether each answer says who gave it. */
  readonly namesAnswerer?: boolean | undefined
  /** Wraps every call; undefined: none does. */
  readonly middleware?: MiddlewareHandler | undefined
}

/** Serves the legacy interface: every method and path, as written in the request line. */
export function serveLegacy(served: LegacyInterface): Hono<{ Bindings: HttpBindings }> {
  // One route takes every path, so the router needs no regular expressions.
  const app = new Hono<{ Bindings: HttpBindings }>({ router: new LinearRouter() })
  if (served.middleware !== undefined) app.use(served.middleware)
  app.all('*', ({ env: { incoming, outgoing } }) => serveCall(served, incoming, outgoing))
  return app
}

const NO_BODY = new Uint8Array()

/** How long an `overloaded` answer is held back, because clients that retry at once would keep the gateway busy with nothing else. */
const REFUSAL_DELAY_MS = 500

/**
 * Serves a call from its head to the end of its answer:
 *
 * 1. Reads the head. Finds the operation, the client and the side that answers.
 * 2. Refuses the call if a brownout hits it.
 * 3. Passes it through; or reads its body, translates it, asks v1 and translates the answer.
 * 4. Says whether a write that failed may have been carried out.
 * 5. Writes the answer, and notes what happened.
 *
 * Every failure is thrown, and becomes a legacy answer in one place.
 */
async function serveCall(
  { gateway, headersOf, observe, outcomes, trusted, namesAnswerer }: LegacyInterface,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Response> {
  const started = performance.now()
  const request = legacyRequest(incoming, trusted)
  const caller = new ResponseCaller(outgoing)
  const at = Date.now()
  let call: Call | undefined
  let answer: LegacyAnswer
  let error: unknown
  await endOfTurn()
  try {
    refuseAmbiguous(incoming)
    // OPTIONS asks about a path and belongs to no operation.
    const isOptions = request.method === 'OPTIONS'
    const operation = isOptions ? undefined : gateway.find(request.method, request.path)

    const reading = readCredentials(request.headers.authorization, gateway.tokens)
    // Here and below, `await` would cost a promise and a turn of microtasks, and the value is usually there already.
    const credentials = reading instanceof Promise ? await reading : reading
    const who = { request, credentials }
    const wish = request.headers[SERVE]
    const choice = wish === undefined || isOptions ? undefined : choiceOf(gateway, operation, who, wish)
    const side = choice === undefined || choice === 'ignored' ? chooseSide(gateway, operation, who) : choice
    // Tokens that are not ours do not count: a client that writes a new one for each call must not pass for many clients.
    const share = credentials.client ?? networkOf(request.peer)
    call = newCall(request, { at, operation, credentials, side, choice, share, caller })
    const { notes } = call
    refuseSealed(call)
    // While no brownout is under way, this costs one comparison.
    if (call.at >= gateway.brownouts.from) refuseInBrownout(call, gateway, headersOf)
    if (operation !== undefined) {
      notes.answeredBy = side
      // An answer without its body is not compared or recorded.
      const limits = request.method === 'HEAD' ? undefined : gateway.watch.wants(operation.mapping.id, callerKey(who))
      if (limits !== undefined) notes.capture = new BodyCapture(gateway.memory, limits)
    }

    if (isOptions) {
      answer = await answerOptions(gateway, call, incoming)
    } else if (operation === undefined) {
      answer = await answerUnmapped(gateway, call, incoming)
    } else if (!operation.translates[side]) {
      answer = await passThrough(gateway, call, incoming)
    } else {
      const received = readsBody(operation.mapping.request) ? receivePlain(incoming, gateway, notes.memory) : NO_BODY
      const body = received instanceof Promise ? await received : received
      refuseSealedBody(body)
      notes.capture?.request.add(body)
      if (operation.mapping.effect === 'write') notes.writeBody = body
      const translated = translateCall(gateway, call, operation, { query: request.query, body })
      const translation = translated instanceof Promise ? await translated : translated
      notes.dropped = translation.dropped
      answer = await operation.answerCall(gateway, call, translation, body)
    }
  } catch (thrown) {
    error = thrown
    call ??= newCall(request, { at, caller })
    if (failureOf(thrown) === 'overloaded') {
      gateway.memory?.settle(call.notes.memory, 0)
      await after(REFUSAL_DELAY_MS)
    }
    answer = translateError(thrown, request.language, gateway.messages)
  }

  const { writeBody } = call.notes
  if (writeBody !== undefined) {
    call.notes.outcome = outcomes.settle(call, writeBody, { status: answer.status, error, started })
    call.notes.writeBody = undefined
    if (call.notes.outcome?.isUnknown === true) answer = withUnknownOutcome(answer)
  }
  if (namesAnswerer === true || isChosen(call)) answer = withAnswerer(answer, error, call)
  const settled = settleConnection(answer, incoming, gateway.maxBodyBytes)
  answer = settled instanceof Promise ? await settled : settled
  const written = writeAnswer(answer, call, headersOf, gateway.cors, outgoing)
  const response = written instanceof Promise ? await written : written
  releaseWhenWritten(gateway, call, answer, outgoing)
  noteCall(gateway, observe, call, answer, error, performance.now() - started)
  return response
}
