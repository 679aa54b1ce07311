import { GONE_AFTER_S, type Gone } from './heartbeat.ts'

/**
 * Finds out which processes are certainly gone. The stored times alone cannot say: after an outage or a restore of the database, all
 * processes seem gone until they have written again.
 */
export interface GoneWatch {
  /** Returns those that shut down cleanly, and those whose last heartbeat has stayed the same for ten seconds of watching. */
  certain(gone: readonly Gone[]): readonly Gone[]
}

/** @param monotonic in milliseconds. */
export function watchGone(monotonic: () => number): GoneWatch {
  /** Since when a process has been silent, by its last heartbeat. */
  let silent: ReadonlyMap<string, number> = new Map()
  return {
    certain(gone) {
      const now = monotonic()
      const keyOf = ({ id, incarnation, seen }: Gone): string => `${id} ${incarnation} ${seen}`
      silent = new Map(gone.map((one) => [keyOf(one), silent.get(keyOf(one)) ?? now]))
      return gone.filter((one) => one.has_left || now - (silent.get(keyOf(one)) ?? now) >= GONE_AFTER_S * 1000)
    },
  }
}
