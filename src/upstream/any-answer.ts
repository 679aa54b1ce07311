import type { Upstream, UpstreamAnswer } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

/** Longer than this, and a service counts as down. */
const PATIENCE_MS = 2_000

/**
 * A question to a service of which nothing is known but its address: what is there. It rejects while nothing answers; any
 * answer will do, also one that is an error, or too large (undefined then).
 */
export function anyAnswer(upstream: Pick<Upstream, 'call'>): () => Promise<UpstreamAnswer | undefined> {
  const request = { method: 'GET', path: '/', headers: {}, body: undefined, repeatable: true } as const
  return async () => {
    try {
      return await upstream.call({ ...request, timeoutMs: PATIENCE_MS })
    } catch (error) {
      if (!(error instanceof UpstreamError && error.kind === 'too-large')) throw error
      return undefined
    }
  }
}

/** What a proxy answers in place of a service that it cannot reach (RFC 9110 sections 15.6.3 to 15.6.5). */
const OF_A_PROXY: ReadonlySet<number> = new Set([502, 503, 504])

/** Whether an answer may be the service's own. */
export const isOwnAnswer = (answer: UpstreamAnswer | undefined): boolean =>
  answer === undefined || !OF_A_PROXY.has(answer.status)
