import { addCounts } from './add-counts.ts'
import { BOUNDS } from './bounds.ts'
import type { OperationCounts } from './operation-counts.ts'
import { exportState, newState } from './operation-state.ts'

/**
 * Adds counts of one lineage of an operation to those kept so far; undefined: none are kept. Takes and returns plain data, so that
 * any thread can call it. The result does not depend on the order in which counts are added.
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
