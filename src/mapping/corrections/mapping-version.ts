import { createHash } from 'node:crypto'
import { oncePer } from '../once-per.ts'
import type { Operation } from '../operation.ts'
import type { OperationCorrections } from './corrections.ts'

/** The version of a shipped mapping that nothing corrects. */
export const SHIPPED = ''

/**
 * Returns a text that tells the versions of an operation's mapping apart, in all threads alike: 12 hex digits of a hash of its
 * corrections, or `SHIPPED`.
 */
export const versionOf = oncePer(({ corrections }: Operation): string =>
  corrections === undefined ? SHIPPED : hashOfCorrections(corrections),
)

/** Returns 12 hex digits of a hash of an operation's corrections. */
export const hashOfCorrections = (corrections: OperationCorrections): string =>
  createHash('sha256').update(JSON.stringify(corrections)).digest('hex').slice(0, 12)
