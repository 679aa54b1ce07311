import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Observation } from '../../../src/control-plane/evidence/observation.ts'
import { operationCounts } from '../../../src/control-plane/evidence/tally/operation-counts.ts'
import type { Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { runs } from '../../support/random-runs.ts'
import { assumed, expectationsFrom, lost } from './support/lines.ts'
import { observe, reply, tallyOf } from './support/observing.ts'

const lines = expectationsFrom([lost('gone', 'no more'), assumed('a', 'data.a')])

/** Stores and reads counts again. */
const stored = (tally: Tally) =>
  (JSON.parse(JSON.stringify(tally.exportCounts())) as unknown[]).map((counts) => operationCounts.parse(counts))

const bodies = fc.record({ a: fc.constantFrom(1, 2, null), gone: fc.constantFrom(1, null) }, { requiredKeys: [] })
const replies = fc.oneof(
  { weight: 8, arbitrary: bodies },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      reply({}, 404),
      reply({}, 503),
      reply({ message: 'x' }, 400),
      reply({ message: 'y' }, 400),
    ),
  },
)
const observations: fc.Arbitrary<Observation> = fc
  .record({
    control: replies,
    control2: fc.option(replies, { nil: undefined }),
    candidate: replies,
    candidate2: fc.option(replies, { nil: undefined }),
    client: fc.constantFrom('one', 'other'),
    at: fc.date({ noInvalidDate: true }),
    line: fc.integer({ min: 1, max: 99 }),
    input: fc.constantFrom('x', 'y', 'z'),
  })
  .map((seen) => observe({ ...seen, expectations: lines }))

it('a tally adds up over restarts and over several gateways', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(observations, fc.nat(2)), { maxLength: 40 }), (seen) => {
      const [whole, ...parts] = [tallyOf(lines), tallyOf(lines), tallyOf(lines), tallyOf(lines)]
      for (const [observation, at] of seen) {
        whole?.record(observation)
        parts[at]?.record(observation)
      }
      const merged = tallyOf(lines)
      for (const part of parts) merged.importCounts(stored(part))
      expect(merged.snapshot()).toEqual(whole?.snapshot())
    }),
    { numRuns: runs(200) },
  )
})
