import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from './answer-room.ts'
import type { Caller } from './caller.ts'
import type { Connecting } from './connector.ts'
import { withoutMark } from './decode-body.ts'
import { decodeWithin } from './decode-within.ts'
import { endOfTurn } from './end-of-turn.ts'
import { openPool } from './open-pool.ts'
import { AnswerReceiver, type ReceivedAnswer } from './receive-answer.ts'
import type { Asker } from './slots.ts'
import { isBug, toUpstreamError, UpstreamError } from './upstream-error.ts'

/**
 * Its `caller` waits for the answer. When nobody does any more a read is given up; whatever may do something is finished once it
 * has been sent.
 */
export interface UpstreamRequest extends Asker {
  readonly method: 'GET' | 'POST'
  /** From the root of the interface, with its query; the base URL's path prefix is put before it. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  /** Whether it is a read: it may be asked a second time when the connection died before an answer began. */
  readonly repeatable: boolean
  /** Less time than the upstream's own; ms. */
  readonly timeoutMs?: number | undefined
  /** Whose memory a large answer takes; undefined: nobody counts it. It is the caller's to let go of. */
  readonly account?: Account | undefined
}

export interface UpstreamAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Without content codings and a byte order mark. */
  readonly body: Uint8Array
  /** From the first byte sent to the last one read. */
  readonly milliseconds: number
}

/** One service behind the gateway. */
export interface Upstream {
  /**
   * Makes one call and reads the answer whole; redirects are not followed.
   * @throws UpstreamError when there is no answer that could be read; `gone` of a caller who is; a bug as it was thrown.
   */
  call(request: UpstreamRequest): Promise<UpstreamAnswer>
  /** Ends what is still under way, as `unreachable`, and closes all connections. */
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** May have a path prefix, which no call leaves. */
  readonly baseUrl: URL
  readonly connecting?: Connecting | undefined
  /** Sent with every call, unless it has its own; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** For one call to its last byte, a repetition included. */
  readonly timeoutMs: number
  /** Larger answers are `too-large`; bytes, counted before and after decoding. */
  readonly maxAnswerBytes?: number
  /** Connections at most for reads, and as many for everything else, so that hanging writes do not hold up reads. */
  readonly connections?: number | undefined
}

/** What is read whole at most, unless told. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Opens a pool of kept-alive connections to an upstream. */
export function openUpstream({
  baseUrl,
  connecting,
  headers: everyCalls,
  timeoutMs,
  maxAnswerBytes = MAX_ANSWER_BYTES,
  connections = 128,
}: UpstreamOptions): Upstream {
  const prefix = baseUrl.pathname.replace(/\/+$/, '')
  const pools = { baseUrl, connecting, connections, connectTimeoutMs: timeoutMs }
  const reads = openPool({ ...pools, repeats: true })
  const others = openPool({ ...pools, repeats: false })

  return {
    async call(request) {
      const { repeatable, account } = request
      const caller = repeatable ? request.caller : undefined
      if (caller?.gone !== undefined) throw caller.gone
      const started = performance.now()
      const pool = repeatable ? reads : others
      const sent = {
        method: request.method,
        path: prefix + request.path,
        headers: everyCalls === undefined ? request.headers : { ...everyCalls, ...request.headers },
        body: request.body ?? null,
      }
      const { promise: answer, resolve: answered, reject: failed } = Promise.withResolvers<ReceivedAnswer>()
      const askAgain = repeatable ? (again: AnswerReceiver) => void pool.dispatch(sent, again) : undefined
      const receiver = new AnswerReceiver({ answered, failed }, { limit: maxAnswerBytes, askAgain, account })
      const waitNoMore = giveUpInTime(receiver, caller, Math.min(request.timeoutMs ?? timeoutMs, timeoutMs))
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
        waitNoMore()
      }
      const milliseconds = performance.now() - started
      await endOfTurn()
      const { status, headers, body } = received
      const coding = headers['content-encoding']
      const decoded =
        coding === undefined ? body : await decodeWithin(body, String(coding), maxAnswerBytes, account, timeoutMs)
      return { status, headers, body: withoutMark(decoded), milliseconds }
    },
    async close() {
      await Promise.all([reads.destroy(), others.destroy()])
    },
  }
}

/** Gives an answer up when it is not there in time, or when its caller goes; returns what ends the wait. */
function giveUpInTime(receiver: AnswerReceiver, caller: Caller | undefined, patienceMs: number): () => void {
  const tooLate = (): Error =>
    receiver.lacksRoom ? receiver.expire() : new UpstreamError('timeout', `no whole answer within ${patienceMs} ms`)
  const timeout = setTimeout(() => receiver.giveUp(tooLate()), patienceMs)
  const forget = caller?.onGone((reason) => receiver.giveUp(reason))
  return () => {
    clearTimeout(timeout)
    forget?.()
  }
}
