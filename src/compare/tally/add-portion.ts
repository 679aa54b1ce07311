import { addCounts } from './add-counts.ts'
import { BOUNDS } from './bounds.ts'
import type { OperationCounts } from './operation-counts.ts'
import { exportState, newState } from './operation-state.ts'

/**
 * Adds counts of a lineage of an operation to others; undefined: there are none. Takes plain data only, so that any thread can do
 * it, and gives the same in whatever order counts are added.
 */
export function addPortion(
  kept: OperationCounts | undefined,
  counts: OperationCounts,
  bounds: Parameters<typeof newState>[0] = BOUNDS,
): OperationCounts {
  const state = newState(bounds)
  if (kept !== undefined) addCounts(state, kept)
  addCounts(state, counts)
  return exportState(counts.operation, counts.lineage, state)
}
