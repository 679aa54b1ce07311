/** Returns a count with its noun: `1 exchange`, `20 exchanges`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Formats a share: `75.00 %`. Rounding never makes it 100 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 10_000) / 100
  return `${(share < 1 ? Math.min(rounded, 99.99) : rounded).toFixed(2)} %`
}

/** Lists the line numbers that are kept: `lines 3, 7, 12, …`. */
export function linesOf(lines: readonly number[], requests: number): string {
  return `${lines.length === 1 && requests === 1 ? 'line' : 'lines'} ${lines.join(', ')}${requests > lines.length ? ', …' : ''}`
}

/** Writes a share that somebody has chosen, with no more digits than it has: `95 %`. */
export const asChosen = (share: number): string => `${Number((share * 100).toFixed(4))} %`
