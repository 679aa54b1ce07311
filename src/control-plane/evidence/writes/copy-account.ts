import type { AskSide, ExchangeRequest, SideAnswer } from '../../../exchange/exchange.ts'
import { type Reply, replyOf } from '../reply.ts'

/** The copy's answer to a request, or why it gave none that says anything about v1. */
export type CopyReply = Reply | { readonly problem: string }

/** The gateway's account at the copy of v1. It logs in when it must, and again when its token has expired. */
export interface CopyAccount {
  /**
   * Sends a request to the copy once. It is sent a second time in one case: the copy refused the token with 401, so it has not carried the
   * request out, and gave a new token. Never rejects.
   */
  ask(request: ExchangeRequest, timeoutMs: number): Promise<CopyReply>
}

interface AccountOptions {
  /** Asks the copy. */
  readonly ask: AskSide
  /** The legacy request that logs in, and how to find the token in the answer to it; undefined: it has none. */
  readonly login: { readonly request: ExchangeRequest; tokenIn(answer: SideAnswer): string | undefined }
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number
}

const UNAUTHORIZED = 401
/** After a login that failed, the copy is left alone for so long: an account may be locked after a few. */
const LEFT_ALONE_MS = 10_000

const REFUSED = 'refused the account'

/** Statuses of a service that is not there, or asks for less: of these, nothing is said about the request. */
const DOWN: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** Failures that say something about v1's answer, rather than that there is none. */
const OF_THE_ANSWER: ReadonlySet<string> = new Set(['malformed', 'too-large'])

export function openCopyAccount({ ask, login, now }: AccountOptions): CopyAccount {
  let token: string | undefined
  let loggingIn: Promise<string | undefined> | undefined
  let failed: { readonly why: string; readonly at: number } | undefined

  /** Gets a token in place of `used`, unless that has happened meanwhile. Returns why there is none; undefined: there is one. */
  const renew = (used: string | undefined, timeoutMs: number): Promise<string | undefined> => {
    if (token !== undefined && token !== used) return Promise.resolve(undefined)
    if (failed !== undefined && now() - failed.at < LEFT_ALONE_MS) return Promise.resolve(failed.why)
    loggingIn ??= logIn(timeoutMs)
      .then((outcome) => {
        token = outcome.token
        failed = outcome.why === undefined ? undefined : { why: outcome.why, at: now() }
        return outcome.why
      })
      .finally(() => {
        loggingIn = undefined
      })
    return loggingIn
  }

  const logIn = async (timeoutMs: number): Promise<{ readonly token?: string; readonly why?: string }> => {
    let given: string | undefined
    const reply = await replyOf(
      ask(login.request, undefined, timeoutMs, 'copy').then((answer) => {
        given = login.tokenIn(answer)
        return answer
      }),
    )
    const why = whyUnanswered(reply)
    if (why !== undefined) return { why }
    if (reply.failure !== undefined) return { why: reply.failure }
    return given === undefined ? { why: REFUSED } : { token: given }
  }

  return {
    async ask(request, timeoutMs) {
      const send = (): Promise<Reply> => replyOf(ask(request, `Bearer ${token}`, timeoutMs, 'copy'))
      if (token === undefined) {
        const why = await renew(undefined, timeoutMs)
        if (why !== undefined) return { problem: why }
      }
      const used = token
      let reply = await send()
      if (reply.status === UNAUTHORIZED) {
        const why = await renew(used, timeoutMs)
        if (why !== undefined) return { problem: why }
        reply = await send()
        if (reply.status === UNAUTHORIZED) {
          failed = { why: REFUSED, at: now() }
          return { problem: REFUSED }
        }
      }
      const why = whyUnanswered(reply)
      return why === undefined ? reply : { problem: why }
    },
  }
}

/** Says why a reply tells nothing about the request; undefined: it does. */
function whyUnanswered(reply: Reply): string | undefined {
  if (reply.status === undefined) return OF_THE_ANSWER.has(reply.failure) ? undefined : reply.failure
  const status = reply.v1Answer?.status ?? reply.status
  if (DOWN.has(status)) return String(status)
  // The status that v1 itself answered is kept with its answer, so what has none was not answered.
  return reply.failure !== undefined && reply.v1Answer === undefined && !OF_THE_ANSWER.has(reply.failure)
    ? reply.failure
    : undefined
}
