import { type Missed, OVERLOADED } from '../exchange/exchange.ts'
import { isAbandoned } from './broke-off.ts'
import type { Call } from './call.ts'
import { HungUp } from './errors/hung-up.ts'
import { Refusal } from './errors/refusal.ts'
import { failureOf } from './errors/translate-error.ts'
import type { Ended } from './exchange-of.ts'
import type { Kept } from './kept.ts'
import type { Notes } from './notes.ts'

/**
 * Returns why a wanted call is no exchange; undefined: it is one. Without its request or its answer, a call can neither be
 * compared nor recorded.
 */
export function whyMissed(kept: Kept, { answer, error }: Pick<Ended, 'answer' | 'error'>): Missed | undefined {
  if (error instanceof HungUp || isAbandoned(answer)) return 'client gone'
  if (kept.request.isLost || (kept.answer.isLost && kept.takes(Number.POSITIVE_INFINITY))) return 'memory short'
  return kept.request.hasBegun ? undefined : whyUnread(error)
}

/** Returns why nothing of a call was kept; undefined: nobody wanted it. Whoever does not want the operation's calls disregards this. */
export function whyUnkept(
  { request }: Pick<Call, 'request'>,
  { brownout }: Pick<Notes, 'brownout'>,
  { error }: Pick<Ended, 'error'>,
): Missed | undefined {
  if (brownout !== undefined) return 'refused in a brownout'
  if (request.method === 'HEAD') return 'HEAD'
  if (error === undefined) return undefined
  return error instanceof HungUp ? 'client gone' : whyUnread(error)
}

/** Why the gateway refused a call before it had read the body, or passed it on. */
function whyUnread(error: unknown): Missed {
  if (failureOf(error) === OVERLOADED) return OVERLOADED
  if (error instanceof Refusal && error.status === 401) return 'a token in the body'
  return error instanceof Refusal && error.status === 413 ? 'too large' : 'the body was not read'
}
