import type { OperationCounts } from './operation-counts.ts'
import { classKey, type OperationState } from './operation-state.ts'

/** What has been counted, as plain data. */
export function exportState(operation: string, state: OperationState): OperationCounts {
  const classes = [...state.classes.values()]
  const places = new Map([...state.classes.keys()].map((key, at) => [key, at]))
  return {
    operation,
    ...state.totals,
    settled: { ...state.settled },
    classes: classes.map((known) => ({ ...known, details: Object.fromEntries(known.details) })),
    patterns: [...state.patterns.values()].map(({ classes, requests }) => ({
      classes: classes.flatMap((known) => places.get(classKey(known)) ?? []),
      requests,
    })),
    places: [...state.places.values()].map((place) => ({ ...place })),
    inputs: [...state.inputs],
    assumptions: [...state.assumptions.values()].map((seen) => ({ ...seen })),
  }
}
