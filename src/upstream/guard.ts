import { type Breaker, openBreaker } from './breaker.ts'
import { openSlots, type Slots } from './slots.ts'
import type { Upstream, UpstreamRequest } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

/** Reads have a lane of their own, so that hanging writes do not hold them up. */
export type Lane = 'reads' | 'others'

export interface LaneState {
  readonly lane: Lane
  readonly isOpen: boolean
  readonly running: number
  readonly waiting: number
}

/** An upstream that is neither asked more than it takes at a time, nor asked at all while it is down. */
export interface GuardedUpstream extends Upstream {
  lanes(): readonly LaneState[]
}

export interface GuardOptions {
  /** A cheap question to the service; rejects while it is down. */
  readonly probe: () => Promise<unknown>
  /** Told when a lane of the service counts as down, and when it is back. */
  readonly onBreaker: (lane: Lane, isOpen: boolean) => void
  /** Calls at a time, in each lane. */
  readonly limit?: number
  /** Calls that wait for their turn, in each lane; further ones are turned away at once. */
  readonly maxWaiting?: number
  /** How long they wait at most; ms. */
  readonly maxWaitMs?: number
}

/** Guards an upstream. What is turned away is an UpstreamError `overloaded`, or `unavailable` while the service is down. */
export function guardUpstream(
  upstream: Upstream,
  { probe, onBreaker, limit = 128, maxWaiting = 2_048, maxWaitMs = 5_000 }: GuardOptions,
): GuardedUpstream {
  const refusal = (): Error => new UpstreamError('overloaded', `${limit} calls are under way and none ended in time`)
  const open = (lane: Lane): { readonly lane: Lane; readonly slots: Slots; readonly breaker: Breaker } => ({
    lane,
    slots: openSlots({ limit, maxWaiting, maxWaitMs, refusal }),
    breaker: openBreaker({ probe, onChange: (isOpen) => onBreaker(lane, isOpen) }),
  })
  const reads = open('reads')
  const others = open('others')
  return {
    call(request: UpstreamRequest) {
      const { slots, breaker } = request.repeatable ? reads : others
      return slots.run(() => breaker.run(() => upstream.call(request)))
    },
    lanes: () =>
      [reads, others].map(({ lane, slots: { running, waiting }, breaker: { isOpen } }) => ({
        ...{ lane, isOpen, running, waiting },
      })),
    close() {
      for (const { breaker } of [reads, others]) breaker.close()
      return upstream.close()
    },
  }
}
