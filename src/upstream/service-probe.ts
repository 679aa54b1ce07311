import { setTimeout as after } from 'node:timers/promises'
import { isOverloaded } from './upstream-error.ts'

/** How long a result is reused. */
const FRESH_MS = 1_000
/** The longest wait for a service that hangs. Orchestrators give a readiness probe a second. */
const MOMENT_MS = 500

/** Finds out whether a service is well. */
export interface ServiceProbe {
  /**
   * Asks the service, at most once a second. Resolves within half a second: with the previous result if the service
   * takes longer. The result is false until the service has been found well. Never rejects.
   */
  isWell(): Promise<boolean>
}

/** @param ask finds out whether the service is well. A rejection counts as false. Takes a few seconds at most. */
export function serviceProbe(ask: () => Promise<boolean>): ServiceProbe {
  let isWell = false
  let askedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined

  async function find(): Promise<void> {
    // If the gateway itself could not ask, the previous result stands.
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
