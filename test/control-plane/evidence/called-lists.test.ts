import { describe, expect, it } from 'vitest'
import { expectationsOf } from '../../../src/control-plane/evidence/expected/expectations.ts'
import { type Observation, skipped } from '../../../src/control-plane/evidence/observation.ts'
import { createTally, type Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { demands, observe, only } from './support/observing.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY_MS = 86_400_000
const expectations = expectationsOf({ id: 'made-up', response: { kind: 'pass-through' } }, [])

const tallyAt = (now = NOW): Tally =>
  createTally(() => ({
    expectations: new Map([['made-up', expectations]]),
    demandsOf: () => demands(0.1),
    now: () => now,
  }))

/** A call for a list that was compared, and one for a list that was not. */
const compared = (id: number, at = NOW, says = 'code (tr)'): Observation => ({
  ...observe({ control: [id], candidate: [id], input: String(id), client: 'a', at: new Date(at) }),
  list: { id, says, at },
})
const uncompared = (id: number, at = NOW, says = 'code (tr)'): Observation => ({
  ...skipped('made-up', 'a call for the same list waits to be compared'),
  list: { id, says, at },
})

const replica = (observations: readonly Observation[]) => {
  const tally = tallyAt()
  for (const observation of observations) tally.record(observation)
  return tally.exportCounts()
}

describe('the lists that clients call', () => {
  it('keep an operation from ready while one was never compared, named by its parameters', () => {
    const tally = tallyAt()
    tally.importCounts(replica([1, 2, 3].map((id) => compared(id))))
    expect(only(tally).verdict).toBe('ready')
    tally.importCounts(replica([uncompared(4), uncompared(5), uncompared(6, NOW, 'no parameters (en)')]))
    expect(only(tally)).toMatchObject({
      verdict: 'insufficient data',
      missing: ['3 of 6 lists were never compared: code (tr) × 2; no parameters (en)'],
      lists: { called: 6, atLeast: false, neverCompared: { 'code (tr)': 2, 'no parameters (en)': 1 } },
    })
  })

  it('count as compared if any replica compared them, in whatever order results are added', () => {
    const parts = [replica([compared(1), uncompared(2)]), replica([uncompared(1), compared(2)])]
    for (const order of [parts, parts.toReversed()]) {
      const tally = tallyAt()
      for (const part of order) tally.importCounts(part)
      expect(only(tally)).toMatchObject({ verdict: 'ready', lists: { called: 2, neverCompared: {} } })
    }
  })

  it('do not count once nobody has called them for seven days', () => {
    const counts = replica([compared(1), compared(3), uncompared(2, NOW - 6 * DAY_MS)])
    const verdicts = [NOW, NOW + 2 * DAY_MS].map((now) => {
      const tally = tallyAt(now)
      tally.importCounts(counts)
      return only(tally).verdict
    })
    expect(verdicts).toEqual(['insufficient data', 'ready'])
  })

  it('take bounded memory: of endless lists, the 1,000 smallest ids are a sample', () => {
    const tally = tallyAt()
    const one = compared(0)
    for (let id = 5_000; id > 0; id--)
      tally.record({ ...one, input: id, unit: id, list: { id, says: 'code (tr)', at: NOW } })
    tally.record(uncompared(6_000))
    expect(only(tally).lists).toEqual({ called: 1_000, atLeast: true, neverCompared: {} })
    tally.record(uncompared(0))
    expect(only(tally).missing).toEqual(['1 of at least 1000 lists were never compared: code (tr)'])
    expect(tally.exportCounts()[0]?.lists).toHaveLength(1_000)
  })
})
