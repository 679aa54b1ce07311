import { within } from '../../common/promises.ts'
import {
  type AskSide,
  BUSY,
  type Exchange,
  isPartial,
  type Missed,
  OVERLOADED,
  type SideAnswer,
} from '../../exchange/exchange.ts'
import { versionOf } from '../../mapping/corrections/corrected-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Rollout } from '../rollout/rollout.ts'
import { type CalledList, listReader, listTurns } from './called-lists.ts'
import { type AskAgain, observeAndConfirm } from './compare-answers.ts'
import type { AnsweredExchange, Compared, Comparing } from './compare-exchange.ts'
import { NOTHING_SHOWN } from './examples.ts'
import type { Expectations } from './expected/expectations.ts'
import { DROPPED_BY_OVERLOAD, MAPPING_CHANGED, type Observation, skipped, unjudged } from './observation.ts'
import type { Reply } from './reply.ts'
import { replyOf } from './reply.ts'

interface ShadowOptions {
  readonly rollout: () => Rollout
  /** Asks v1 itself: lists never come from the cache. */
  readonly askV1: AskSide
  readonly askLegacy: AskSide
  /** Why an operation is never sent to a second side (a write, a login, …); null: it is sent. */
  readonly whyNot: (operation: string) => 'write' | string | null
  readonly expectations: (operation: string) => Expectations
  /** Returns an operation's mapping: another object when it was corrected. */
  readonly mapping: (operation: string) => Operation
  /** Compares answers and checks writes in a thread of its own. */
  readonly comparing: Pick<Comparing, 'compare' | 'checkWrite'>
  /** Called after every comparison, with the exchange that was compared; undefined: it was dropped. */
  readonly observe: (compared: Compared, exchange: Exchange | undefined) => void
  /** Reserves memory for an exchange. Returns a function that releases it; undefined: not enough memory is free. */
  readonly hold: (bytes: number) => (() => void) | undefined
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number
}

export interface QueueState {
  /** Calls that wait. Those that wait for the turn of their list may be half of the limit. */
  readonly length: number
  readonly limit: number
  readonly running: number
  /** Calls since the gateway started that should have been compared and were not. */
  readonly dropped: number
}

/** Compares answers with the other side's after the calls, without delaying them. */
interface Shadow {
  /** Takes an exchange that was drawn for comparison. */
  take(exchange: Exchange): void
  /** Counts calls of an operation that were not drawn. */
  passOver(operation: string, calls: number): void
  /** Counts a drawn call that is no exchange, and so cannot be compared. */
  miss(operation: string, why: Missed): void
  queue(): QueueState
  /** Returns how many calls of an operation were not selected for comparison since its last observation. */
  notDrawn(operation: string): number
  /** Takes no more exchanges and waits for the comparisons under way, for at most `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** A larger exchange, or a larger answer of the other side, is not compared: it would take too much memory. Replay has no such limit. */
const MAX_COMPARED_BYTES = 2 * 1024 * 1024

/** The processor time that comparing an exchange may take, because others wait meanwhile. */
const BUDGET_MS = 250

/** The memory that a comparison takes, in exchange sizes: first and second answers of both sides, as bytes and as values. */
const COMPARED_FACTOR = 8

/** A call that is to be compared. */
interface Waiting {
  readonly exchange: Exchange
  /** Releases its memory; undefined: none is held yet. */
  readonly release: (() => void) | undefined
  /** The list that it asked for; undefined: it asked for none. */
  readonly list: CalledList | undefined
}

export function openShadow(options: ShadowOptions): Shadow {
  const { rollout, whyNot, observe, hold, now } = options
  const listOf = listReader(options.expectations)
  const waiting: Waiting[] = []
  const turns = listTurns<Waiting>(now, (one) => drop(one, 'too many lists'))
  /** Calls that were not selected, by operation, since its last observation. */
  const notDrawn = new Map<string, number>()
  let running = 0
  let dropped = 0
  let isClosed = false
  /** Whether a list came last. Where lists and other calls wait, they alternate. */
  let wasList = false
  let whenIdle: (() => void) | undefined

  const work = (): void => {
    while (running < rollout().limits.concurrency) {
      const list = wasList && waiting.length > 0 ? undefined : turns.next()
      const next = list ?? waiting.shift()
      if (next === undefined) break
      wasList = list !== undefined
      run(next, wasList)
    }
    if (running === 0 && waiting.length === 0) whenIdle?.()
  }

  const run = (next: Waiting, isTurn: boolean): void => {
    const { exchange, list } = next
    const release = next.release ?? hold(exchange.size * COMPARED_FACTOR)
    if (release === undefined) {
      turns.ended()
      drop(next, 'memory short')
      return
    }
    running++
    void compare(options, exchange)
      .then((result) => {
        if (result.reason === DROPPED_BY_OVERLOAD) dropped++
        tell(result, exchange, list)
      })
      .finally(() => {
        release()
        running--
        if (isTurn) turns.ended()
        work()
      })
  }

  /** Counts an exchange, together with the calls before it that were not selected. */
  const tell = (compared: Compared, exchange: Exchange | undefined, list?: CalledList): void => {
    const passedOver = notDrawn.get(compared.operation)
    if (passedOver !== undefined) notDrawn.delete(compared.operation)
    const more = {
      ...(passedOver !== undefined && { notDrawn: passedOver }),
      ...(list !== undefined && exchange !== undefined && { list: { ...list, at: exchange.at.getTime() } }),
    }
    observe({ ...compared, ...more }, exchange)
  }

  const lose = (operation: string, why: string, exchange?: Exchange, list?: CalledList): void => {
    dropped++
    tell(notCompared(unjudged(operation, `dropped: ${why}`)), exchange, list)
  }

  const drop = ({ exchange, release, list }: Waiting, why: string): void => {
    release?.()
    lose(exchange.operation, why, exchange, list)
  }

  /** Lets a call wait for the turn of its list. Skips it if the list has its turn anyway, or just had it. */
  const takeTurn = (exchange: Exchange, list: CalledList): void => {
    const isFree = turns.length === 0 && !turns.isReading
    const release = isFree ? hold(exchange.size * COMPARED_FACTOR) : undefined
    // A call that has to wait keeps no memory: both sides are asked when its turn comes.
    const one = { exchange: release === undefined ? withoutAnswer(exchange) : exchange, release, list }
    const most = Math.ceil(rollout().limits.queue / 2)
    const noTurn = turns.add(list.id, exchange.client, one, most)
    if (noTurn === undefined) setImmediate(work)
    else {
      release?.()
      tell(notCompared(skipped(exchange.operation, noTurn)), exchange, list)
    }
  }

  return {
    take(exchange) {
      if (isClosed) return
      const { operation } = exchange
      const reason = whyNot(operation)
      if (reason !== null && !isChecked(options, exchange, reason)) {
        return tell(notCompared(skipped(operation, reason)), exchange)
      }
      const problem = (reason === null ? whyNotThis : whyTooMuch)(exchange)
      if (problem !== null) return tell(notCompared(unjudged(operation, problem)), exchange)
      if (reason === null && exchange.failure === OVERLOADED) return lose(operation, OVERLOADED, exchange)
      const list = exchange.status < 400 ? listOf(exchange) : undefined
      // One reading of v1 is one piece of evidence, regardless of how many calls it answers.
      if (list !== undefined && !readsAnew(exchange)) return takeTurn(exchange, list)
      if (isPartial(exchange.status)) {
        return tell(notCompared(unjudged(operation, `answered with ${exchange.status}`)), exchange)
      }
      if (waiting.length + turns.length >= rollout().limits.queue) return lose(operation, 'queue full', exchange, list)
      const release = hold(exchange.size * COMPARED_FACTOR)
      if (release === undefined) lose(operation, 'memory short', exchange, list)
      else {
        waiting.push({ exchange, release, list })
        // The client's answer is written first.
        setImmediate(work)
      }
    },
    passOver(operation, calls) {
      notDrawn.set(operation, (notDrawn.get(operation) ?? 0) + calls)
    },
    miss(operation, why) {
      if (isClosed) return
      const reason = whyNot(operation) ?? (SKIPPED.has(why) ? why : null)
      if (reason !== null) tell(notCompared(skipped(operation, reason)), undefined)
      else if (why === 'memory short' || why === OVERLOADED || why === BUSY) lose(operation, why)
      else tell(notCompared(unjudged(operation, why)), undefined)
    },
    queue: () => ({ length: waiting.length + turns.length, limit: rollout().limits.queue, running, dropped }),
    notDrawn: (operation) => notDrawn.get(operation) ?? 0,
    async close(graceMs) {
      isClosed = true
      if (running === 0 && waiting.length === 0 && turns.length === 0) return
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve
      })
      // This keeps the process alive: while the other thread compares answers, nothing else might.
      await within(graceMs, idle)
      for (const one of [...waiting.splice(0), ...turns.clear()]) drop(one, 'the gateway stopped')
    },
  }
}

/** What is not to be compared, for the call itself asks for no answer that could be. */
const SKIPPED: ReadonlySet<string> = new Set<Missed>(['HEAD', 'refused in a brownout'])

/** Whether v1 was read for this very call, so that its answer is a new piece of evidence. */
const readsAnew = ({ answeredBy, isCached, status }: Exchange): boolean =>
  answeredBy === 'v1' && !isCached && !isPartial(status)

/** Returns an exchange that keeps nothing of its answer alive. */
function withoutAnswer(exchange: Exchange): Exchange {
  const answer = async (): Promise<SideAnswer> => {
    throw new Error('the answer was not kept')
  }
  return { ...exchange, answeredBy: 'v1', isCached: true, answer }
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

/** Compares an exchange, unless its operation's mapping has changed since v1's answer was translated, or changes meanwhile. */
async function compare(options: ShadowOptions, exchange: Exchange): Promise<Compared> {
  const { operation, version } = exchange
  const { mapping, whyNot } = options
  const before = mapping(operation)
  const changed = notCompared(skipped(operation, MAPPING_CHANGED))
  if (readsAnew(exchange) && version !== versionOf(before)) return changed
  const compared = await (whyNot(operation) === null ? compareAnswers(options, exchange) : checkOnly(options, exchange))
  return mapping(operation) === before ? compared : changed
}

async function compareAnswers(
  { rollout, askV1, askLegacy, comparing }: ShadowOptions,
  exchange: Exchange,
): Promise<Compared> {
  const { operation, request, answeredBy, credentials, status } = exchange
  const { timeoutMs } = rollout().limits
  const { noise, confirm } = rollout().of(operation)
  const isWhole = !exchange.isCached && !isPartial(status)
  const own = isWhole ? replyOf(exchange.answer()) : undefined
  const askAgain: AskAgain = {
    control: () => replyOf(askLegacy(request, credentials.legacy, timeoutMs)),
    candidate: () => replyOf(askV1(request, credentials.v1, timeoutMs)),
  }
  const candidateWasFirst = own !== undefined && answeredBy === 'v1'
  const control = await (own !== undefined && answeredBy === 'legacy' ? own : askAgain.control())
  const candidate = await (candidateWasFirst ? own : askAgain.candidate())
  const control2 = noise && control.status !== undefined ? await askAgain.control() : undefined
  return observeAndConfirm<AnsweredExchange, Compared>(
    {
      ...{ operation, request, client: exchange.client, at: exchange.at, budgetMs: BUDGET_MS },
      rolloutClient: exchange.rolloutClient,
      ...{ countedClient: exchange.countedClient, facts: exchange.facts },
      ...{ control, candidate, control2, candidateWasFirst, answeredWith: status },
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
