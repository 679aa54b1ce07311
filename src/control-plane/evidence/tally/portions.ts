import { Sender } from '../../store/sender.ts'
import type { Observation } from '../observation.ts'
import { type ComparedDay, comparedOn, sumOfDays } from './compared-days.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Portion } from './state-store.ts'
import { type Criteria, createTally, type Tally } from './tally.ts'

/**
 * Results that are not stored yet. Those recorded while a portion is sent go into the next ones. So memory holds at most two tallies, even
 * if the store is unavailable for a long time.
 */
export interface Portions {
  record(observation: Observation): void
  /** Stores what waits now, in portions. What comes meanwhile waits for the next time. Rejects as the store does. */
  send(): Promise<void>
  /** Returns what is not stored yet of an operation, including what is in the pending portion. */
  unstored(operation: string): readonly OperationCounts[]
  /** Returns the number of exchanges not stored yet. */
  exchanges(): number
}

/** A portion with so many exchanges takes no more operations. After an outage, all at once would take long. */
const MANY = 1_000

/** @param add stores a portion. */
export function countPortions(criteria: () => Criteria, add: (portion: Portion) => Promise<void>): Portions {
  /** What the next portions are made of, by operation. */
  const coming = new Map<string, { readonly tally: Tally; exchanges: number; days: readonly ComparedDay[] }>()
  const sender = new Sender(({ operations, days }: Omit<Portion, 'number'> & { readonly exchanges: number }, number) =>
    add({ number, operations, days }),
  )
  /** @param waiting the operations that portions are made of. Those of this one are removed. */
  const next = (waiting: Set<string>) => {
    const operations: OperationCounts[] = []
    const days: ComparedDay[] = []
    let exchanges = 0
    for (const operation of waiting) {
      if (exchanges >= MANY) break
      const counted = coming.get(operation)
      operations.push(...(counted?.tally.exportCounts() ?? []))
      days.push(...(counted?.days ?? []))
      exchanges += counted?.exchanges ?? 0
      waiting.delete(operation)
      coming.delete(operation)
    }
    return exchanges === 0 ? undefined : { operations, days: sumOfDays(days), exchanges }
  }
  return {
    record(observation) {
      const { operation } = observation
      const counted = coming.get(operation) ?? { tally: createTally(criteria), exchanges: 0, days: [] }
      coming.set(operation, counted)
      counted.tally.record(observation)
      counted.exchanges++
      const day = comparedOn(observation)
      if (day !== undefined) counted.days = sumOfDays([...counted.days, day])
    },
    send() {
      const waiting = new Set(coming.keys())
      return sender.send(() => next(waiting))
    },
    unstored: (operation) => [
      ...(sender.pending?.operations.filter((counts) => counts.operation === operation) ?? []),
      ...(coming.get(operation)?.tally.exportCounts() ?? []),
    ],
    exchanges: () =>
      [...coming.values()].reduce((sum, { exchanges }) => sum + exchanges, sender.pending?.exchanges ?? 0),
  }
}
