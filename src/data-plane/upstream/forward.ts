import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Connecting } from './connector.ts'
import { type Asking, type GuardedRequest, MOST_OF_LANE } from './guard.ts'
import { openPool } from './open-pool.ts'
import { isBug, toUpstreamError, UpstreamError } from './upstream-error.ts'

export interface ForwardRequest extends GuardedRequest {
  readonly method: string
  /** From the root of the interface, with its query, sent as written. The base URL's path prefix is added. */
  readonly path: string
  /** End-to-end headers, without `Host`. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Uint8Array | null
  /** Reads have their own connections, so that hanging writes do not block them. */
  readonly isRead: boolean
}

export interface ForwardedAnswer {
  readonly status: number
  /** End-to-end headers. */
  readonly headers: Record<string, string | string[]>
  /** As received, with its content codings. */
  readonly body: Readable
}

/** Passes calls on to a service unchanged. */
export interface Forwarder {
  /**
   * Sends a call once, and waits for the head of the answer. Does not follow redirects. The body breaks off if the
   * answer is not complete in time.
   * @throws UpstreamError if no head arrives.
   */
  forward(request: ForwardRequest): Promise<ForwardedAnswer>
  close(): Promise<void>
}

export interface ForwarderOptions {
  readonly baseUrl: URL
  readonly connecting?: Connecting | undefined
  readonly timeoutMs: number
  /** The maximum for reads, and the same again for everything else. */
  readonly connections?: number | undefined
}

/**
 * Opens pools of kept-alive connections for calls that are passed on. `timeoutMs` is for one call, up to its last byte,
 * without the time that its answer waits for whoever reads it.
 */
export function openForwarder({
  baseUrl,
  connecting,
  timeoutMs,
  connections = MOST_OF_LANE,
}: ForwarderOptions): Forwarder {
  const prefix = baseUrl.pathname.replace(/\/+$/, '')
  // Every call is sent only once, even a read.
  const options = { baseUrl, connecting, connections, connectTimeoutMs: timeoutMs, repeats: false }
  const reads = openPool(options)
  const others = openPool(options).compose(notingWhatLeaves)
  return {
    async forward({ method, path, headers, body, isRead, asking }) {
      const timer = new AbortController()
      const clock = new ServiceClock(timeoutMs, () => {
        timer.abort(new UpstreamError('timeout', `no complete answer within ${timeoutMs} ms`))
      })
      try {
        // Passes on any method that a client can send.
        const sent = { method: method as 'GET', path: prefix + path, headers, body, signal: timer.signal, asking }
        const answer = await (isRead ? reads : others).request(sent)
        const { body: answered } = answer
        // Paused: it waits for a client that reads more slowly than the service sends.
        answered.on('pause', () => clock.stop()).on('resume', () => answered.closed || clock.start())
        answered.once('close', () => clock.stop())
        return { status: answer.statusCode, headers: endToEnd(answer.headers as Headers), body: answered }
      } catch (error) {
        clock.stop()
        throw isBug(error) ? error : toUpstreamError(timer.signal.aborted ? timer.signal.reason : error)
      }
    },
    async close() {
      await Promise.all([reads.destroy(), others.destroy()])
    },
  }
}

/** Notes of each call when its bytes may have left: there is a connection, and the client library writes next. */
const notingWhatLeaves: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (sent, handler) => {
  const { asking } = sent as { readonly asking?: Asking }
  if (asking !== undefined) {
    const { onRequestStart } = handler
    handler.onRequestStart = (controller, context) => {
      asking.hasLeft = true
      onRequestStart?.call(handler, controller, context)
    }
  }
  return dispatch(sent, handler)
}

/** Measures the time that a service takes: that of a call without the time that its answer waits for the client. */
class ServiceClock {
  readonly #onTimeout: () => void
  #left: number
  #since = 0
  #timeout: NodeJS.Timeout | undefined

  /** Starts the clock. @param onTimeout called once the service has taken `limitMs`. */
  constructor(limitMs: number, onTimeout: () => void) {
    this.#left = limitMs
    this.#onTimeout = onTimeout
    this.start()
  }

  start(): void {
    if (this.#timeout !== undefined) return
    this.#since = performance.now()
    this.#timeout = setTimeout(this.#onTimeout, this.#left)
  }

  stop(): void {
    if (this.#timeout === undefined) return
    clearTimeout(this.#timeout)
    this.#timeout = undefined
    this.#left -= performance.now() - this.#since
  }
}

/**
 * Headers that apply to one connection, not to the message (RFC 9110 section 7.6.1; `Proxy-Connection` because proxies
 * have long sent it).
 */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Returns the headers that a proxy passes on: all except hop-by-hop headers and those that `Connection` names. Names
 * are in lower case.
 */
export function endToEnd(headers: Headers): Record<string, string | string[]> {
  const named = new Set(
    [headers.connection ?? []]
      .flat()
      .flatMap((value) => value.split(','))
      .map((name) => name.trim().toLowerCase()),
  )
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) passed[name] = value
  }
  return passed
}
