/** Thrown when a comparison takes longer than it may. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly'
}

/** The clock is looked at once in so many steps: that costs more than a step. */
const STEPS = 1_024

/** The processor time of this thread, in ms: a busy machine makes no comparison costly. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The processor time that one comparison may take. Its steps are counted, and it ends when the time is over. */
export class Budget {
  readonly #endsAt: number
  readonly #now: () => number
  #steps = 0

  /** @param now milliseconds of a clock that goes forward while the comparison is worked on. */
  constructor(milliseconds: number, now: () => number = threadMs) {
    this.#now = now
    this.#endsAt = now() + milliseconds
  }

  /** Counts one step. @throws TooCostly when the time is over. */
  step(): void {
    if (++this.#steps % STEPS === 0 && this.#now() > this.#endsAt) throw new TooCostly()
  }
}

/** Takes as long as it takes. */
export const NO_LIMIT = new Budget(Number.POSITIVE_INFINITY)
