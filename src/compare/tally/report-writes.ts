import type { DifferenceClass } from './difference-classes.ts'
import type { OperationState } from './operation-state.ts'
import type { Reasons } from './results-of.ts'

/** What is known about writes without sending them to v1. */
export interface WritesReport {
  /**
   * How many writes had their legacy answer translated to v1's shape and back, and in how many of them a counted difference
   * appeared. Null: no write was checked.
   */
  readonly roundTrip: { readonly checked: number; readonly differed: number } | null
  /** Members of requests that would not be carried to v1: the number of writes by path. */
  readonly droppedMembers: Readonly<Record<string, number>>
}

/** Reports what is known about writes, with their differences judged as of now. */
export function writesOf({ writes, patterns, classes }: OperationState, reasons: Reasons): WritesReport {
  const { roundTrips, droppedMembers } = writes
  const isDiffering = (found: DifferenceClass): boolean => found.from === 'round trip' && reasons.get(found) === null
  const shown = patterns.values().filter(({ classes }) => classes.some(isDiffering))
  // A write counts as skipped while a rule excuses all its differences. When the rule is removed, the class still includes it.
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
