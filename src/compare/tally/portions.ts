import type { Observation } from '../observation.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Portion } from './state-store.ts'
import { type Criteria, createTally, type Tally } from './tally.ts'

/**
 * Results that are not stored yet. A portion stays unchanged until the store has confirmed it; results recorded meanwhile
 * go into the next ones. So memory holds at most two tallies, even if the store is unavailable for a long time.
 */
export interface Portions {
  record(observation: Observation): void
  /** Returns the portion to store now, the same one until `stored` is called; undefined: there is nothing to store. */
  next(): Portion | undefined
  /** Confirms the portion, and returns the number of its exchanges. */
  stored(): number
  /** Returns what is not stored yet of an operation, including what is in the pending portion. */
  unstored(operation: string): readonly OperationCounts[]
  /** Returns the number of exchanges not stored yet. */
  exchanges(): number
}

/** A portion with so many exchanges takes no more operations. After an outage, all at once would hold up calls. */
const MANY = 1_000

export function countPortions(criteria: () => Criteria): Portions {
  let number = 0
  let pending: { readonly portion: Portion; readonly exchanges: number } | undefined
  /** What the next portions are made of, by operation. */
  const coming = new Map<string, { readonly tally: Tally; exchanges: number }>()

  const take = (): typeof pending => {
    const operations: OperationCounts[] = []
    let exchanges = 0
    for (const [operation, counted] of coming) {
      if (exchanges >= MANY) break
      operations.push(...counted.tally.exportCounts())
      exchanges += counted.exchanges
      coming.delete(operation)
    }
    return exchanges === 0 ? undefined : { portion: { number: ++number, operations }, exchanges }
  }
  return {
    record(observation) {
      const { operation } = observation
      const counted = coming.get(operation) ?? { tally: createTally(criteria), exchanges: 0 }
      coming.set(operation, counted)
      counted.tally.record(observation)
      counted.exchanges++
    },
    next() {
      pending ??= take()
      return pending?.portion
    },
    stored() {
      const exchanges = pending?.exchanges ?? 0
      pending = undefined
      return exchanges
    },
    unstored: (operation) => [
      ...(pending?.portion.operations.filter((counts) => counts.operation === operation) ?? []),
      ...(coming.get(operation)?.tally.exportCounts() ?? []),
    ],
    exchanges: () => [...coming.values()].reduce((sum, { exchanges }) => sum + exchanges, pending?.exchanges ?? 0),
  }
}
