import type { Answerer, Side } from '../../exchange/exchange.ts'
import { Refusal } from './errors/refusal.ts'
import { V1Refused } from './errors/v1-refusal.ts'
import type { Call, Gateway, ServedOperation } from './gateway.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import { clientOf } from './login/client-names.ts'

/** Returns the side that answers a call: legacy if v1 has no equivalent, otherwise what the rollout says. */
export function chooseSide(
  { route }: Gateway,
  operation: ServedOperation | undefined,
  who: Pick<Call, 'request' | 'credentials'>,
): Side {
  if (operation === undefined || !operation.translates.v1) return 'legacy'
  return route(operation.mapping.id, () => clientOf(who))
}

/** The header with which a client may choose the side that answers its call, `v1` or `legacy`; in lower case. No service gets it. */
export const SERVE = 'x-gateway-serve'

/**
 * Returns what becomes of a client's wish for a side: that side; or `ignored`, if it is no side that could answer the call, or the
 * rollout file does not let this client choose.
 */
export function choiceOf(
  { legacy, mayChoose }: Gateway,
  operation: ServedOperation | undefined,
  who: Pick<Call, 'request' | 'credentials'>,
  wish: string | string[],
): Side | 'ignored' {
  if (operation === undefined || !operation.translates.v1) return 'ignored'
  if (wish !== 'v1' && (wish !== 'legacy' || legacy === undefined)) return 'ignored'
  return mayChoose(operation.mapping.id, () => clientOf(who)) ? wish : 'ignored'
}

/** Whether the client has chosen the side that answers. */
export const isChosen = ({ choice }: Pick<Call, 'choice'>): boolean => choice !== undefined && choice !== 'ignored'

/** The header that says who gave an answer, in lower case. */
export const ANSWERED_BY = 'x-gateway-answered-by'

/**
 * Adds the header that says who gave an answer: `v1` for a translated answer or refusal of v1, also from a cached list; `legacy`
 * for the legacy service's own answer; `gateway` for an answer of the gateway's own, such as the message that neither service
 * answered.
 * @param error what the call threw; undefined: nothing.
 */
export function withAnswerer(answer: LegacyAnswer, error: unknown, call: Call): LegacyAnswer {
  const answerer = error === undefined ? countsFor(error, call) : error instanceof V1Refused ? 'v1' : 'gateway'
  return { ...answer, headers: { ...answer.headers, [ANSWERED_BY]: answerer } }
}

/**
 * Returns what a call counts for: the side that answered it or failed to; `gateway` if the gateway itself refused the call, or
 * answered it without an operation and without the legacy service: the methods of a path, or a guide.
 */
export const countsFor = (error: unknown, { operation, notes: { answeredBy } }: Call): Answerer =>
  error instanceof Refusal || (answeredBy === 'v1' && operation === undefined) ? 'gateway' : answeredBy
