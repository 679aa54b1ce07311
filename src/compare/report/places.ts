import type { Place } from '../../recording/read-recordings.ts'
import type { ReplayedReport } from '../replay/replay-results.ts'

/**
 * Says of which file each line is, where a replay had several: `lines` are the lines in the files, and `places` are the same with
 * their files.
 * @param placeOf returns the place that a number in `lines` stands for so far.
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
