import { counted } from '../../common/figures.ts'
import type { ReplayedReport } from './replay-results.ts'

/** A difference that counts. */
export interface CountingDifference {
  readonly operation: string
  readonly kind: string
  readonly path: string
}

/** How the differences that count change with mappings that are not in force. JSON. */
export interface MappingChange {
  /** How many differences count by the mappings in force, and by those that are tried. */
  readonly before: number
  readonly after: number
  readonly settled: readonly CountingDifference[]
  readonly new: readonly CountingDifference[]
}

/**
 * Compares the results of a replay by the mappings in force with those by other mappings.
 * @param before of the operations whose mappings differ. A write is not among them, because it was sent only once.
 * @param after of all operations.
 * @param isChanged whether an operation's mappings differ. The differences of all others are the same before and after.
 */
export function changeOf(
  before: readonly ReplayedReport[],
  after: readonly ReplayedReport[],
  isChanged: (operation: string) => boolean,
): MappingChange {
  const compared = new Set(before.map(({ operation }) => operation))
  const same = after.filter(({ operation }) => !isChanged(operation))
  const was = countingIn([...before, ...same])
  const is = countingIn([...after.filter(({ operation }) => compared.has(operation)), ...same])
  const lacking = (some: typeof was, others: typeof was): readonly CountingDifference[] =>
    [...some].flatMap(([key, difference]) => (others.has(key) ? [] : [difference]))
  return { before: was.size, after: is.size, settled: lacking(was, is), new: lacking(is, was) }
}

const countingIn = (reports: readonly ReplayedReport[]): ReadonlyMap<string, CountingDifference> =>
  new Map(
    reports.flatMap(({ operation, differences }) =>
      differences
        .filter(({ ignored }) => ignored === null)
        .map(({ kind, path }) => [JSON.stringify([operation, kind, path]), { operation, kind, path }]),
    ),
  )

/** Says it in a sentence: `With this file: 18 → 0 differences, 0 new.` */
export const changeInWords = ({ before, after, new: added }: MappingChange): string =>
  `With this file: ${before} → ${counted(after, 'difference')}, ${added.length} new.`
