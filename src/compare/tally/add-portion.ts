import { addCounts } from './add-counts.ts'
import type { OperationCounts } from './operation-counts.ts'
import { classKey, exportState, newState } from './operation-state.ts'
import type { CountedOperation } from './state-store.ts'

/** Adds new counts of an operation to those stored. Takes plain data only, so that any thread can do it. */
export function addPortion(kept: OperationCounts | undefined, { counts, ignored }: CountedOperation): OperationCounts {
  const keys = new Set(ignored.flatMap((at) => counts.classes[at] ?? []).map(classKey))
  const state = newState()
  // Stored counts are within the bounds, and only patterns beyond them are judged.
  if (kept !== undefined) addCounts(state, kept, { ignored: () => null })
  addCounts(state, counts, { ignored: (where) => (keys.has(classKey(where)) ? 'ignored' : null) })
  return exportState(counts.operation, counts.lineage, state)
}
