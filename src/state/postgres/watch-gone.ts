import { GONE_AFTER_S, type Gone } from './heartbeat.ts'

/**
 * Tells which processes are gone for certain. By the time that is stored, all seem gone when the database is back from an outage, or
 * from a backup, until they have written again.
 */
export interface GoneWatch {
  /** Returns those that stopped in good order, and those that were as silent ten seconds ago when this was last asked. */
  certain(gone: readonly Gone[]): readonly Gone[]
}

/** @param monotonic in milliseconds. */
export function watchGone(monotonic: () => number): GoneWatch {
  /** Since when a process is seen to be silent, by its last heartbeat. */
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
