import { isOverloaded, UpstreamError } from './upstream-error.ts'

/** Keeps callers from waiting for a service that is down. */
export interface Breaker {
  /** Checks that a call may be sent. @throws UpstreamError `unavailable` while the service counts as down. */
  check(): void
  /** Records that a call was answered, even with an error. */
  succeeded(): void
  /** Records that a call failed. Only an outage counts. */
  failed(error: unknown): void
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
  let inARow = 0
  let isOpen = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function sendProbe(): Promise<void> {
    const error: unknown = await probe().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    // A probe that could not be sent shows nothing, so the service stays down.
    if (isOutage(error) || isOverloaded(error)) return probeLater()
    inARow = 0
    isOpen = false
    onChange(false)
  }

  function probeLater(): void {
    if (!isClosed) timer = setTimeout(sendProbe, PROBE_MS).unref()
  }

  return {
    check() {
      if (isOpen) throw new UpstreamError('unavailable', 'the service counts as down: the breaker is open')
    },
    succeeded() {
      inARow = 0
    },
    failed(error) {
      if (isOpen || !isOutage(error) || ++inARow < FAILURES) return
      isOpen = true
      onChange(true)
      probeLater()
    },
    get isOpen() {
      return isOpen
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
