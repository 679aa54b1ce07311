import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { isOverloaded, UpstreamError } from './upstream-error.ts'

/** Keeps callers from waiting for a service that is down. */
export interface Breaker {
  /** Checks that a call may be sent. @throws UpstreamError `unavailable` while the service counts as down. */
  check(): void
  /** Records that a call was answered, even with an error. */
  succeeded(): void
  /** Records that a call failed. Only an outage counts. */
  failed(error: unknown): Promise<void>
  readonly isOpen: boolean
  close(): void
}

export interface BreakerOptions {
  /** Sends a cheap request to the service. Rejects if it does not answer. Takes a few seconds at most. */
  readonly probe: () => Promise<unknown>
  /** Called when the service goes down, and when it is back. */
  readonly onChange: (isOpen: boolean) => void
}

/** After this many failures in a row the service counts as down. */
const FAILURES = 10
/** How often a service that is down is probed. */
const PROBE_MS = 1_000

/**
 * Creates a breaker. It opens when consecutive calls cannot reach the service or time out; any answer shows that the
 * service is up. While it is open, only the probe is sent, once a second; an answer to the probe closes it. So no
 * caller has to try, and no write is risked.
 */
export function openBreaker({ probe, onChange }: BreakerOptions): Breaker {
  const inARow = new ConsecutiveBreaker(FAILURES)
  const policy = circuitBreaker(handleWhen(isOutage), {
    breaker: inARow,
    // The probe below decides when to close. The policy itself would use the wall clock, which may be set back.
    halfOpenAfter: Number.NEGATIVE_INFINITY,
  })
  /** A probe that could not be sent shows nothing, so the service stays down. */
  const sendProbe = (): Promise<unknown> =>
    probe().catch((error: unknown) => {
      throw isOverloaded(error)
        ? new UpstreamError('unreachable', 'the probe could not be sent', { cause: error })
        : error
    })
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const probeLater = (): void => {
    if (isClosed) return
    timer = setTimeout(() => {
      policy.execute(sendProbe).catch(() => {
        // A failure that is no outage has closed the breaker: the service answers.
        if (policy.state !== CircuitState.Closed) probeLater()
      })
    }, PROBE_MS).unref()
  }
  policy.onStateChange((state) => {
    if (state === CircuitState.Closed) onChange(false)
  })
  policy.onBreak(() => {
    // A failed probe opens the breaker again, and schedules the next probe itself.
    if (timer !== undefined) return
    onChange(true)
    probeLater()
  })
  policy.onReset(() => {
    timer = undefined
  })
  return {
    check() {
      if (policy.state === CircuitState.Closed) return
      throw new UpstreamError('unavailable', 'the service counts as down: the breaker is open')
    },
    // Only failures go through the policy: through it a success took 0.95 µs, this way 0.51 µs.
    succeeded: () => inARow.success(),
    async failed(error) {
      if (!isOutage(error) || policy.state !== CircuitState.Closed) return
      await policy.execute(() => Promise.reject(error)).catch(() => undefined)
    },
    get isOpen() {
      return policy.state !== CircuitState.Closed
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof UpstreamError && (error.kind === 'unreachable' || error.kind === 'timeout')
}
