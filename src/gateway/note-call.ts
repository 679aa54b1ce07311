import type { Observe } from '../observe/observe-call.ts'
import { countsFor } from './answered-by.ts'
import type { Call } from './call.ts'
import { failureOf } from './errors/translate-error.ts'
import { type Ended, exchangeOf, withPlainBody } from './exchange-of.ts'
import type { Gateway } from './gateway.ts'
import { givenUp } from './give-up.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { countedClients } from './login/counted-clients.ts'
import { withoutSealed } from './login/find-sealed.ts'
import type { Notes } from './notes.ts'
import { whyMissed, whyUnkept } from './why-missed.ts'

/**
 * Reports an answered call: to comparison and recording, then to the log and the metrics.
 * @param error what the call threw, if anything.
 */
export type NoteCall = (call: Call, notes: Notes, answer: LegacyAnswer, error: unknown, milliseconds: number) => void

export function callNoter(gateway: Gateway, observe: Observe): NoteCall {
  const countedClient = countedClients(gateway.knownTokens)
  return (call, notes, answer, error, milliseconds) => {
    const { request, operation } = call
    const client = countedClient(call, notes, answer.status)
    const failure = error === undefined ? undefined : failureOf(error)
    takeExchange(gateway, call, notes, { answer, error, failure, milliseconds, countedClient: client })
    observe({
      requestId: request.requestId,
      method: request.method,
      path: withoutSealed(request.path),
      peer: request.peer,
      operation: operation?.mapping.id,
      client,
      agent: cut(request.headers['user-agent']),
      answeredBy: countsFor(error, call, notes),
      dropped: notes.dropped.size,
      status: answer.status,
      v1Status: notes.v1Status,
      v1Code: notes.answeredBy === 'v1' ? codeOf(answer) : undefined,
      v1Calls: notes.v1Calls,
      legacyStatus: notes.legacyStatus,
      milliseconds,
      v1Milliseconds: notes.v1Milliseconds,
      legacyMilliseconds: notes.legacyMilliseconds,
      brownout: notes.brownout,
      isGuide: notes.isGuide,
      givenUp: givenUp(call, notes),
      failure,
      error,
    })
  }
}

/** The longest user agent that is kept: callers may send one of any length. */
const MAX_AGENT = 200

const cut = (agent: string | undefined): string | undefined =>
  agent === undefined ? undefined : withoutSealed(agent.length > MAX_AGENT ? agent.slice(0, MAX_AGENT) : agent)

/** v1's error code; a success has none. */
const codeOf = ({ status, headers }: LegacyAnswer): string | undefined =>
  status < 400 ? undefined : (headers['x-gateway-code'] as string | undefined)

/** Passes the call on as an exchange, or says why it is none. */
function takeExchange(gateway: Gateway, call: Call, notes: Notes, ended: Ended): void {
  const { watch, releaseHeaders, legacy } = gateway
  const { kept } = notes
  if (call.operation === undefined) return
  const { id } = call.operation.mapping
  const missed = kept === undefined ? whyUnkept(call, notes, ended) : whyMissed(kept, ended)
  if (missed !== undefined) watch.miss(id, missed)
  else if (kept !== undefined) {
    const services = { releaseHeaders, legacyUrl: legacy?.baseUrl }
    const exchange = exchangeOf(call, notes, ended, services)
    const asSent = exchange?.request.asSent
    if (exchange !== undefined && asSent !== undefined) {
      withPlainBody(exchange, asSent, gateway)
        .then(
          (plain) => watch.take(plain),
          () => watch.miss(id, 'memory short'),
        )
        .finally(() => kept.letGo())
      return
    }
    if (exchange !== undefined) watch.take(exchange)
  }
  kept?.letGo()
}
