import type { Judged } from './verdict-watch.ts'

/** What the comparison last said of each operation, and whether a step may rest on it. */
export interface Verdicts {
  of(operation: string): Judged | undefined
  /**
   * Takes the comparison's present results for these operations. An operation without a result has no evidence, even if it had some before.
   * @param isWhole whether they hold what other processes found; otherwise no step may rest on them.
   */
  take(operations: Iterable<string>, all: readonly Judged[], isWhole: boolean): void
  /** Whether an operation was judged in the last minute, by what other processes have found lately, and after the last outage. */
  isFresh(operation: string): boolean
  /** The store has failed: no step may rest on any verdict until now, nor on anything read until others have stored what they found meanwhile. */
  distrust(): void
  /** Returns how old what other processes found may be for a step; ms. */
  maxAgeMs(): number
}

/** No step is taken on a verdict that is older. Operations are judged every few seconds. */
const JUDGED_MS = 60_000
/** How old the results of other processes may be for a step. This process's own results count at once. */
const HEARD_MS = 30_000
/** How long after an outage other processes may need to store what they found during it. */
const RETURN_MS = 10_000

/** @param monotonic returns ms. */
export function knownVerdicts(monotonic: () => number): Verdicts {
  const judged = new Map<string, Judged>()
  /** When each operation was judged; ms. */
  const judgedAt = new Map<string, number>()
  /** From when on what is read holds what others found during the last outage; ms. */
  let trustedFrom = Number.NEGATIVE_INFINITY
  return {
    of: (operation) => judged.get(operation),
    take(operations, all, isWhole) {
      const now = new Map(all.map((one) => [one.operation, one]))
      for (const operation of operations) {
        const one = now.get(operation)
        if (one === undefined) judged.delete(operation)
        else judged.set(operation, one)
        if (isWhole && monotonic() >= trustedFrom) judgedAt.set(operation, monotonic())
      }
    },
    isFresh: (operation) => monotonic() - (judgedAt.get(operation) ?? Number.NEGATIVE_INFINITY) < JUDGED_MS,
    distrust() {
      judgedAt.clear()
      trustedFrom = monotonic() + RETURN_MS
    },
    maxAgeMs: () => Math.max(Math.min(HEARD_MS, monotonic() - trustedFrom), 0),
  }
}
