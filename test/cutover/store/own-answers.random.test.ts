import { expect, it } from 'vitest'
import type { Fate } from '../../../src/cutover/store/answered-rows.ts'
import { OwnAnswers } from '../../../src/cutover/store/own-answers.ts'
import { runs } from '../../support/random-runs.ts'
import { answered } from './support/made-up.ts'

type Outcome = 'works' | 'fails' | 'works, but nobody hears of it'

/** A table with the row of one process, whose next changes end as told. */
function table() {
  let row: number | undefined
  let folded = 0
  let writes = 0
  let next: () => Outcome = () => 'works'
  const ending = <Result>(change: () => Result): Result => {
    const outcome = next()
    if (outcome === 'fails') throw new Error('away')
    const result = change()
    if (outcome !== 'works') throw new Error('away')
    return result
  }
  return {
    own: new OwnAnswers({
      begin: async () =>
        ending(() => {
          row ??= 0
        }),
      write: async (answered) => {
        writes++
        return ending(() =>
          answered.map(({ v1 }): Fate => {
            if (row === undefined) return 'gone'
            row = v1.calls
            return 'stored'
          }),
        )
      },
    }),
    fold() {
      folded += row ?? 0
      row = undefined
    },
    sum: () => folded + (row ?? 0),
    writes: () => writes,
    will(outcome: typeof next) {
      next = outcome
    },
  }
}

const works = (): Outcome => 'works'

it('what is not new is not written again', async () => {
  const { own, sum, writes } = table()
  for (let time = 0; time < 3; time++) await own.keep([answered(1, 5)])
  expect([sum(), writes()]).toEqual([5, 1])
})

it('what could not be stored is stored with the next', async () => {
  const { own, sum, will } = table()
  for (const calls of [1, 2, 3]) {
    will(() => 'fails')
    await expect(own.keep([answered(1, calls)])).rejects.toThrow('away')
  }
  will(works)
  await own.keep([answered(1, 4)])
  expect(sum()).toBe(4)
})

it('nothing counts twice when a row is folded that was stored, and nobody heard of it', async () => {
  const { own, sum, will, fold } = table()
  await own.keep([answered(1, 5)])
  will(() => 'works, but nobody hears of it')
  await expect(own.keep([answered(1, 7)])).rejects.toThrow('away')
  fold()
  will(works)
  await own.keep([answered(1, 10)])
  expect(sum()).toBe(10)
  await own.keep([answered(1, 11)])
  expect(sum()).toBe(11)
})

it.each([
  ['of failures', ['works', 'fails', 'works, but nobody hears of it'], false],
  ['of failures and folding', ['works', 'fails', 'works, but nobody hears of it'], true],
] as const)('in any order %s nothing counts twice', async (_, outcomes, isFolded) => {
  // The same numbers each time (D. H. Lehmer, 1951).
  let seed = 42
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let run = 0; run < runs(300); run++) {
    const { own, sum, will, fold } = table()
    let calls = 0
    for (let turn = 0; turn < 20; turn++) {
      calls += random(3)
      will(() => outcomes[random(outcomes.length)] ?? 'works')
      await own.keep([answered(1, calls)]).catch(() => undefined)
      if (isFolded && random(3) === 0) fold()
      expect(sum()).toBeLessThanOrEqual(calls)
    }
    will(works)
    await own.keep([answered(1, calls + 1)])
    const before = sum()
    // Only what was under way when it was folded can be missing.
    if (!isFolded) expect(before).toBe(calls + 1)
    fold()
    await own.keep([answered(1, calls + 5)])
    expect(sum()).toBe(before + 4)
  }
})
