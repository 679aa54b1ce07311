/** Counters for the lists of one operation. */
export interface ListCounts {
  readonly operation: string
  /** Answers from a cached list that was fresh. */
  hits: number
  /** Answers from a cached list that was no longer fresh, because v1 failed. */
  staleAnswers: number
  /** Sweeps of v1 by result: a list that differs from the last one, the same list, or a failure. */
  readonly sweeps: Record<SweepResult, number>
  /** Lists that are served although v1's own count of their rows differs. */
  countsDisagree: number
  /** Failed background refreshes, which no caller waited for. */
  refreshFailures: number
}

export type SweepResult = 'changed' | 'unchanged' | 'failed'

export interface ListCounter {
  /** Returns the counters for a list's key. All lists of an operation share them. */
  of(key: string): ListCounts
  all(): readonly ListCounts[]
}

/**
 * Creates the counters.
 * @param operationOf returns the operation of a list's key. There are few operations, however many keys.
 * @param operations have counters from the start, at 0.
 */
export function listCounter(operationOf: (key: string) => string, operations: readonly string[] = []): ListCounter {
  const counts = new Map<string, ListCounts>()
  const open = (operation: string): ListCounts => {
    const sweeps = { changed: 0, unchanged: 0, failed: 0 }
    const none: ListCounts = { operation, hits: 0, staleAnswers: 0, sweeps, countsDisagree: 0, refreshFailures: 0 }
    counts.set(operation, none)
    return none
  }
  for (const operation of operations) open(operation)
  return {
    of(key) {
      const operation = operationOf(key)
      return counts.get(operation) ?? open(operation)
    },
    all: () => [...counts.values()],
  }
}
