import { setImmediate as nextTurn } from 'node:timers/promises'

/** A clock that stands still until it is told to go on. Sockets are real: it waits for what is under way, however long that takes. */
export interface VirtualTime {
  now(): number
  after(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Returns the function, of whose calls `pass` waits for the end. */
  watched<A extends readonly unknown[], R>(call: (...given: A) => Promise<R>): (...given: A) => Promise<R>
  /** Lets so much time pass, from one waiter to the next. */
  pass(milliseconds: number): Promise<void>
}

export function virtualTime(from = '2027-03-01T08:00:00.000Z'): VirtualTime {
  let time = Date.parse(from)
  let underWay = 0
  let waiters: { readonly at: number; readonly wake: () => void }[] = []

  const quiet = async (): Promise<void> => {
    do await nextTurn()
    while (underWay > 0)
  }

  return {
    now: () => time,
    after: (milliseconds, signal) =>
      new Promise((wake) => {
        if (milliseconds <= 0) return wake()
        const abort = (): void => wake()
        signal?.addEventListener('abort', abort)
        waiters.push({
          at: time + milliseconds,
          wake: () => {
            signal?.removeEventListener('abort', abort)
            wake()
          },
        })
      }),
    watched:
      (call) =>
      async (...given) => {
        underWay++
        try {
          return await call(...given)
        } finally {
          underWay--
        }
      },
    async pass(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        await quiet()
        const next = Math.min(...waiters.map(({ at }) => at))
        if (next > end) break
        time = next
        const awake = waiters.filter(({ at }) => at <= next)
        waiters = waiters.filter(({ at }) => at > next)
        for (const { wake } of awake) wake()
      }
      time = end
    },
  }
}
