import type { Place } from '../../recording/merge-recordings.ts'
import type { ReplayedReport } from '../replay/replay-results.ts'

/**
 * Adds the file of each line to the reports of a replay of several files: `lines` become the line numbers in the files, and
 * `places` are the same lines with their files.
 * @param placeOf returns the place that a number in `lines` stands for.
 */
export function withPlaces(
  operations: readonly ReplayedReport[],
  placeOf: (number: number) => Place,
): readonly ReplayedReport[] {
  const placed = <T extends { readonly lines: readonly number[] }>(
    one: T,
  ): T & { readonly places: readonly Place[] } => {
    const places = one.lines.map(placeOf)
    return { ...one, lines: places.map(({ line }) => line), places }
  }
  return operations.map(({ differences, uncompared, ...report }) => ({
    ...{ ...report, differences: differences.map(placed), uncompared: uncompared.map(placed) },
  }))
}
