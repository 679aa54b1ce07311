import type { Side } from '../exchange/exchange.ts'
import type { Call } from './call.ts'
import { V1Refused } from './errors/v1-refusal.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import type { Notes } from './notes.ts'

/** The header that says who gave an answer, in lower case. */
export const ANSWERED_BY = 'x-gateway-answered-by'

/**
 * Adds the header that says who gave an answer: `v1` for a translated answer or refusal of v1, also from a cached list; `legacy`
 * for the legacy service's own answer; `gateway` for an answer of the gateway's own, such as the message that neither service
 * answered.
 * @param error what the call threw; undefined: nothing.
 */
export function withAnswerer(answer: LegacyAnswer, error: unknown, call: Call, notes: Notes): LegacyAnswer {
  return { ...answer, headers: { ...answer.headers, [ANSWERED_BY]: answererOf(error, call, notes) } }
}

function answererOf(error: unknown, { operation }: Call, { answeredBy }: Notes): Side | 'gateway' {
  if (error !== undefined) return error instanceof V1Refused ? 'v1' : 'gateway'
  // Without an operation and without the legacy service, the gateway itself answered: the methods of a path, or a guide.
  return answeredBy === 'v1' && operation === undefined ? 'gateway' : answeredBy
}
