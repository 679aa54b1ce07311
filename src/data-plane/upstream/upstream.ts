import type { IncomingHttpHeaders } from 'node:http'
import type { Connecting } from './connector.ts'
import { decodeWithin, withoutMark } from './decode-body.ts'
import { endOfTurn } from './end-of-turn.ts'
import { type GuardedRequest, MOST_OF_LANE } from './guard.ts'
import type { Account } from './memory-budget.ts'
import { openPool } from './open-pool.ts'
import { AnswerReceiver, type ReceivedAnswer } from './receive-answer.ts'
import { slowDowns } from './slow-down.ts'
import { isBug, toUpstreamError } from './upstream-error.ts'

/**
 * A call of a service. If its `caller` disconnects, a read is given up. A call that may change something is completed
 * once it has been sent.
 */
export interface UpstreamRequest extends GuardedRequest {
  readonly method: 'GET' | 'POST'
  /** From the root of the interface, with its query. The base URL's path prefix is added. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Uint8Array | undefined
  /** Whether the call is a read. A read is sent a second time if its connection died before an answer began. */
  readonly repeatable: boolean
  /** A shorter time-out than the upstream's own; ms. */
  readonly timeoutMs?: number | undefined
  /**
   * The account that a large answer takes memory from, which the caller must release. Undefined: memory is not counted.
   */
  readonly account?: Account | undefined
}

export interface UpstreamAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Without content codings and without a byte order mark. */
  readonly body: Uint8Array
  /** From the first byte sent to the last one read. */
  readonly milliseconds: number
}

/** One service behind the gateway. */
export interface Upstream {
  /**
   * Makes one call and reads the whole answer. Does not follow redirects.
   * @throws UpstreamError if there is no readable answer; SlowDown if the service wants no calls now that are no client's; the
   * caller's `gone` if the caller disconnected; a bug as it was thrown.
   */
  call(request: UpstreamRequest): Promise<UpstreamAnswer>
  /** Ends calls under way as `unreachable`, and closes all connections. */
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** May have a path prefix, which is part of every call's path. */
  readonly baseUrl: URL
  readonly connecting?: Connecting | undefined
  /** Sent with every call. A call's own headers take precedence. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** For one call up to the last byte of its answer, including a repetition. */
  readonly timeoutMs: number
  /** Larger answers are `too-large`; bytes, counted before and after decoding. */
  readonly maxAnswerBytes?: number
  /** The maximum for reads, and the same again for everything else, so that hanging writes do not block reads. */
  readonly connections?: number | undefined
}

/** The default limit for an answer. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Opens pools of kept-alive connections to an upstream. */
export function openUpstream({
  baseUrl,
  connecting,
  headers: defaultHeaders,
  timeoutMs,
  maxAnswerBytes = MAX_ANSWER_BYTES,
  connections = MOST_OF_LANE,
}: UpstreamOptions): Upstream {
  const prefix = baseUrl.pathname.replace(/\/+$/, '')
  const pools = { baseUrl, connecting, connections, connectTimeoutMs: timeoutMs }
  const reads = openPool({ ...pools, repeats: true })
  const others = openPool({ ...pools, repeats: false })
  const slowDown = slowDowns(connecting?.leftAlone)

  return {
    async call(request) {
      slowDown.check(request)
      const { repeatable, account, asking } = request
      const caller = repeatable ? request.caller : undefined
      if (caller?.gone !== undefined) throw caller.gone
      const started = performance.now()
      const pool = repeatable ? reads : others
      const sent = {
        method: request.method,
        path: prefix + request.path,
        headers: defaultHeaders === undefined ? request.headers : { ...defaultHeaders, ...request.headers },
        body: request.body ?? null,
      }
      const { promise: answer, resolve: answered, reject: failed } = Promise.withResolvers<ReceivedAnswer>()
      const askAgain = repeatable ? (again: AnswerReceiver) => void pool.dispatch(sent, again) : undefined
      const receiver = new AnswerReceiver({ answered, failed }, { limit: maxAnswerBytes, askAgain, account, asking })
      const limitMs = Math.min(request.timeoutMs ?? timeoutMs, timeoutMs)
      const timeout = setTimeout(expire, limitMs, receiver, limitMs)
      const giveUp = (reason: Error): void => receiver.giveUp(reason)
      caller?.onGone(giveUp)
      try {
        pool.dispatch(sent, receiver)
      } catch (bug) {
        receiver.giveUp(bug as Error)
      }
      let received: ReceivedAnswer
      try {
        received = await answer
      } catch (error) {
        throw error === caller?.gone || isBug(error) ? error : toUpstreamError(error)
      } finally {
        clearTimeout(timeout)
        caller?.offGone(giveUp)
      }
      const milliseconds = performance.now() - started
      await endOfTurn()
      const { status, headers, body } = received
      slowDown.heed(request, received)
      const coding = headers['content-encoding']
      const decoded = coding === undefined ? body : await decodeWithin(body, String(coding), maxAnswerBytes, account)
      return { status, headers, body: withoutMark(decoded), milliseconds }
    },
    async close() {
      await Promise.all([reads.destroy(), others.destroy()])
    },
  }
}

const expire = (receiver: AnswerReceiver, limitMs: number): void => receiver.expire(limitMs)
