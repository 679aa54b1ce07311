import { hash } from 'node:crypto'

/** Returns 48 bits that tell values apart. */
export const hashOf = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16)

/** Returns the smallest numbers, each once. */
export const smallest = (numbers: Iterable<number>, most: number): readonly number[] =>
  [...new Set(numbers)].sort((a, b) => a - b).slice(0, most)
