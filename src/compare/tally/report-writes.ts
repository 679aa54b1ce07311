import type { DifferenceClass } from './difference-classes.ts'
import type { OperationState } from './operation-state.ts'
import type { Reasons } from './results-of.ts'

/** What is known of writes without sending them to v1. */
export interface WritesReport {
  /**
   * Writes whose legacy answer was taken to v1's shape and back, and those of them where something that counts was not the same. Null:
   * none was.
   */
  readonly roundTrip: { readonly checked: number; readonly differed: number } | null
  /** Members of requests that would not be carried to v1, by path: in how many writes. */
  readonly droppedMembers: Readonly<Record<string, number>>
}

/** Reports what is known of writes, as their differences are judged now. */
export function writesOf({ writes, patterns, classes }: OperationState, reasons: Reasons): WritesReport {
  const { roundTrips, droppedMembers } = writes
  const isDiffering = (found: DifferenceClass): boolean => found.from === 'round trip' && reasons.get(found) === null
  const shown = patterns.values().filter(({ classes }) => classes.some(isDiffering))
  // A write counts as skipped while a rule excuses all that differs in it. When the rule goes, the class still has it.
  const differed = classes
    .all()
    .filter(isDiffering)
    .reduce(
      (most, { requests }) => Math.max(most, requests),
      shown.reduce((sum, { requests }) => sum + requests, 0),
    )
  return {
    roundTrip: roundTrips === 0 ? null : { checked: roundTrips, differed },
    droppedMembers: Object.fromEntries(droppedMembers.entries()),
  }
}
