import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { LinearRouter } from 'hono/router/linear-router'
import type { Observe } from '../observe/observe-call.ts'
import type { Caller } from '../upstream/caller.ts'
import { endOfTurn } from '../upstream/end-of-turn.ts'
import { closeGently, discardBody } from './discard-body.ts'
import { callerOf } from './errors/hung-up.ts'
import { failureOf, translateError } from './errors/translate-error.ts'
import { exchangeOf } from './exchange-of.ts'
import { type Call, type Gateway, newCall } from './gateway.ts'
import { giveBack } from './give-back.ts'
import { handleCall } from './handle-call.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { legacyRequest } from './legacy-request.ts'
import { countedClients } from './login/counted-clients.ts'
import type { StandardHeaders } from './standard-headers.ts'
import type { TrustedProxies } from './trusted-proxies.ts'
import { writeAnswer } from './write-answer.ts'

export interface LegacyInterface {
  readonly gateway: Gateway
  readonly headersOf: StandardHeaders
  readonly observe: Observe
  /** How long the refusal of a call waits that came at `since`, ms of `performance.now()`; undefined: it does not. */
  readonly holdBack: (since: number, caller: Caller) => Promise<void> | undefined
  /** Proxies that are believed; undefined: none is. */
  readonly trusted?: TrustedProxies | undefined
  /** Goes around every call; undefined: there is nothing around them. */
  readonly middleware?: MiddlewareHandler | undefined
}

/** The legacy interface. Every path and method comes here, as written in the request line. */
export function serveLegacy({
  gateway,
  headersOf,
  observe,
  holdBack,
  trusted,
  middleware,
}: LegacyInterface): Hono<{ Bindings: HttpBindings }> {
  // Where one route takes every path, nothing is to be found by an expression.
  const app = new Hono<{ Bindings: HttpBindings }>({ router: new LinearRouter() })
  if (middleware !== undefined) app.use(middleware)
  const countedClient = countedClients()
  app.all('*', async ({ env: { incoming, outgoing } }) => {
    const started = performance.now()
    const call = newCall(legacyRequest(incoming, trusted))
    const caller = callerOf(outgoing)
    call.caller = caller
    await endOfTurn()
    let answer: LegacyAnswer
    let error: unknown
    try {
      answer = await handleCall(gateway, call, incoming)
    } catch (thrown) {
      error = thrown
      if (failureOf(thrown) === 'overloaded') await holdBack(started, caller)
      answer = translateError(thrown, call.request.language, gateway.messages)
    }
    const keeps = canKeepConnection(answer, incoming, gateway.maxBodyBytes)
    if (!(typeof keeps === 'boolean' ? keeps : await keeps)) {
      answer = { ...answer, headers: { ...answer.headers, connection: 'close' } }
      closeGently(incoming.socket)
    }
    const written = writeAnswer(answer, call, headersOf, gateway.cors, outgoing)
    const response = written instanceof Promise ? await written : written
    giveBack(gateway, answer, call, outgoing)
    const milliseconds = performance.now() - started
    const exchange = exchangeOf(call, answer, milliseconds)
    if (exchange !== undefined) gateway.watch.take(exchange)
    if (call.kept !== undefined) letGoOf(gateway, call)
    observe({
      requestId: call.request.requestId,
      method: call.request.method,
      path: call.request.path,
      peer: call.request.peer,
      operation: call.operation?.mapping.id,
      client: countedClient(call, answer.status),
      answeredBy: call.answeredBy,
      dropped: call.dropped.size,
      status: answer.status,
      v1Status: call.v1Status,
      v1Calls: call.v1Calls,
      legacyStatus: call.legacyStatus,
      milliseconds,
      v1Milliseconds: call.v1Milliseconds,
      legacyMilliseconds: call.legacyMilliseconds,
      failure: error === undefined ? undefined : failureOf(error),
      error,
    })
    return response
  })
  return app
}

/** What it kept has been taken over by now, or was lost for want of memory. */
function letGoOf({ watch }: Gateway, { kept, operation }: Call): void {
  kept?.letGo()
  if (operation !== undefined && (kept?.request.isLost || kept?.answer.isLost)) watch.miss(operation.mapping.id)
}

/** Whether the next request on the connection can be told from the rest of this one. */
function canKeepConnection(
  { headers, body }: LegacyAnswer,
  incoming: IncomingMessage,
  limit: number,
): boolean | Promise<boolean> {
  if (headers.connection !== undefined) return false
  // What is streamed may need the rest of the request to come to its end.
  return body instanceof Readable ? incoming.complete : discardBody(incoming, limit)
}
