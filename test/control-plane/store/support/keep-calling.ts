import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { SideBySide } from '../../../support/side-by-side.ts'

/** A client that makes one call after the other, and expects the same answer each time. */
export interface Calling {
  /** The calls that were answered so far. */
  readonly made: number
  /** Resolves when none is under way. */
  pause(): Promise<void>
  resume(): void
  /**
   * Returns the time of the slowest call since it was last asked; ms. What held up this process is taken off, as its calls
   * and their answers go through it.
   */
  slowestMs(): number
}

const PAUSE_MS = 25

/** Starts it paused. A call that is answered in another way makes `pause` reject. */
export function keepCalling(gateway: SideBySide): Calling {
  let made = 0
  let slowest = 0
  let answer: string | undefined
  let isWanted = false
  let calling: Promise<void> = Promise.resolve()
  const lag = monitorEventLoopDelay({ resolution: 10 })
  lag.enable()
  const call = async (): Promise<void> => {
    while (isWanted) {
      const started = performance.now()
      const { status, text } = await gateway.call('/api/invoice/list', {})
      slowest = Math.max(slowest, performance.now() - started)
      answer ??= text
      if (status !== 200 || text !== answer) throw new Error(`call ${made + 1} is answered with ${status}: ${text}`)
      made++
      await wait(PAUSE_MS)
    }
  }
  return {
    get made() {
      return made
    },
    async pause() {
      isWanted = false
      await calling
    },
    resume() {
      isWanted = true
      calling = call()
      // `pause` tells of it.
      calling.catch(() => undefined)
    },
    slowestMs() {
      const least = Math.max(0, slowest - 5 * (lag.max / 1e6))
      slowest = 0
      lag.reset()
      return least
    },
  }
}
