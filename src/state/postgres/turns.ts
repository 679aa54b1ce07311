/** Gives turns to callers, one at a time, in the order in which they came. */
export interface Turns {
  /** Resolves when it is the caller's turn, with a function that ends the turn; with undefined if the wait is too long. */
  take(): Promise<(() => void) | undefined>
  /** Resolves when nobody has a turn or waits for one, or after `withinMs`. */
  whenFree(withinMs: number): Promise<void>
}

/** @param patienceMs how long a caller waits for its turn. */
export function turns(patienceMs: number): Turns {
  const waiting: (() => void)[] = []
  const free: (() => void)[] = []
  let isTaken = false
  const done = (): void => {
    const next = waiting.shift()
    isTaken = next !== undefined
    if (next !== undefined) next()
    else for (const call of free.splice(0)) call()
  }
  return {
    take() {
      if (!isTaken) {
        isTaken = true
        return Promise.resolve(done)
      }
      return new Promise((resolve) => {
        const begin = (): void => {
          clearTimeout(timer)
          resolve(done)
        }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(begin), 1)
          resolve(undefined)
        }, patienceMs).unref()
        waiting.push(begin)
      })
    },
    whenFree(withinMs) {
      if (!isTaken) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        free.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}
