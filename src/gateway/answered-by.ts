import type { Side } from '../exchange/exchange.ts'
import type { Call } from './call.ts'
import { V1Refused } from './errors/v1-refusal.ts'
import type { LegacyAnswer } from './legacy-answer.ts'
import type { Notes } from './notes.ts'

/** The header that says who gave an answer, in lower case. */
export const ANSWERED_BY = 'x-gateway-answered-by'

/**
 * Adds to an answer who gave it: `v1`, whose answer or refusal it is, translated, be it kept from an earlier call; `legacy`, whose
 * answer is passed through; or `gateway`, which says in place of both why there is none.
 * @param error what the call threw; undefined: nothing.
 */
export function withAnswerer(answer: LegacyAnswer, error: unknown, call: Call, notes: Notes): LegacyAnswer {
  return { ...answer, headers: { ...answer.headers, [ANSWERED_BY]: answererOf(error, call, notes) } }
}

function answererOf(error: unknown, { operation }: Call, { answeredBy }: Notes): Side | 'gateway' {
  if (error !== undefined) return error instanceof V1Refused ? 'v1' : 'gateway'
  // Only OPTIONS is answered for no operation, and not by the legacy service: the gateway lists the methods.
  return answeredBy === 'v1' && operation === undefined ? 'gateway' : answeredBy
}
