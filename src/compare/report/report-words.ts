import type { DifferenceReport } from '../tally/report-differences.ts'

/** Returns a count with its noun: `1 exchange`, `20 exchanges`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Formats a share: `75.00 %`. Rounding never makes it 100 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 10_000) / 100
  return `${(share < 1 ? Math.min(rounded, 99.99) : rounded).toFixed(2)} %`
}

/** Lists the lines that are kept: `lines 3, 7, 12, …`, or `a.ndjson:3, b.ndjson:7, …` where there are several files. */
export function linesOf({ lines, places, requests }: Pick<DifferenceReport, 'lines' | 'places' | 'requests'>): string {
  const more = requests > lines.length ? ', …' : ''
  if (places !== undefined) return `${places.map(({ file, line }) => `${file}:${line}`).join(', ')}${more}`
  return `${lines.length === 1 && requests === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
}

/** Writes a configured share with no more digits than it has: `95 %`. */
export const asChosen = (share: number): string => `${Number((share * 100).toFixed(4))} %`
