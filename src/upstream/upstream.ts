import type { IncomingHttpHeaders } from 'node:http'
import { Pool } from 'undici'
import { decodeBody } from './decode-body.ts'
import { diedBeforeAnswer, toUpstreamError, UpstreamError } from './upstream-error.ts'

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
  /** From the root of the interface, with its query; the base URL's path prefix is put before it. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  /** Whether it is a read: it may be asked a second time when the connection died before an answer began. */
  readonly repeatable: boolean
  /** Less time than the upstream's own; ms. */
  readonly timeoutMs?: number
  /** Gives the call up, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface UpstreamAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Without content codings. */
  readonly body: Uint8Array
  /** From the first byte sent to the last one read. */
  readonly milliseconds: number
}

/** One service behind the gateway. */
export interface Upstream {
  /**
   * Makes one call and reads the answer whole; redirects are not followed.
   * @throws UpstreamError when there is no answer that could be read; the reason of the request's signal.
   */
  call(request: UpstreamRequest): Promise<UpstreamAnswer>
  /** Ends what is still under way, as `unreachable`, and closes all connections. */
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** May have a path prefix, which no call leaves. */
  readonly baseUrl: URL
  /** For one call to its last byte, a repetition included. */
  readonly timeoutMs: number
  /** Larger answers are `too-large`; bytes, counted before and after decoding. */
  readonly maxAnswerBytes?: number
  /** Connections at most for reads, and as many for everything else, so that hanging writes do not hold up reads. */
  readonly connections?: number
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Opens a pool of kept-alive connections to an upstream. */
export function openUpstream({
  baseUrl,
  timeoutMs,
  maxAnswerBytes = MAX_ANSWER_BYTES,
  connections = 128,
}: UpstreamOptions): Upstream {
  const prefix = baseUrl.pathname.replace(/\/+$/, '')
  const openPool = (): Pool =>
    new Pool(baseUrl.origin, {
      connections,
      pipelining: 1,
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: maxAnswerBytes,
    })
  const reads = openPool()
  const others = openPool()

  /** Sends a request and waits for the head of its answer. */
  const send = ({ method, path, headers, body, repeatable }: UpstreamRequest, signal: AbortSignal) =>
    (repeatable ? reads : others).request({ method, path: prefix + path, headers, body: body ?? null, signal })

  async function exchange(
    request: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<Omit<UpstreamAnswer, 'milliseconds'>> {
    const { statusCode, headers, body } = await send(request, signal).catch((error: unknown) => {
      if (request.repeatable && diedBeforeAnswer(error)) return send(request, signal)
      throw error
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk as Uint8Array)
    // Most answers come in one piece, which is theirs alone.
    const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
    const encoding = headers['content-encoding']
    if (encoding === undefined) return { status: statusCode, headers, body: bytes }
    return { status: statusCode, headers, body: await decodeBody(bytes, String(encoding), maxAnswerBytes) }
  }

  return {
    async call(request) {
      const started = performance.now()
      const timer = new AbortController()
      const patience = Math.min(request.timeoutMs ?? timeoutMs, timeoutMs)
      const timeout = setTimeout(() => {
        timer.abort(new UpstreamError('timeout', `no whole answer within ${patience} ms`))
      }, patience)
      const giveUp = (): void => timer.abort(request.signal?.reason)
      request.signal?.addEventListener('abort', giveUp, { once: true })
      try {
        request.signal?.throwIfAborted()
        const answer = await exchange(request, timer.signal)
        return { ...answer, milliseconds: performance.now() - started }
      } catch (error) {
        if (request.signal?.aborted === true) throw request.signal.reason
        throw toUpstreamError(timer.signal.aborted ? timer.signal.reason : error)
      } finally {
        clearTimeout(timeout)
        request.signal?.removeEventListener('abort', giveUp)
      }
    },
    async close() {
      await Promise.all([reads.destroy(), others.destroy()])
    },
  }
}
