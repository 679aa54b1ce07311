import { describe, expect, it } from 'vitest'
import { runs } from '../../support/random-runs.ts'
import { everReady } from '../../support/simulate-ready.ts'
import { observeEach, only, tallyOf } from './support/observing.ts'

const RUNS = runs(2_000)
/** Three standard errors of the simulation itself. */
const ERROR = 3 * Math.sqrt((0.05 * 0.95) / RUNS)

describe('of operations whose true match rate is exactly the target', () => {
  it.each([1, 50])('at most a twentieth are ever ready, when each exchange comes %i times', (burst) => {
    expect(everReady({ rate: 0.99, burst, runs: RUNS })).toBeLessThan(0.05 + ERROR)
  })
})

it('operations that always match are all ready in the end', () => {
  expect(everReady({ rate: 1, burst: 1, runs: 10 })).toBe(1)
})

it('bursts of one request are one unit of the tally', () => {
  const tally = tallyOf()
  const at = new Date(Date.UTC(2026, 10, 22, 12))
  for (const one of observeEach(10, { control: [1], candidate: [1], client: 'one', at })) {
    for (let times = 0; times < 50; times++) tally.record(one)
  }
  expect(only(tally)).toMatchObject({ totals: { matched: 500 }, units: { distinct: 10 }, verdict: 'insufficient data' })
})
