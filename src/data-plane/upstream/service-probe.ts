import { within } from '../../common/promises.ts'
import { PURPOSE_HEADER } from '../../exchange/purpose.ts'
import type { Upstream, UpstreamAnswer } from './upstream.ts'
import { type FailureKind, isOverloaded, UpstreamError } from './upstream-error.ts'

/** How long a result is reused. */
const FRESH_MS = 1_000
/** The longest wait for a service that hangs. Orchestrators give a readiness probe a second. */
const MOMENT_MS = 500

/** Finds out whether a service is well. */
export interface ServiceProbe {
  /**
   * Asks the service, at most once a second. Resolves within half a second: with the previous result if the service
   * takes longer. The result is false until the service has been found well. Never rejects.
   */
  isWell(): Promise<boolean>
  /** Why it was not found well, in words, without addresses; undefined: it was, or nothing more is known. */
  why(): string | undefined
}

/**
 * @param ask finds out whether the service is well: true, or why it is not, in words. A rejection counts as not well. Takes a few seconds
 * at most.
 */
export function serviceProbe(ask: () => Promise<true | string>): ServiceProbe {
  let isWell = false
  let why: string | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  async function find(): Promise<void> {
    try {
      const found = await ask()
      isWell = found === true
      why = found === true ? undefined : found
    } catch (error) {
      // If the gateway itself could not ask, the previous result stands.
      if (!isOverloaded(error)) {
        isWell = false
        why = error instanceof UpstreamError ? (error.why ?? UNKNOWN[error.kind]) : undefined
      }
    }
    underWay = undefined
  }

  return {
    async isWell() {
      if (underWay === undefined && performance.now() - askedAt > FRESH_MS) {
        askedAt = performance.now()
        underWay = find()
      }
      if (underWay !== undefined) await within(MOMENT_MS, underWay)
      return isWell
    },
    why: () => why,
  }
}

/** What a kind of failure means where no cause is known. */
const UNKNOWN: Readonly<Partial<Record<FailureKind, string>>> = {
  timeout: 'it does not answer in time',
  malformed: 'its answer is not HTTP',
  'too-large': 'its answer is too large',
}

/** A service that takes longer counts as down. */
const TIMEOUT_MS = 2_000

/**
 * Returns a probe for a service about which only the address is known: `GET /`. It resolves with any answer, even an error, or with
 * undefined if the answer is too large. It rejects if the service does not answer.
 */
export function anyAnswer(upstream: Pick<Upstream, 'call'>): () => Promise<UpstreamAnswer | undefined> {
  const headers = { [PURPOSE_HEADER]: 'health' }
  const request = { method: 'GET', path: '/', headers, body: undefined, repeatable: true } as const
  return async () => {
    try {
      return await upstream.call({ ...request, timeoutMs: TIMEOUT_MS })
    } catch (error) {
      if (!(error instanceof UpstreamError && error.kind === 'too-large')) throw error
      return undefined
    }
  }
}

/** Statuses that a proxy answers with when it cannot reach the service (RFC 9110 sections 15.6.3 to 15.6.5). */
const OF_A_PROXY: ReadonlySet<number> = new Set([502, 503, 504])

/** Whether an answer may come from the service itself, not from a proxy in front of it. */
export const isOwnAnswer = (answer: UpstreamAnswer | undefined): boolean =>
  answer === undefined || !OF_A_PROXY.has(answer.status)
