/** What has been counted of the lists of one operation. */
export interface ListCounts {
  readonly operation: string
  /** Answers from a list that was there, and within its time. */
  hits: number
  /** Answers from a list whose time was over, because v1 failed. */
  staleAnswers: number
  /** How often v1 was asked for a list, by what came of it: one that differs from the last, the same again, or none. */
  readonly sweeps: Record<SweepResult, number>
  /** Lists that are served although v1's own count of their rows is another. */
  countsDisagree: number
  /** Sweeps that failed of those that nobody waited for, to have a list before its time was over. */
  refreshFailures: number
}

export type SweepResult = 'changed' | 'unchanged' | 'failed'

export interface ListCounter {
  /** Where to count what becomes of a list; the same for all lists of an operation. */
  of(key: string): ListCounts
  all(): readonly ListCounts[]
}

/**
 * @param operationOf the operation of a list's key; there are few of them, however many keys.
 * @param operations those that are there before anything has been counted.
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
