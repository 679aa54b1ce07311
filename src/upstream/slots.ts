/** Lets so many through at a time; others wait their turn, in order. */
export interface Slots {
  /**
   * Runs `work`, which never throws but rejects, when there is room; rejects with `refusal()` when too many wait already, or the
   * wait is too long.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  readonly running: number
  readonly waiting: number
}

export interface SlotOptions {
  readonly limit: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly refusal: () => Error
}

export function openSlots({ limit, maxWaiting, maxWaitMs, refusal }: SlotOptions): Slots {
  /** Those who wait, in the order in which they came. Why it is no `Set`: see `bag.ts`. */
  const waiting: (() => void)[] = []
  let running = 0

  const enter = (): Promise<void> | undefined => {
    if (running < limit) {
      running++
      return undefined
    }
    if (waiting.length >= maxWaiting) return Promise.reject(refusal())
    return new Promise((resolve, reject) => {
      const impatience = setTimeout(() => {
        // All wait equally long at most: whoever has waited too long came first.
        waiting.shift()
        reject(refusal())
      }, maxWaitMs)
      waiting.push(() => {
        clearTimeout(impatience)
        resolve()
      })
    })
  }
  /** Whoever leaves hands its slot over. */
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
  const succeeded = <T>(result: T): T => {
    leave()
    return result
  }
  const failed = (error: unknown): never => {
    leave()
    throw error
  }
  return {
    run(work) {
      const turn = enter()
      return turn === undefined ? work().then(succeeded, failed) : turn.then(() => work().then(succeeded, failed))
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting.length
    },
  }
}
