import type { Observation, Outcome } from './observation.ts'
import { BOUNDS, OTHER } from './tally/bounds.ts'

/** How one assumed mapping line fared. */
interface AssumptionCount {
  readonly part: string
  readonly legacy: string
  held: number
  differed: number
}

/** What this process has compared of an operation since it started. */
interface OperationCount {
  readonly operation: string
  readonly outcomes: Record<Outcome, number>
  readonly unjudged: Map<string, number>
  readonly assumptions: Map<string, AssumptionCount>
}

/**
 * The comparisons of this process alone, for counters of which monitoring takes the sum over all replicas. They only grow: unlike
 * those of the tally, no reset, release or rule changes what was counted.
 */
export interface ComparisonCounts {
  record(observation: Pick<Observation, 'operation' | 'outcome' | 'isUnjudged' | 'reason' | 'assumptions'>): void
  /** Returns the counts of each operation with at least one exchange. */
  counts(): Iterable<OperationCount>
}

export function countComparisons(): ComparisonCounts {
  const operations = new Map<string, OperationCount>()
  const countOf = (operation: string): OperationCount => {
    const count = operations.get(operation) ?? newCount(operation)
    operations.set(operation, count)
    return count
  }
  return {
    record({ operation, outcome, isUnjudged, reason, assumptions }) {
      const count = countOf(operation)
      count.outcomes[outcome]++
      if (isUnjudged) countCause(count.unjudged, reason ?? '')
      for (const { line, holds } of assumptions) {
        const { part, legacy } = line
        const key = `${part} ${legacy}`
        const assumption = count.assumptions.get(key) ?? { part, legacy: legacy ?? '', held: 0, differed: 0 }
        assumption[holds ? 'held' : 'differed']++
        count.assumptions.set(key, assumption)
      }
    },
    counts: () => operations.values(),
  }
}

const newCount = (operation: string): OperationCount => ({
  operation,
  outcomes: { matched: 0, ignored: 0, mismatched: 0, failed: 0, skipped: 0 },
  unjudged: new Map(),
  assumptions: new Map(),
})

/** Counts a cause by its name; beyond the bound, new causes are counted together, so that none loses what it has. */
function countCause(unjudged: Map<string, number>, cause: string): void {
  const name = unjudged.has(cause) || unjudged.size < BOUNDS.reasons ? cause : OTHER
  unjudged.set(name, (unjudged.get(name) ?? 0) + 1)
}
