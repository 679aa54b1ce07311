import { hash } from 'node:crypto'
import type { AskSide } from '../exchange/ask-side.ts'
import { type Exchange, type Missed, OVERLOADED } from '../exchange/exchange.ts'
import type { AnsweredExchange, Compared, Comparing } from './compare-exchange.ts'
import { type AskAgain, observeAndConfirm } from './confirm.ts'
import type { Expectations } from './expected/expectations.ts'
import { DROPPED_BY_OVERLOAD, type Observation, skipped, unjudged } from './observe-exchange.ts'
import { type AnewPace, anewPace } from './read-anew.ts'
import type { Reply } from './read-reply.ts'
import { replyOf } from './reply-of.ts'
import type { Rollout } from './rollout/rollout.ts'
import { NOTHING_SHOWN } from './show-values.ts'

export interface ShadowOptions {
  readonly rollout: () => Rollout
  /** Asks v1 itself: lists never come from the cache. */
  readonly askV1: AskSide
  readonly askLegacy: AskSide
  /** Why an operation is never sent to a second side (a write, a login, …); null: it is sent. */
  readonly whyNot: (operation: string) => 'write' | string | null
  readonly expectations: (operation: string) => Expectations
  /** Compares answers and checks writes in a thread of its own. */
  readonly comparing: Pick<Comparing, 'compare' | 'checkWrite'>
  /** Called after every comparison, with the exchange that was compared; undefined: it was dropped. */
  readonly observe: (compared: Compared, exchange: Exchange | undefined) => void
  /** Reserves memory for an exchange. Returns a function that releases it; undefined: not enough memory is free. */
  readonly hold: (bytes: number) => (() => void) | undefined
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number
}

export interface QueueState {
  readonly length: number
  readonly limit: number
  readonly running: number
  /** Calls since the gateway started that should have been compared and were not. */
  readonly dropped: number
}

/** Compares answers with the other side's after the calls, without delaying them. */
export interface Shadow {
  /** Whether calls of an operation are compared at all. */
  wants(operation: string): boolean
  take(exchange: Exchange): void
  /** Counts a call that is no exchange, and so cannot be compared. */
  miss(operation: string, why: Missed): void
  queue(): QueueState
  /** Takes no more exchanges and waits for the comparisons under way, for at most `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** A larger exchange, or a larger answer of the other side, is not compared: it would take too much memory. Replay has no such limit. */
const MAX_COMPARED_BYTES = 2 * 1024 * 1024

/** The processor time that comparing an exchange may take, because others wait meanwhile. */
const BUDGET_MS = 250

/** The memory that a comparison takes, in exchange sizes: first and second answers of both sides, as bytes and as values. */
const COMPARED_FACTOR = 8

export function openShadow(options: ShadowOptions): Shadow {
  const { rollout, whyNot, observe, hold, random } = options
  const pace = anewPace(options.now)
  const waiting: { readonly exchange: Exchange; readonly release: () => void }[] = []
  let running = 0
  let dropped = 0
  let isClosed = false
  let whenIdle: (() => void) | undefined

  const work = (): void => {
    while (running < rollout().limits.concurrency) {
      const next = waiting.shift()
      if (next === undefined) break
      const { exchange, release } = next
      running++
      void compare(options, pace, exchange)
        .then((result) => {
          if (result.reason === DROPPED_BY_OVERLOAD) dropped++
          observe(result, exchange)
        })
        .finally(() => {
          release()
          running--
          work()
        })
    }
    if (running === 0 && waiting.length === 0) whenIdle?.()
  }

  const drop = (operation: string, why: string): void => {
    dropped++
    observe(notCompared(unjudged(operation, `dropped: ${why}`)), undefined)
  }

  return {
    wants: (operation) => !isClosed && rollout().of(operation).shadow > 0,
    take(exchange) {
      const { shadow } = rollout().of(exchange.operation)
      if (isClosed || shadow === 0 || random() >= shadow) return
      const reason = whyNot(exchange.operation)
      if (reason !== null && !isChecked(options, exchange, reason)) {
        return observe(notCompared(skipped(exchange.operation, reason)), exchange)
      }
      const problem = (reason === null ? whyNotThis : whyTooMuch)(exchange)
      if (problem !== null) return observe(notCompared(unjudged(exchange.operation, problem)), exchange)
      if (reason === null && exchange.failure === OVERLOADED) return drop(exchange.operation, OVERLOADED)
      if (waiting.length >= rollout().limits.queue) return drop(exchange.operation, 'queue full')
      const release = hold(exchange.size * COMPARED_FACTOR)
      if (release === undefined) drop(exchange.operation, 'memory short')
      else {
        waiting.push({ exchange, release })
        // The client's answer is written first.
        setImmediate(work)
      }
    },
    miss(operation, why) {
      if (isClosed || random() >= rollout().of(operation).shadow) return
      const reason = whyNot(operation)
      if (reason !== null) observe(notCompared(skipped(operation, reason)), undefined)
      else if (why === 'memory short' || why === OVERLOADED) drop(operation, why)
      else observe(notCompared(unjudged(operation, why)), undefined)
    },
    queue: () => ({ length: waiting.length, limit: rollout().limits.queue, running, dropped }),
    async close(graceMs) {
      isClosed = true
      if (running === 0 && waiting.length === 0) return
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve
      })
      // Keeps the process alive: while the other thread compares answers, nothing else might.
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs)
      })
      await Promise.race([idle, timeout])
      clearTimeout(timer)
      for (const { exchange, release } of waiting.splice(0)) {
        release()
        drop(exchange.operation, 'the gateway stopped')
      }
    },
  }
}

/**
 * Returns why this exchange cannot be compared; null: it can. Each side gets the token that it issued; a token that the gateway
 * did not seal belongs to one side only.
 */
function whyNotThis(exchange: Exchange): string | null {
  const { v1, legacy, isOurs } = exchange.credentials
  if (isOurs && (v1 === undefined || legacy === undefined)) return 'the token holds the credentials of one service only'
  const tooMuch = whyTooMuch(exchange)
  if (tooMuch !== null) return tooMuch
  return isOurs || (v1 ?? legacy) === undefined ? null : 'the token is not ours'
}

const whyTooMuch = ({ size }: Exchange): string | null => (size > MAX_COMPARED_BYTES ? 'too large' : null)

async function compare(options: ShadowOptions, pace: AnewPace, exchange: Exchange): Promise<Compared> {
  const { operation, request, answeredBy, isKept } = exchange
  if (options.whyNot(operation) !== null) return checkOnly(options, exchange)
  const { response, inputOf } = options.expectations(operation)
  const isList = response.kind === 'whole-list'
  // One reading of v1 is one piece of evidence, regardless of how many calls it answers.
  if (!isList || (answeredBy === 'v1' && !isKept)) return compareAnswers(options, exchange)
  const readAnew = pace.begin(hash('sha256', `${operation} ${inputOf(request)}`))
  if (readAnew === undefined) return notCompared(skipped(operation, 'a cached list that was just compared'))
  return compareAnswers(options, exchange).finally(readAnew)
}

async function compareAnswers(
  { rollout, askV1, askLegacy, comparing }: ShadowOptions,
  exchange: Exchange,
): Promise<Compared> {
  const { operation, request, answeredBy, isKept, credentials } = exchange
  const { timeoutMs } = rollout().limits
  const { noise, confirm } = rollout().of(operation)
  const own = replyOf(exchange.answer())
  const askAgain: AskAgain = {
    control: () => replyOf(askLegacy(request, credentials.legacy, timeoutMs)),
    candidate: () => replyOf(askV1(request, credentials.v1, timeoutMs)),
  }
  const candidateWasFirst = answeredBy === 'v1' && !isKept
  const control = await (answeredBy === 'legacy' ? own : askAgain.control())
  const candidate = await (candidateWasFirst ? own : askAgain.candidate())
  const control2 = noise && control.status !== undefined ? await askAgain.control() : undefined
  return observeAndConfirm<AnsweredExchange, Compared>(
    {
      ...{ operation, request, client: exchange.client, at: exchange.at, budgetMs: BUDGET_MS },
      rolloutClient: exchange.rolloutClient(),
      ...{ countedClient: exchange.countedClient, facts: exchange.facts() },
      ...{ control, candidate, control2, candidateWasFirst },
    },
    confirm ? askAgain : undefined,
    async (answered) =>
      isTooLarge(answered) ? notCompared(unjudged(operation, 'too large')) : comparing.compare(answered),
  )
}

const isTooLarge = ({ control, candidate, control2, candidate2 }: AnsweredExchange): boolean =>
  [control, candidate, control2, candidate2].some((reply) => reply !== undefined && sizeOf(reply) > MAX_COMPARED_BYTES)

const sizeOf = (reply: Reply): number => (reply.status === undefined ? 0 : reply.body.length)

const notCompared = (observation: Observation): Compared => ({ ...observation, shown: NOTHING_SHOWN })

/** Whether a call that is never sent to a second side is still checked: a write that legacy has answered. */
const isChecked = ({ rollout }: ShadowOptions, { operation, answeredBy }: Exchange, reason: string): boolean =>
  reason === 'write' && answeredBy === 'legacy' && rollout().of(operation).shadowWrites === 'translate-only'

/** Checks a write without asking the other side. */
async function checkOnly({ comparing }: ShadowOptions, exchange: Exchange): Promise<Compared> {
  const { operation, request, client, at } = exchange
  const answer = await replyOf(exchange.answer())
  if (sizeOf(answer) > MAX_COMPARED_BYTES) return notCompared(unjudged(operation, 'too large'))
  return comparing.checkWrite({ operation, request, answer, client, at, budgetMs: BUDGET_MS })
}
