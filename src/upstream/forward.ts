import type { Readable } from 'node:stream'
import type { Connecting } from './connector.ts'
import { endToEnd, type Headers } from './end-to-end.ts'
import { openPool } from './open-pool.ts'
import type { Asker } from './slots.ts'
import { isBug, toUpstreamError, UpstreamError } from './upstream-error.ts'

export interface ForwardRequest extends Asker {
  readonly method: string
  /** From the root of the interface, with its query, sent as written; the base URL's path prefix is put before it. */
  readonly path: string
  /** End-to-end headers, without `Host`. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Uint8Array | null
  /** Reads have connections of their own, so that hanging writes do not hold them up. */
  readonly isRead: boolean
}

export interface ForwardedAnswer {
  readonly status: number
  /** End-to-end headers. */
  readonly headers: Record<string, string | string[]>
  /** As it comes, content codings and all. */
  readonly body: Readable
}

/** Passes calls on to a service as they are. */
export interface Forwarder {
  /**
   * Sends a call, once, and waits for the head of the answer; redirects are answers like others. The body breaks off when
   * the answer is not whole in time.
   * @throws UpstreamError when there is no head.
   */
  forward(request: ForwardRequest): Promise<ForwardedAnswer>
  close(): Promise<void>
}

export interface ForwarderOptions {
  readonly baseUrl: URL
  readonly connecting?: Connecting | undefined
  readonly timeoutMs: number
  /** At most for reads, and as many for everything else. */
  readonly connections?: number | undefined
}

/** Opens a pool of kept-alive connections for calls that are passed on. `timeoutMs`: for one call to its last byte. */
export function openForwarder({ baseUrl, connecting, timeoutMs, connections = 128 }: ForwarderOptions): Forwarder {
  const prefix = baseUrl.pathname.replace(/\/+$/, '')
  // What is passed on is sent once, reads too.
  const options = { baseUrl, connecting, connections, connectTimeoutMs: timeoutMs, repeats: false }
  const reads = openPool(options)
  const others = openPool(options)
  return {
    async forward({ method, path, headers, body, isRead }) {
      const timer = new AbortController()
      const timeout = setTimeout(() => {
        timer.abort(new UpstreamError('timeout', `no whole answer within ${timeoutMs} ms`))
      }, timeoutMs)
      try {
        const answer = await (isRead ? reads : others).request({
          // Any method that a client can write is passed on.
          method: method as 'GET',
          path: prefix + path,
          headers,
          body,
          signal: timer.signal,
        })
        answer.body.once('close', () => clearTimeout(timeout))
        return { status: answer.statusCode, headers: endToEnd(answer.headers as Headers), body: answer.body }
      } catch (error) {
        clearTimeout(timeout)
        throw isBug(error) ? error : toUpstreamError(timer.signal.aborted ? timer.signal.reason : error)
      }
    },
    async close() {
      await Promise.all([reads.destroy(), others.destroy()])
    },
  }
}
