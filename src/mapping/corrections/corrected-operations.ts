import { createHash } from 'node:crypto'
import { oncePer } from '../once-per.ts'
import type { Operation } from '../operation.ts'
import { correct } from './correct.ts'
import type { Corrections, OperationCorrections } from './corrections.ts'

/** The version of a shipped mapping that nothing corrects. */
export const SHIPPED = ''

/**
 * Returns a text that tells the versions of an operation's mapping apart, in all threads alike: 12 hex digits of a hash of its
 * corrections, or `SHIPPED`.
 */
export const versionOf = oncePer(({ corrections }: Operation): string =>
  corrections === undefined ? SHIPPED : hashOf(corrections),
)

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
      const version = hashOf(own)
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

const hashOf = (corrections: OperationCorrections): string =>
  createHash('sha256').update(JSON.stringify(corrections)).digest('hex').slice(0, 12)
