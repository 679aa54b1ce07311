/** `1 exchange`, `20 exchanges`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A share as it is shown: `75.00 %`. Only all of them are 100 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 10_000) / 100
  return `${(share < 1 ? Math.min(rounded, 99.99) : rounded).toFixed(2)} %`
}

/** The lines of a recording, as many as are kept: `lines 3, 7, 12, …`. */
export function linesOf(lines: readonly number[], requests: number): string {
  return `${lines.length === 1 && requests === 1 ? 'line' : 'lines'} ${lines.join(', ')}${requests > lines.length ? ', …' : ''}`
}
