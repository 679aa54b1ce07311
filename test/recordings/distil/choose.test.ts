import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, Candidates, choose } from '../../../src/recordings/distil/choose.ts'

const ELEMENTS = 30
const candidates = fc
  .array(fc.record({ elements: fc.uniqueArray(fc.nat(ELEMENTS - 1)), size: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 40,
  })
  .map((all) => all.map(({ elements, size }, index) => ({ elements: Uint32Array.from(elements).sort(), size, index })))

const coveredBy = (all: readonly Candidate[]): readonly number[] =>
  [...new Set(all.flatMap(({ elements }) => [...elements]))].sort((a, b) => a - b)

const of = (index: number, size: number, ...elements: number[]): Candidate => ({
  ...{ index, size, elements: Uint32Array.from(elements) },
})

describe('choosing exchanges', () => {
  it('covers what all cover, and each of those chosen alone covers something', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const chosen = choose(all, ELEMENTS)
        expect(coveredBy(chosen.map(({ candidate }) => candidate))).toEqual(coveredBy(all))
        for (const { candidate, alone } of chosen) {
          const others = chosen.filter((one) => one.candidate !== candidate).map((one) => one.candidate)
          expect(alone.length).toBeGreaterThan(0)
          expect([...alone]).toEqual([...candidate.elements].filter((one) => !coveredBy(others).includes(one)))
        }
      }),
    )
  })

  it('does not depend on the order in which candidates are given', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        expect(choose(all.toReversed(), ELEMENTS)).toEqual(choose(all, ELEMENTS))
      }),
    )
  })

  it('covers the same when there are too many candidates to remember', () => {
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 5 }), (all, most) => {
        const gathered = new Candidates<Candidate>(most)
        for (const one of all) gathered.add(one)
        expect(coveredBy(gathered.all())).toEqual(coveredBy(all))
      }),
    )
  })

  it('takes the smaller of equals, then the earlier, and the best first', () => {
    const chosen = choose([of(0, 9, 1, 2), of(1, 5, 1, 2), of(2, 5, 1, 2), of(3, 50, 3, 4, 5)], 6)
    expect(chosen.map(({ candidate }) => candidate.index)).toEqual([3, 1])
  })

  it('leaves out what later ones made needless', () => {
    // The first is the largest, but the others are needed, and cover it all.
    const chosen = choose([of(0, 1, 1, 2, 3, 4), of(1, 1, 1, 2, 5), of(2, 1, 3, 4, 6)], 7)
    expect(chosen.map(({ candidate }) => candidate.index)).toEqual([1, 2])
  })
})
