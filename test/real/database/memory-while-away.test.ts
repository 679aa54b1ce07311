import { expect, it } from 'vitest'
import { countPortions } from '../../../src/control-plane/evidence/tally/portions.ts'
import { expectationsFrom, lost } from '../../control-plane/evidence/support/lines.ts'
import { criteriaOf, observe } from '../../control-plane/evidence/support/observing.ts'

const lines = expectationsFrom([lost('gone', 'no more')])

/**
 * What a process holds in memory after so many exchanges while the database is away, in characters of JSON. Each exchange comes
 * from another client with another input, and differs in another way, and v1 has three releases.
 */
async function heldAfter(exchanges: number): Promise<number> {
  const portions = countPortions(
    () => criteriaOf(new Map([['first', lines]])),
    () => Promise.reject(new Error('away')),
  )
  for (let made = 0; made < exchanges; made++) {
    const observation = observe({
      ...{ operation: 'first', expectations: lines, input: `input ${made}`, client: `client ${made}` },
      ...{
        control: { [`m${made}`]: made },
        candidate: { [`n${made}`]: 1 },
        at: new Date(1_800_000_000_000 + made * 1_000),
      },
    })
    const lineage = { mapping: 'm', v1: `release ${made % 3}`, legacy: null }
    portions.record({ ...observation, lineage })
    // Each second the store is asked again; it never confirms.
    if (made % 100 === 0) await portions.send().catch(() => undefined)
  }
  return JSON.stringify(portions.unstored('first')).length
}

it('what is found while the database is away is held in bounded memory, however long that is', async () => {
  // From 12,288 on, each release has as many differing units as are kept.
  const [some, more] = [await heldAfter(13_000), await heldAfter(20_000)]
  expect(some).toBeGreaterThan(100_000)
  expect(more / some).toBeLessThan(1.3)
})
