import { addCounts } from './add-counts.ts'
import { exportState } from './export-state.ts'
import type { OperationCounts } from './operation-counts.ts'
import { classKey, newState } from './operation-state.ts'
import type { CountedOperation } from './state-store.ts'

/** Adds what was counted of an operation to what is kept of it. Only plain data goes in, so that any thread can do it. */
export function addPortion(kept: OperationCounts | undefined, { counts, excused }: CountedOperation): OperationCounts {
  const keys = new Set(excused.flatMap((at) => counts.classes[at] ?? []).map(classKey))
  const state = newState()
  // What is kept is within the bounds: only patterns beyond them are judged.
  if (kept !== undefined) addCounts(state, kept, { ignored: () => null })
  addCounts(state, counts, { ignored: (where) => (keys.has(classKey(where)) ? 'excused' : null) })
  return exportState(counts.operation, state)
}
