import { type Breaker, openBreaker } from './breaker.ts'
import { type Asker, openSlots, type Slots } from './slots.ts'
import type { Upstream, UpstreamRequest } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

/** Reads have a lane of their own, so that hanging writes do not hold them up; so have logins, where they are not waited for. */
export type Lane = 'reads' | 'others' | 'logins'

export interface LaneState {
  readonly lane: Lane
  readonly isOpen: boolean
  readonly running: number
  readonly waiting: number
}

/** Keeps a service from being asked more than it takes at a time, and from being asked at all while it is down. */
export interface Guard {
  /**
   * `ask` behind this guard. `laneOf` tells the lane of a request, one that the guard was opened with. What is turned away rejects
   * with an UpstreamError: `overloaded`, or `unavailable` while the service is down. It has not reached the service then, nor
   * has the call of a caller who went while it waited.
   */
  around<Request extends Asker, Answer>(
    laneOf: (request: Request) => Lane,
    ask: (request: Request) => Promise<Answer>,
  ): (request: Request) => Promise<Answer>
  lanes(): readonly LaneState[]
  close(): void
}

/** What there may be in each lane. */
export interface LaneLimits {
  /** Calls at a time. */
  readonly limit?: number
  /** Calls that wait for their turn; of more, the oldest of the client who has the most is turned away. */
  readonly maxWaiting?: number
  /** How long they wait at most; ms. */
  readonly maxWaitMs?: number
}

export interface GuardOptions extends LaneLimits {
  /** A cheap question to the service; rejects while nothing answers. */
  readonly probe: () => Promise<unknown>
  /** Told when a lane of the service counts as down, and when it is back. */
  readonly onBreaker: (lane: Lane, isOpen: boolean) => void
}

interface GuardedLane {
  readonly slots: Slots
  readonly breaker: Breaker
}

export function openGuard(
  names: readonly Lane[],
  { probe, onBreaker, limit = 128, maxWaiting = 8_192, maxWaitMs = 5_000 }: GuardOptions,
): Guard {
  const refusal = new UpstreamError('overloaded', `${limit} calls are under way and none ended in time`)
  const open = (lane: Lane): GuardedLane => ({
    slots: openSlots({ limit, maxWaiting, maxWaitMs, refusal }),
    breaker: openBreaker({ probe, onChange: (isOpen) => onBreaker(lane, isOpen) }),
  })
  const lanes = new Map(names.map((lane) => [lane, open(lane)]))
  return {
    around: (laneOf, ask) => async (request) => {
      const { slots, breaker } = lanes.get(laneOf(request)) as GuardedLane
      const slot = slots.take(request) ?? (await slots.wait(request))
      try {
        breaker.check()
        const answer = await ask(request)
        breaker.succeeded()
        slots.leave(slot)
        return answer
      } catch (error) {
        await breaker.failed(error)
        slots.leaveFailed(slot)
        throw error
      }
    },
    lanes: () =>
      Array.from(lanes, ([lane, { slots, breaker }]) => ({
        ...{ lane, isOpen: breaker.isOpen, running: slots.running, waiting: slots.waiting },
      })),
    close() {
      for (const { breaker } of lanes.values()) breaker.close()
    },
  }
}

/** An upstream behind a guard. */
export interface GuardedUpstream extends Upstream {
  lanes(): readonly LaneState[]
}

export function guardUpstream(upstream: Upstream, options: GuardOptions): GuardedUpstream {
  const guard = openGuard(['reads', 'others'], options)
  return {
    call: guard.around(({ repeatable }: UpstreamRequest) => (repeatable ? 'reads' : 'others'), upstream.call),
    lanes: guard.lanes,
    close() {
      guard.close()
      return upstream.close()
    },
  }
}
