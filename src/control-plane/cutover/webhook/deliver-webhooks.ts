import type { Logger } from 'pino'
import { DAY_MS } from '../../../common/time.ts'
import { StateError } from '../../store/state-error.ts'
import type { OutboxMessage } from '../audit.ts'
import type { CutoverLease, CutoverStore } from '../cutover-store.ts'
import { type Post, sendMessage } from './send-message.ts'

export interface WebhookParts {
  readonly store: Pick<CutoverStore, 'lease' | 'due' | 'settle'>
  readonly post: Post
  /** The receiver's name in the log: only its origin, because the rest of its URL may be secret. */
  readonly receiver: string
  /** The key that signs bodies. */
  readonly secret: string
  readonly log: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>
  /** The time since the epoch, ms. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  /** Waits. May reject when `signal` is aborted. */
  readonly after: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
  /** How often to look for messages. */
  readonly everyMs?: number | undefined
}

export interface Webhooks {
  counts(): WebhookCounts
  /** Starts no more attempts, and gives those under way `graceMs` to end. Leaves unsent messages to the next process. */
  close(graceMs: number): Promise<void>
}

/** How often to look for messages. So each operation sends at most one per second, as chat systems require. */
const EVERY_MS = 1_000
/** How many messages are sent at a time. */
export const WEBHOOKS_AT_ONCE = 4

/**
 * Sends the messages of the outbox while this process holds the lease: at least once, and in order within each operation. A message
 * that is not taken is sent again after growing pauses, until the store gives it up after a day. Nothing waits for delivery.
 */
export function deliverWebhooks(parts: WebhookParts): Webhooks {
  const { store, log, receiver, random, after, everyMs = EVERY_MS } = parts
  const stopping = new AbortController()
  const counter = new MessageCounter(parts.now)
  /** Deliveries under way, by operation. */
  const busy = new Map<string, Promise<void>>()
  /** As last heard; undefined if another process holds it. */
  let lease: CutoverLease | 'unheard' | undefined = 'unheard'
  let isOver = false
  let problem = ''

  const pause = async (): Promise<void> => {
    if (!stopping.signal.aborted) await after(everyMs, stopping.signal).catch(() => undefined)
  }

  const report = ({ id, attempts, operation }: OutboxMessage, reason: string, againInMs: number): void => {
    const line = { receiver, id, operation, attempts: attempts + 1, againInMs, reason }
    if (attempts === 0) log.warn(line, 'a webhook message was not taken: it is sent again')
    else log.debug(line, 'a webhook message was not taken again')
  }

  /**
   * Tells the store what became of a message, until the store has it: otherwise a delivered message would be sent again. The store
   * ignores a caller whose lease has ended, so after a failure the lease must be heard again.
   */
  const settle = async (id: string, outcome: Parameters<CutoverStore['settle']>[1]): Promise<void> => {
    while (lease !== undefined && !isOver) {
      try {
        if (lease !== 'unheard') return await store.settle(id, outcome, lease)
      } catch (error) {
        if (!(error instanceof StateError)) throw error
        lease = 'unheard'
      }
      if (stopping.signal.aborted) return
      await pause()
    }
  }

  const deliver = async (message: OutboxMessage): Promise<void> => {
    const { id, attempts, operation } = message
    const failure = await sendMessage(message, parts.post, parts.secret)
    // It failed because the process is ending. Another process sends the message at once.
    if (isOver) return
    if (failure === undefined) {
      counter.delivered(message)
      if (attempts > 0) log.info({ receiver, id, operation, attempts: attempts + 1 }, 'a webhook message was taken')
      return settle(id, 'delivered')
    }
    counter.failed()
    const againInMs = pauseAfter(attempts, random())
    report(message, failure, againInMs)
    return settle(id, { againInMs })
  }

  const begin = (message: OutboxMessage): void => {
    const { operation } = message
    const delivery = deliver(message)
      .catch(explain)
      .finally(() => busy.delete(operation))
    busy.set(operation, delivery)
  }

  const turn = async (): Promise<void> => {
    const mine = await store.lease()
    lease = mine
    if (mine === undefined) return counter.forgetWaiting()
    // The store may still list these: it may not know yet how they ended.
    const wereBusy = new Set(busy.keys())
    const { messages, givenUp } = await store.due(mine)
    if (givenUp > 0) {
      counter.gaveUp(givenUp)
      log.error({ receiver, messages: givenUp }, 'webhook messages were not taken for a day and are given up')
    }
    const free = messages.filter(({ operation }) => !wereBusy.has(operation))
    for (const message of free) counter.found(message)
    if (stopping.signal.aborted) return
    for (const message of free.toSorted(byDue).slice(0, WEBHOOKS_AT_ONCE - busy.size)) begin(message)
  }

  /** Logs a failure once, unless it is the store's: that one is logged elsewhere. */
  const explain = (error: unknown): void => {
    const now = error instanceof StateError ? '' : String(error)
    if (now !== '' && now !== problem) log.error({ error }, 'webhook messages cannot be handled')
    problem = now
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await turn().catch((error: unknown) => {
        lease = 'unheard'
        explain(error)
      })
      await pause()
    }
  }

  const running = run()
  return {
    counts: () => counter.read(),
    async close(graceMs) {
      stopping.abort()
      const waiting = new AbortController()
      const ended = running.then(() => Promise.all(busy.values()))
      await Promise.race([ended, after(graceMs, waiting.signal).catch(() => undefined)])
      isOver = true
      waiting.abort()
    },
  }
}

const byDue = (a: OutboxMessage, b: OutboxMessage): number => Date.parse(a.dueAt) - Date.parse(b.dueAt)

const FIRST_MS = 5_000
const LONGEST_MS = 600_000

/**
 * Returns how long to wait after a failed attempt: 5 s, doubling each time up to 10 minutes, then shortened at random to
 * between half and all of that, so that messages that failed together are not sent together again.
 * @param attempts how many attempts came before.
 * @param random from 0 to 1.
 */
const pauseAfter = (attempts: number, random: number): number =>
  Math.round(Math.min(FIRST_MS * 2 ** attempts, LONGEST_MS) * (0.5 + random / 2))

/** What this process did with messages since it started. */
interface WebhookCounts {
  readonly delivered: number
  readonly failedAttempts: number
  readonly givenUp: number
  /** How long the oldest message has waited; 0 if none waits, or another process sends them. */
  readonly oldestSeconds: number
}

/** When the store gives a message up. */
const GIVEN_UP_MS = DAY_MS

/** Counts messages, and tracks how long they have waited. */
class MessageCounter {
  #delivered = 0
  #failedAttempts = 0
  #givenUp = 0
  /** When the oldest message of each operation was created; ms. */
  readonly #waiting = new Map<string, number>()
  readonly #now: () => number

  /** @param now the time since the epoch, ms. */
  constructor(now: () => number) {
    this.#now = now
  }

  found({ operation, createdAt }: OutboxMessage): void {
    this.#waiting.set(operation, Date.parse(createdAt))
  }

  delivered({ operation }: OutboxMessage): void {
    this.#delivered++
    this.#waiting.delete(operation)
  }

  failed(): void {
    this.#failedAttempts++
  }

  gaveUp(messages: number): void {
    this.#givenUp += messages
  }

  /** Called when another process sends the messages. */
  forgetWaiting(): void {
    this.#waiting.clear()
  }

  read(): WebhookCounts {
    const now = this.#now()
    // The store does not say which messages it gave up.
    for (const [operation, createdAt] of this.#waiting) {
      if (now - createdAt > GIVEN_UP_MS) this.#waiting.delete(operation)
    }
    const oldestMs = Math.max(0, ...[...this.#waiting.values()].map((createdAt) => now - createdAt))
    return {
      ...{ delivered: this.#delivered, failedAttempts: this.#failedAttempts, givenUp: this.#givenUp },
      oldestSeconds: Math.round(oldestMs / 1_000),
    }
  }
}

/** Returns the store without its outbox, for when there is no receiver: messages would wait for one that is configured later. */
export const untold = (store: CutoverStore): CutoverStore => ({
  ...store,
  decide: ({ message: _, ...decision }, lease) => store.decide(decision, lease),
})
