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
