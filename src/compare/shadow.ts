import type { AskSide } from '../exchange/ask-side.ts'
import type { Exchange, ExchangeRequest } from '../exchange/exchange.ts'
import type { KnownLines } from './mapping/known-lines.ts'
import { type Observation, observation, type Reply, skipped } from './observe-exchange.ts'
import { inputOf, replyOf } from './reply-of.ts'
import type { Rollout } from './rollout/rollout.ts'

export interface ShadowOptions {
  readonly rollout: () => Rollout
  readonly askV1: AskSide
  readonly askLegacy: AskSide
  /** Why an operation is never asked at a second side (a write, a login, …); null: it is. */
  readonly whyNot: (operation: string) => 'write' | string | null
  readonly known: (operation: string) => KnownLines
  /** What v1 would be sent for a write; its status where the gateway refuses it itself, else null. */
  readonly translate: (request: ExchangeRequest, operation: string) => number | null
  /** Told of every comparison, with the exchange that it is of. */
  readonly observe: (observation: Observation, exchange: Exchange) => void
  /** Takes room for an exchange until what it returns is called; undefined: there is none. */
  readonly hold: (bytes: number) => (() => void) | undefined
  /** From 0 up to 1. */
  readonly random: () => number
}

export interface QueueState {
  readonly length: number
  readonly limit: number
  readonly running: number
  /** How many calls were to be compared and were not, since the start. */
  readonly dropped: number
}

/** Compares answers with those of the other side, beside the calls: later, and never in their way. */
export interface Shadow {
  /** Whether calls of an operation are compared at all. */
  wants(operation: string): boolean
  take(exchange: Exchange): void
  /** Counts a call of an operation that could not be kept. */
  miss(operation: string): void
  queue(): QueueState
  /** Takes nothing more, and waits until what was taken has been compared, at latest `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Larger answers would hold up the calls while they are compared; replay takes any. */
const MAX_COMPARED_BYTES = 2 * 1024 * 1024

/** What comparing takes, as a multiple of an exchange: it, the other side's answer, and both as values. */
const COMPARED_FACTOR = 4

export function openShadow(options: ShadowOptions): Shadow {
  const { rollout, whyNot, observe, hold, random } = options
  const waiting: { readonly exchange: Exchange; readonly letGo: () => void }[] = []
  /** What is not asked, and not counted yet. */
  const telling = new Set<Promise<void>>()
  let running = 0
  let dropped = 0
  let isClosed = false
  let whenIdle: (() => void) | undefined

  const work = (): void => {
    while (running < rollout().limits.concurrency) {
      const next = waiting.shift()
      if (next === undefined) break
      const { exchange, letGo } = next
      running++
      void compare(options, exchange)
        .then((seen) => observe(seen, exchange))
        .finally(() => {
          letGo()
          running--
          work()
        })
    }
    if (running === 0 && waiting.length === 0) whenIdle?.()
  }

  return {
    wants: (operation) => !isClosed && rollout().of(operation).shadow > 0,
    take(exchange) {
      const { shadow } = rollout().of(exchange.operation)
      if (isClosed || shadow === 0 || random() >= shadow) return
      const reason = whyNot(exchange.operation) ?? whyNotThis(exchange)
      if (reason !== null) {
        const told = withoutAsking(options, exchange, reason).then((seen) => observe(seen, exchange))
        telling.add(told)
        void told.finally(() => telling.delete(told))
        return
      }
      const letGo = waiting.length < rollout().limits.queue ? hold(exchange.size * COMPARED_FACTOR) : undefined
      if (letGo === undefined) dropped++
      else {
        waiting.push({ exchange, letGo })
        // The answer is written first.
        setImmediate(work)
      }
    },
    miss(operation) {
      if (!isClosed && random() < rollout().of(operation).shadow) dropped++
    },
    queue: () => ({ length: waiting.length, limit: rollout().limits.queue, running, dropped }),
    async close(graceMs) {
      isClosed = true
      await Promise.all(telling)
      if (running === 0 && waiting.length === 0) return
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve
      })
      const impatience = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([idle, impatience])
      const left = waiting.splice(0)
      for (const { letGo } of left) letGo()
      dropped += left.length
    },
  }
}

/** Each side is asked under the token that it issued itself: a token that is not ours is one side's alone. */
function whyNotThis({ credentials, size }: Exchange): string | null {
  const { v1, legacy, isOurs } = credentials
  if (isOurs && (v1 === undefined || legacy === undefined)) return 'the token holds that of one service alone'
  if (size > MAX_COMPARED_BYTES) return 'too large to be compared beside the calls'
  return isOurs || (v1 ?? legacy) === undefined ? null : 'the token is not ours'
}

async function compare({ rollout, askV1, askLegacy, known }: ShadowOptions, exchange: Exchange): Promise<Observation> {
  const { operation, request, answeredBy, credentials } = exchange
  const { timeoutMs } = rollout().limits
  const own = replyOf(exchange.answer())
  const fromLegacy = (): Promise<Reply> => replyOf(askLegacy(request, credentials.legacy, timeoutMs))
  const fromV1 = (): Promise<Reply> => replyOf(askV1(request, credentials.v1, timeoutMs))
  const control = await (answeredBy === 'legacy' ? own : fromLegacy())
  const control2 = rollout().of(operation).noise ? await fromLegacy() : undefined
  const candidate = await (answeredBy === 'v1' ? own : fromV1())
  const input = inputOf(request)
  return observation({ operation, known: known(operation), control, control2, candidate, input })
}

/**
 * A write is never sent a second time. What legacy took and the gateway itself would refuse can be told all the same, from
 * the translation alone.
 */
async function withoutAsking(
  { rollout, translate, known }: ShadowOptions,
  { operation, request, answeredBy, answer }: Exchange,
  reason: string,
): Promise<Observation> {
  const translates = reason === 'write' && rollout().of(operation).shadowWrites === 'translate-only'
  if (!translates || answeredBy !== 'legacy') return skipped(operation, reason)
  const control = await replyOf(answer())
  const status = translate(request, operation)
  if (status === null || control.status === undefined || control.status >= 400) return skipped(operation, reason)
  const candidate = { status, body: new Uint8Array() }
  return observation({ operation, known: known(operation), control, candidate, input: inputOf(request) })
}
