import { within } from '../../common/promises.ts'
import { BUSY, type Exchange, isPartial, type Missed, OVERLOADED, type SideAnswer } from '../../exchange/exchange.ts'
import type { Operation } from '../../mapping/operation.ts'
import { type AskOptions, askAndCompare, isChecked, readsAnew } from './ask-and-compare.ts'
import { type CalledList, listReader, listTurns } from './called-lists.ts'
import { type Compared, MAX_COMPARED_BYTES, notCompared } from './compare-exchange.ts'
import type { Expectations } from './expected/expectations.ts'
import { DROPPED_BY_OVERLOAD, skipped, unjudged } from './observation.ts'
import type { CopyWrites } from './writes/copy-writes.ts'

interface ShadowOptions extends AskOptions {
  readonly expectations: (operation: string) => Expectations
  /** Called after every comparison, with the exchange that was compared; undefined: it was dropped. */
  readonly observe: (compared: Compared, exchange: Exchange | undefined) => void
  /** Reserves memory for an exchange. Returns a function that releases it; undefined: not enough memory is free. */
  readonly hold: (bytes: number) => (() => void) | undefined
  /** Opens what sends writes to a copy of v1, with what to call for each; unset: there is no copy. */
  readonly openCopy?: ((tell: (compared: Compared, exchange: Exchange) => void) => CopyWrites) | undefined
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
    void askAndCompare(options, exchange)
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

  const copy = options.openCopy?.(tell)
  const inQueue = (): number => waiting.length + turns.length + (copy?.waiting ?? 0)

  return {
    take(taken) {
      if (isClosed) return
      // From here on, nothing knows the secrets of a login.
      const exchange = taken.both === undefined ? taken : { ...taken, request: taken.both.request }
      const { operation } = exchange
      const reason = whyNot(operation)
      const forCopy = reason === 'write' && copy?.takes(exchange) === true ? copy : undefined
      if (reason !== null && forCopy === undefined && !isChecked(options, exchange, reason)) {
        return tell(notCompared(skipped(operation, reason)), exchange)
      }
      // What a client has chosen to try counts for no brake, and a failure of v1 would make the verdict `not ready`.
      if (exchange.isChosen === true && exchange.failure !== undefined) {
        return tell(notCompared(skipped(operation, 'the chosen side failed')), exchange)
      }
      const problem = reason === null ? whyNotThis(options.mapping(operation), exchange) : whyTooMuch(exchange)
      if (problem !== null) return tell(notCompared(unjudged(operation, problem)), exchange)
      if ((reason === null || forCopy !== undefined) && exchange.failure === OVERLOADED)
        return lose(operation, OVERLOADED, exchange)
      const list = exchange.status < 400 ? listOf(exchange) : undefined
      // One reading of v1 is one piece of evidence, regardless of how many calls it answers.
      if (list !== undefined && !readsAnew(exchange)) return takeTurn(exchange, list)
      if (isPartial(exchange.status)) {
        return tell(notCompared(unjudged(operation, `answered with ${exchange.status}`)), exchange)
      }
      if (waiting.length + turns.length >= rollout().limits.queue) return lose(operation, 'queue full', exchange, list)
      const release = hold(exchange.size * COMPARED_FACTOR)
      if (release === undefined) lose(operation, 'memory short', exchange, list)
      else if (forCopy !== undefined) forCopy.take(exchange, release)
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
      const isCopied = copy !== undefined && rollout().of(operation).shadowWrites === 'copy'
      const never = whyNot(operation)
      const reason = (never === 'write' && isCopied ? null : never) ?? (SKIPPED.has(why) ? why : null)
      if (reason !== null) tell(notCompared(skipped(operation, reason)), undefined)
      else if (why === 'memory short' || why === OVERLOADED || why === BUSY) lose(operation, why)
      else tell(notCompared(unjudged(operation, why)), undefined)
    },
    queue: () => ({
      ...{ length: inQueue(), limit: rollout().limits.queue, dropped },
      running: running + (copy?.running ?? 0),
    }),
    notDrawn: (operation) => notDrawn.get(operation) ?? 0,
    async close(graceMs) {
      isClosed = true
      const copied = copy?.close(graceMs)
      if (running === 0 && waiting.length === 0 && turns.length === 0) return copied
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve
      })
      // This keeps the process alive: while the other thread compares answers, nothing else might.
      await within(graceMs, idle)
      for (const one of [...waiting.splice(0), ...turns.clear()]) drop(one, 'the gateway stopped')
      await copied
    },
  }
}

/** What is not to be compared, for the call itself asks for no answer that could be. */
const SKIPPED: ReadonlySet<string> = new Set<Missed>(['HEAD', 'refused in a brownout'])

/** Returns an exchange that keeps nothing of its answer alive. */
function withoutAnswer(exchange: Exchange): Exchange {
  const answer = async (): Promise<SideAnswer> => {
    throw new Error('the answer was not kept')
  }
  return { ...exchange, answeredBy: 'v1', isCached: true, answer }
}

/**
 * Returns why this exchange cannot be compared; null: it can. Each side gets the token that it issued; a token that the gateway
 * did not seal belongs to one side only. A login was sent to both, and is never sent again.
 */
function whyNotThis({ login }: Pick<Operation, 'login'>, exchange: Exchange): string | null {
  if (login !== undefined) return exchange.both === undefined ? 'legacy was not asked' : whyTooMuch(exchange)
  const { v1, legacy, isOurs } = exchange.credentials
  if (isOurs && (v1 === undefined || legacy === undefined)) return 'the token holds the credentials of one service only'
  const tooMuch = whyTooMuch(exchange)
  if (tooMuch !== null) return tooMuch
  return isOurs || (v1 ?? legacy) === undefined ? null : 'the token is not ours'
}

const whyTooMuch = ({ size }: Exchange): string | null => (size > MAX_COMPARED_BYTES ? 'too large' : null)
