import { type Breaker, openBreaker } from './breaker.ts'
import { type Asker, FairQueue } from './fair-queue.ts'
import type { Upstream, UpstreamRequest } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

/**
 * Reads have their own lane, so that hanging writes do not block them. So do logins at the legacy service: they get
 * less time than other calls, and slow logins must not make the service count as down.
 */
export type Lane = 'reads' | 'others' | 'logins'

export interface LaneState {
  readonly lane: Lane
  readonly isOpen: boolean
  readonly running: number
  readonly waiting: number
}

/** When a call asked a service, in ms of `performance.now()`. The guard writes it. */
export interface Asking {
  /** When the service was first asked: waiting in the queue comes before. Undefined: it was not asked. */
  since: number | undefined
  /** When it last answered or failed; undefined: it has not. */
  until: number | undefined
  /** Whether bytes of the call may have left for the service. The pools write it: a call may fail while it waits for a connection. */
  hasLeft: boolean
}

/** Returns the `Asking` of a call that has not asked yet. */
export const notAsked = (): Asking => ({ since: undefined, until: undefined, hasLeft: false })

/** A request that a guard may send. */
export interface GuardedRequest extends Asker {
  /** Undefined: nobody needs to know when the service is asked. */
  readonly asking?: Asking | undefined
}

/** Limits the calls to a service at a time, and sends none while it is down. */
export interface Guard {
  /**
   * Wraps `ask` in this guard. `laneOf` returns the lane of a request, which must be one of the guard's. A call that is
   * turned away rejects with an UpstreamError: `overloaded`, or `unavailable` while the service is down. Such a call
   * has not reached the service; neither has one whose caller disconnected while it waited.
   * @param onWhole calls a function once an answer has arrived whole, which lets the next call begin. Left out: all of it has when `ask` resolves.
   */
  around<Request extends GuardedRequest, Answer>(
    laneOf: (request: Request) => Lane,
    ask: (request: Request) => Promise<Answer>,
    onWhole?: (answer: Answer, leave: () => void) => void,
  ): (request: Request) => Promise<Answer>
  lanes(): readonly LaneState[]
  close(): void
}

/** The limits of each lane. */
export interface LaneLimits {
  /** Calls at a time. Clients with few of them may use an eighth more. */
  readonly limit?: number
  /** Waiting calls. Above this, the oldest call of the client with the most waiting calls is turned away. */
  readonly maxWaiting?: number
  /** The longest wait, in ms. */
  readonly maxWaitMs?: number
}

export interface GuardOptions extends LaneLimits {
  /** Sends a cheap request to the service. Rejects if it does not answer. */
  readonly probe: () => Promise<unknown>
  /** Called when a lane's breaker opens because the service counts as down, and when the service is back. */
  readonly onBreaker: (lane: Lane, isOpen: boolean) => void
}

const LIMIT = 128
/** An eighth more for clients with few calls. */
const spareOf = (limit: number): number => Math.floor(limit / 8)

/** The most calls of a lane at a time. */
export const MOST_OF_LANE = LIMIT + spareOf(LIMIT)

interface GuardedLane {
  readonly queue: FairQueue
  readonly breaker: Breaker
}

export function openGuard(
  names: readonly Lane[],
  { probe, onBreaker, limit = LIMIT, maxWaiting = 8_192, maxWaitMs = 5_000 }: GuardOptions,
): Guard {
  const refusal = new UpstreamError('overloaded', `${limit} calls are under way and none ended in time`)
  const open = (lane: Lane): GuardedLane => ({
    queue: new FairQueue({ limit, spare: spareOf(limit), maxWaiting, maxWaitMs, refusal }),
    breaker: openBreaker({ probe, onChange: (isOpen) => onBreaker(lane, isOpen) }),
  })
  const lanes = new Map(names.map((lane) => [lane, open(lane)]))
  return {
    around: (laneOf, ask, onWhole) => async (request) => {
      const { queue, breaker } = lanes.get(laneOf(request)) as GuardedLane
      const client = queue.enter(request) ?? (await queue.wait(request))
      const { asking } = request
      try {
        breaker.check()
        if (asking !== undefined) asking.since ??= performance.now()
        const answer = await ask(request)
        if (asking !== undefined) asking.until = performance.now()
        breaker.succeeded()
        if (onWhole === undefined) queue.leave(client)
        else onWhole(answer, () => queue.leave(client))
        return answer
      } catch (error) {
        if (asking !== undefined) asking.until = performance.now()
        breaker.failed(error)
        // In a later turn of the event loop, so that a service that goes down fails no more calls in one turn than may be under way.
        if (queue.waiting > 0) setImmediate(() => queue.leave(client))
        else queue.leave(client)
        throw error
      }
    },
    lanes: () =>
      Array.from(lanes, ([lane, { queue, breaker }]) => ({
        ...{ lane, isOpen: breaker.isOpen, running: queue.running, waiting: queue.waiting },
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
