/** A source of pseudo-random numbers, the same in every run. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly [T, ...T[]]): T
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean
}

/** Creates a Mulberry32 generator: 32 bits of state, and the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    chance: (percent) => next() * 100 < percent,
  }
}
