import { DAY_MS } from '../../common/time.ts'
import type { OutboxMessage } from '../event.ts'

/** What this process did with messages since it started. */
export interface WebhookCounts {
  readonly delivered: number
  readonly failedAttempts: number
  readonly givenUp: number
  /** How long the oldest message has waited; 0 if none waits, or another process sends them. */
  readonly oldestSeconds: number
}

/** When the store gives a message up. */
const GIVEN_UP_MS = DAY_MS

/** Counts messages, and tracks how long they have waited. */
export class MessageCounter {
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
