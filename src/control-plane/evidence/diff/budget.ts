/** Thrown when a comparison exceeds its budget. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly'
}

/** Steps between two readings of the clock, because reading it costs more than a step. */
const STEPS = 1_024

/** Returns the processor time of this thread, in ms, so that a busy machine does not make a comparison costly. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The processor time that one comparison may take. The comparison counts its steps here, and ends when the time is used up. */
export class Budget {
  readonly #endsAt: number
  readonly #now: () => number
  #steps = 0

  /** @param now returns milliseconds of a clock that runs while the comparison does. */
  constructor(milliseconds: number, now: () => number = threadMs) {
    this.#now = now
    this.#endsAt = now() + milliseconds
  }

  /** Counts one step. @throws TooCostly when the time is used up. */
  step(): void {
    if (++this.#steps % STEPS === 0 && this.#now() > this.#endsAt) throw new TooCostly()
  }
}

/** A budget without a limit. */
export const NO_LIMIT = new Budget(Number.POSITIVE_INFINITY)
