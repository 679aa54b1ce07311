import type { Upstream } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

/** Longer than this, and a service counts as down. */
const PATIENCE_MS = 2_000

/**
 * A question to a service of which nothing is known but its address: what is there. It rejects while nothing answers; any
 * answer will do, also one that is an error or too large.
 */
export function anyAnswer(upstream: Pick<Upstream, 'call'>): () => Promise<void> {
  const request = { method: 'GET', path: '/', headers: {}, body: undefined, repeatable: true } as const
  return async () => {
    try {
      await upstream.call({ ...request, timeoutMs: PATIENCE_MS })
    } catch (error) {
      if (!(error instanceof UpstreamError && error.kind === 'too-large')) throw error
    }
  }
}
