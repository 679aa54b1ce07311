import { type Demands, judge } from '../../src/control-plane/evidence/tally/verdict.ts'

/** Operations with a true match rate, looked at after every exchange, as people do. */
export interface Simulated {
  /** Of units, from 0 to 1. */
  readonly rate: number
  /** How often each exchange is repeated within the hour, with the same result. */
  readonly burst: number
  readonly runs: number
}

export const DEMANDS: Demands = { target: 0.99, confidence: 0.95, unjudged: 0.01 }
const EXCHANGES = 10_000
export const NOTHING_ELSE = {
  hasDifferences: false,
  unjudgedShare: 0,
  clients: 1,
  inputs: 1,
  coverage: { lines: 0, seen: 0 },
  hours: 0,
  until: null,
  durations: null,
}

/** Returns the share of operations that the product's own rule calls ready at any time within 10,000 exchanges. */
export function everReady({ rate, burst, runs }: Simulated): number {
  const random = randomFrom(burst)
  let ready = 0
  for (let run = 0; run < runs; run++) {
    for (let units = 1; units * burst <= EXCHANGES; units++) {
      // A unit that differs makes the operation not ready, for good.
      if (random() >= rate) break
      const results = { matched: units * burst, compared: units * burst, units, mismatchedUnits: 0 }
      if (judge({ ...results, ...NOTHING_ELSE }, DEMANDS).verdict !== 'ready') continue
      ready++
      break
    }
  }
  return ready / runs
}

/** Returns numbers from 0 to 1 that are the same in every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
