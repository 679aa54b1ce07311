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
 * Corrects the shipped operations. Those whose corrections are the same as in `current` are the objects of `current`, so that what was
 * compiled of them, and found out about them, stays.
 * @throws CorrectionsError that lists all mistakes, one per line.
 */
export function correctedOperations(
  shipped: readonly Operation[],
  corrections: Corrections,
  current: readonly Operation[] = shipped,
): readonly Operation[] {
  const corrected = correct(shipped, corrections)
  return shipped.map((before, index) => {
    const after = corrected[index] as Operation
    const own = corrections.operations[before.id]
    if (after === before || own === undefined) return before
    const last = current.find(({ id }) => id === before.id)
    return last !== undefined && versionOf(last) === hashOf(own) ? last : { ...after, corrections: own }
  })
}

const hashOf = (corrections: OperationCorrections): string =>
  createHash('sha256').update(JSON.stringify(corrections)).digest('hex').slice(0, 12)
