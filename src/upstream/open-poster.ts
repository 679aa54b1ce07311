import type { Connecting } from './connector.ts'
import { openPool } from './open-pool.ts'
import { toUpstreamError, UpstreamError } from './upstream-error.ts'

/** How much of an answer is read, so that its connection can be used again; bytes. */
const READ_BYTES = 16_384

/** Sends bodies to one URL. Of the answers, only the status matters. */
export interface Poster {
  /**
   * Sends a body once. Resolves with the status of the answer as soon as its head has arrived, even if its body never does. Does
   * not follow redirects.
   * @throws UpstreamError if no answer begins in time. Its message names addresses and codes, never the path or the query.
   */
  post(body: Uint8Array, headers: Readonly<Record<string, string>>): Promise<number>
  /** Ends the calls under way, and closes all connections. */
  close(): Promise<void>
}

export interface PosterOptions {
  readonly url: URL
  readonly connecting: Connecting
  /** The maximum number of connections. */
  readonly connections: number
  /** For one attempt, connecting included, to the end of the answer. */
  readonly timeoutMs: number
}

/** Opens a pool of connections to one URL. */
export function openPoster({ url, connecting, connections, timeoutMs }: PosterOptions): Poster {
  const pool = openPool({ baseUrl: url, connecting, connections, connectTimeoutMs: timeoutMs, repeats: false })
  const path = url.pathname + url.search
  return {
    async post(body, headers) {
      const giveUp = new AbortController()
      const tooLate = new UpstreamError('timeout', `no answer within ${timeoutMs} ms`)
      const timeout = setTimeout(() => giveUp.abort(tooLate), timeoutMs)
      try {
        const answer = await pool.request({ method: 'POST', path, body, headers, signal: giveUp.signal })
        await answer.body.dump({ limit: READ_BYTES, signal: giveUp.signal }).catch(() => undefined)
        return answer.statusCode
      } catch (error) {
        throw toUpstreamError(error)
      } finally {
        clearTimeout(timeout)
      }
    },
    close: () => pool.destroy(),
  }
}
