import type { Logger } from 'pino'
import { serial, within } from '../../common/promises.ts'
import { StateError } from './state-error.ts'

/**
 * Sends what a process counts of one kind, in numbered portions. A portion whose fate is unknown is sent again as it was, under the same
 * number, so that it counts once (`once` in ledger.ts). Meanwhile the next portions wait where they are counted.
 */
export class Sender<Portion, Answer = void> {
  readonly #add: (portion: Portion, number: number) => Promise<Answer>
  readonly #added: (portion: Portion, answer: Answer) => void
  #number = 0
  #pending: Portion | undefined

  /** Runs work while nothing is being sent, so that what it reads from the store is not in `pending` as well. */
  readonly between = serial()

  /**
   * @param add stores a portion. If it rejects, the portion may or may not be stored.
   * @param added called once it is known to be stored.
   */
  constructor(
    add: (portion: Portion, number: number) => Promise<Answer>,
    added: (portion: Portion, answer: Answer) => void = () => undefined,
  ) {
    this.#add = add
    this.#added = added
  }

  /** The portion that was sent, and is not known to be stored. */
  get pending(): Portion | undefined {
    return this.#pending
  }

  /**
   * Sends what was sent before and is not known to be stored, and then what `next` returns, until that is undefined. Rejects as `add`
   * does.
   */
  send(next: () => Portion | undefined): Promise<void> {
    return this.between(async () => {
      if (this.#pending !== undefined) await this.#sendPending(this.#pending)
      for (let portion = next(); portion !== undefined; portion = next()) {
        this.#pending = portion
        this.#number++
        await this.#sendPending(portion)
      }
    })
  }

  async #sendPending(portion: Portion): Promise<void> {
    const answer = await this.#add(portion, this.#number)
    this.#pending = undefined
    this.#added(portion, answer)
  }
}

/** Attempts to store, one at a time. */
export interface Attempts {
  /** Joins the attempt under way, or begins one. Never rejects. @param instead another attempt than usual. */
  now(instead?: () => Promise<void>): Promise<void>
  /** Begins an attempt after the one under way, which may have begun too early. */
  anew(): Promise<void>
  /** Attempts until everything is stored, within `graceMs`: when a process stops. */
  close(isStored: () => boolean, graceMs: number): Promise<void>
}

/** The pause between two attempts. */
const RETRY_MS = 50
/** The least time that the store gets, even if the grace is shorter. */
const LEAST_MS = 250

/** @param failed what the log says of a failure of the code; that the store is unavailable, who keeps the results says. */
export function attempts(attempt: () => Promise<void>, log: Pick<Logger, 'error'>, failed: string): Attempts {
  let current: Promise<void> | undefined
  let hasFailed = false
  const run = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (!(hasFailed || error instanceof StateError)) log.error({ err: error }, failed)
      hasFailed = true
    }
  }
  const now = (instead = attempt): Promise<void> => {
    current ??= run(instead).finally(() => {
      current = undefined
    })
    return current
  }
  return {
    now,
    anew: () => (current ?? Promise.resolve()).then(() => now()),
    async close(isStored, graceMs) {
      const endsAt = performance.now() + Math.max(graceMs, LEAST_MS)
      for (;;) {
        await within(Math.max(endsAt - performance.now(), 0), now())
        if (isStored() || performance.now() >= endsAt) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    },
  }
}
