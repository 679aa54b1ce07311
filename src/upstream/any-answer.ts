import type { Upstream, UpstreamAnswer } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

/** A service that takes longer counts as down. */
const TIMEOUT_MS = 2_000

/**
 * Returns a probe for a service about which only the address is known: `GET /`. It resolves with any answer, even an error, or with
 * undefined if the answer is too large. It rejects if the service does not answer.
 */
export function anyAnswer(upstream: Pick<Upstream, 'call'>): () => Promise<UpstreamAnswer | undefined> {
  const request = { method: 'GET', path: '/', headers: {}, body: undefined, repeatable: true } as const
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
