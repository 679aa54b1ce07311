import { StateError } from '../../../../src/control-plane/store/state-error.ts'
import type { BrownoutMarks } from '../../../../src/control-plane/usage/brownouts/brownout-calls.ts'
import { sumBrownouts } from '../../../../src/control-plane/usage/brownouts/brownout-calls.ts'
import { dayNumber } from '../../../../src/control-plane/usage/store/day-number.ts'
import type { OperationUsage, UsageRow } from '../../../../src/control-plane/usage/usage.ts'
import { addUsage } from '../../../../src/control-plane/usage/usage.ts'
import type { UsagePortion, UsageStore, UsedAgain } from '../../../../src/control-plane/usage/usage-store.ts'

/** A store that tests look into and that fails when they say so. */
export interface MemoryUsageStore extends UsageStore {
  /** What it was given, repetitions too. */
  readonly given: UsagePortion[]
  /** Rejects what it is asked: before it stores a portion, or after. */
  away: false | 'before' | 'after'
  /** What the next portion returns. */
  again: readonly UsedAgain[]
}

export function memoryUsageStore(): MemoryUsageStore {
  const rows: UsageRow[] = []
  const stored = new Set<number>()
  const unlessAway = (): void => {
    if (store.away !== false) throw new StateError('away', true)
  }
  const store: MemoryUsageStore = {
    given: [],
    away: false,
    again: [],
    async add(portion) {
      store.given.push(portion)
      if (store.away === 'before') unlessAway()
      if (!stored.has(portion.number)) rows.push(...portion.rows)
      stored.add(portion.number)
      unlessAway()
      const { again } = store
      store.again = []
      return again
    },
    async read({ since, client, operation }) {
      unlessAway()
      const sums = new Map<string, OperationUsage>()
      for (const { day, ...row } of rows) {
        if (day < since || (client ?? row.client) !== row.client || (operation ?? row.operation) !== row.operation)
          continue
        const key = JSON.stringify([row.client, row.operation])
        const known = sums.get(key)
        sums.set(key, known === undefined ? row : { ...row, ...addUsage(known, row) })
      }
      return [...sums.values()].sort((a, b) => b.calls - a.calls)
    },
    async weeks() {
      unlessAway()
      return []
    },
    async *days(since) {
      unlessAway()
      yield rows.filter(({ day }) => day >= since).sort((one, other) => (one.day < other.day ? -1 : 1))
    },
    async *brownouts(queries) {
      unlessAway()
      const sums = sumBrownouts(queries)
      for (const { client, operation, day, calls, brownouts = {} } of rows) {
        sums.calls(client, operation, dayNumber(day), calls)
        for (const key in brownouts) sums.marks(client, dayNumber(day), key, brownouts[key] as BrownoutMarks)
      }
      yield sums.clients()
    },
  }
  return store
}
