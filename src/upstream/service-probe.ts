import { setTimeout as after } from 'node:timers/promises'
import { isOverloaded } from './upstream-error.ts'

/** What was found is as good as new for this long, however often it is asked for. */
const FRESH_MS = 1_000
/** Nobody waits longer for a service that hangs: orchestrators give a readiness probe a second. */
const MOMENT_MS = 500

/** Whether a service is well. */
export interface ServiceProbe {
  /**
   * Asks the service, once a second at most, and answers within half a second: where the service takes longer, with what
   * was found before. A service counts as down until it has been found well. Never rejects.
   */
  isWell(): Promise<boolean>
}

/** @param ask whether the service is well now; to reject is as good as false. It takes no longer than a few seconds. */
export function serviceProbe(ask: () => Promise<boolean>): ServiceProbe {
  let isWell = false
  let askedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  async function find(): Promise<void> {
    // Where the gateway itself could not ask, nothing was found.
    isWell = await ask().catch((error: unknown) => isOverloaded(error) && isWell)
    underWay = undefined
  }

  return {
    async isWell() {
      if (underWay === undefined && performance.now() - askedAt > FRESH_MS) {
        askedAt = performance.now()
        underWay = find()
      }
      if (underWay !== undefined) await Promise.race([underWay, after(MOMENT_MS, undefined, { ref: false })])
      return isWell
    },
  }
}
