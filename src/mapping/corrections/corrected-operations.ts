import type { Operation } from '../operation.ts'
import { correct } from './correct.ts'
import type { Corrections } from './corrections.ts'
import { hashOfCorrections, versionOf } from './mapping-version.ts'

/**
 * Corrects the shipped operations.
 * @param known operations that were corrected before. Those with the same corrections are taken over as the same objects, so that what was
 *   compiled of them, and found out about them, stays.
 * @throws CorrectionsError that lists all mistakes, one per line.
 */
export function correctedOperations(
  shipped: readonly Operation[],
  corrections: Corrections,
  known: readonly Operation[] = [],
): readonly Operation[] {
  const before = new Map(
    Object.entries(corrections.operations).flatMap(([id, own]) => {
      const version = hashOfCorrections(own)
      const same = known.find((operation) => operation.id === id && versionOf(operation) === version)
      return same === undefined ? [] : [[id, same] as const]
    }),
  )
  const changed = Object.entries(corrections.operations).filter(([id]) => !before.has(id))
  const corrected = correct(shipped, { operations: Object.fromEntries(changed) })
  return shipped.map((operation, index) => {
    const after = before.get(operation.id) ?? (corrected[index] as Operation)
    const own = corrections.operations[operation.id]
    return after === operation || own === undefined || after.corrections !== undefined
      ? after
      : { ...after, corrections: own }
  })
}
