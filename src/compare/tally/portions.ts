import type { Observation } from '../observe-exchange.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Portion } from './state-store.ts'
import { type Criteria, createTally } from './tally.ts'

/**
 * Results that are not stored yet. A portion stays unchanged until the store has confirmed it; results recorded meanwhile
 * become the next portion. So memory holds at most two tallies, even if the store is unavailable for a long time.
 */
export interface Portions {
  record(observation: Observation): void
  /** Returns the portion to store now, the same one until `stored` is called; undefined: there is nothing to store. */
  next(day: string): Portion | undefined
  stored(): void
  /** Makes the store accept the pending portion, regardless of what was stored before. */
  force(since: string): void
  /** Replaces everything unstored by one portion of all results. */
  startOver(since: string, day: string, everything: readonly OperationCounts[]): void
  /** Returns what is not stored yet, including the pending portion. */
  unstored(): readonly OperationCounts[]
  /** Returns the number of exchanges not stored yet. */
  exchanges(): number
}

export function countPortions(criteria: () => Criteria): Portions {
  let number = 0
  let pending: { readonly portion: Portion; readonly exchanges: number } | undefined
  let coming = createTally(criteria)
  let exchanges = 0

  const reset = (): void => {
    coming = createTally(criteria)
    exchanges = 0
  }
  return {
    record(observation) {
      coming.record(observation)
      exchanges++
    },
    next(day) {
      if (pending === undefined && exchanges > 0) {
        const portion = { number: ++number, day, operations: coming.exportCounts() }
        pending = { portion, exchanges }
        reset()
      }
      return pending?.portion
    },
    stored() {
      pending = undefined
    },
    force(since) {
      if (pending !== undefined) pending = { ...pending, portion: { ...pending.portion, force: { since } } }
    },
    startOver(since, day, everything) {
      if (pending === undefined) number++
      pending = {
        portion: { number, day, operations: everything, force: { since } },
        exchanges: everything.reduce((sum, counts) => sum + exchangesIn(counts), 0),
      }
      reset()
    },
    unstored: () => [...(pending?.portion.operations ?? []), ...coming.exportCounts()],
    exchanges: () => (pending?.exchanges ?? 0) + exchanges,
  }
}

const exchangesIn = ({ failed, skipped, judged, patterns }: OperationCounts): number =>
  [
    ...Object.values(judged),
    ...patterns.map(({ requests }) => ({ matched: requests, ignored: 0, mismatched: 0 })),
  ].reduce((sum, { matched, ignored, mismatched }) => sum + matched + ignored + mismatched, failed + skipped)
