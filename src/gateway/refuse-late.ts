import { MAX_PAUSE_MS } from '../http/reading-peer.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Call } from './call.ts'
import type { Gateway } from './gateway.ts'

/** One error for all, as for the slots. */
const REFUSAL = new UpstreamError('overloaded', 'the call has waited unread, and other calls still wait for v1')

/**
 * Refuses a call that has waited unread for as long as a call may wait, if it would still have to wait for v1. The guard of v1 would refuse it
 * too, but only once its body has been read and translated, and under overload that takes other clients' time.
 */
export function refuseLate({ v1 }: Gateway, { waitedMs, side, operation }: Call): void {
  if (waitedMs < MAX_PAUSE_MS || side !== 'v1' || operation === undefined) return
  const lane = operation.mapping.effect === 'read' ? 'reads' : 'others'
  if (v1.lanes().some((state) => state.lane === lane && state.waiting > 0)) throw REFUSAL
}
