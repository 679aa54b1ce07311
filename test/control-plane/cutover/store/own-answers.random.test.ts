import { expect, it } from 'vitest'
import { ownAnswers } from '../../../../src/control-plane/cutover/store/own-answers.ts'
import { runs } from '../../../support/random-runs.ts'
import { answered } from './support/made-up.ts'

type Outcome = 'works' | 'fails' | 'works, but nobody hears of it'

/** A store that adds each number once, and whose next transactions end as told. */
function ledger() {
  let sum = 0
  let stored = 0
  let writes = 0
  let next: () => Outcome = () => 'works'
  return {
    keep: ownAnswers('a process', async ({ number, answered }) => {
      writes++
      const outcome = next()
      if (outcome === 'fails') throw new Error('away')
      if (number > stored) for (const { v1 } of answered) sum += v1.calls
      stored = Math.max(stored, number)
      if (outcome !== 'works') throw new Error('away')
      return answered.map(({ operation, stage }) => `${operation} ${stage}`)
    }),
    sum: () => sum,
    writes: () => writes,
    will(outcome: typeof next) {
      next = outcome
    },
  }
}

const works = (): Outcome => 'works'

it('what is not new is not written again', async () => {
  const { keep, sum, writes } = ledger()
  for (let time = 0; time < 3; time++) await keep([answered(1, 5)])
  expect([sum(), writes()]).toEqual([5, 1])
})

it('what could not be stored is stored with the next', async () => {
  const { keep, sum, will } = ledger()
  for (const calls of [1, 2, 3]) {
    will(() => 'fails')
    await expect(keep([answered(1, calls)])).rejects.toThrow('away')
  }
  will(works)
  await keep([answered(1, 4)])
  expect(sum()).toBe(4)
})

it('in any order of failures everything counts once', async () => {
  // The same numbers each time (D. H. Lehmer, 1951).
  let seed = 42
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const outcomes: readonly Outcome[] = ['works', 'fails', 'works, but nobody hears of it']
  for (let run = 0; run < runs(300); run++) {
    const { keep, sum, will } = ledger()
    let calls = 0
    for (let turn = 0; turn < 20; turn++) {
      calls += random(3)
      will(() => outcomes[random(outcomes.length)] ?? 'works')
      await keep([answered(1, calls)]).catch(() => undefined)
      expect(sum()).toBeLessThanOrEqual(calls)
    }
    will(works)
    await keep([answered(1, calls)])
    expect(sum()).toBe(calls)
  }
})
