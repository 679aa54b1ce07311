import { expect, it } from 'vitest'
import { judgeOverall } from '../../../src/control-plane/evidence/tally/verdict.ts'
import { observe, observeEach, only, tallyOf } from './support/observing.ts'

/** The report on an operation with this many matching units. */
function report(operation: string, units: number) {
  const tally = tallyOf()
  for (const one of observeEach(units, { control: [1], candidate: [1] })) tally.record(one)
  return { ...only(tally), operation }
}

it('all operations are ready when each is, at a confidence high enough for all together', () => {
  const ids = Array.from({ length: 14 }, (_, at) => `o${at}`)
  const enough = report('any', 561)
  const all = ids.map((operation) => ({ ...enough, operation }))
  expect(judgeOverall(all, ids, 0.95)).toEqual({
    ...{ verdict: 'ready', confidence: 0.95, ready: 14, of: 14, together: 14, missing: [], says: 'ready' },
  })
  const few = [...all.slice(1), report('o0', 560)]
  expect(judgeOverall(few, ids, 0.95)).toMatchObject({
    ...{ verdict: 'insufficient data', ready: 14, of: 14, together: 13, missing: ['o0: units 560 of 561'] },
  })
})

it('names operations that differ or were not called, and leaves out those that cannot be compared', () => {
  const tally = tallyOf()
  tally.record(observe({ control: [1], candidate: [2], input: 'x' }))
  const differs = { ...only(tally), operation: 'differs' }
  expect(judgeOverall([differs, report('a-write', 1)], ['differs', 'silent'], 0.95)).toMatchObject({
    ...{ verdict: 'not ready', ready: 0, of: 2, missing: ['differs: not ready', 'silent: not called'] },
  })
  // What differs where nothing can be compared, as in a write that was only checked, is a veto too.
  const checked = { ...differs, operation: 'a-write' }
  expect(judgeOverall([report('any', 299), checked], ['any'], 0.95)).toMatchObject({
    ...{ verdict: 'not ready', ready: 1, of: 1, together: 1, missing: ['a-write: not ready'] },
  })
  expect(judgeOverall([], [], 0.95)).toMatchObject({ verdict: 'insufficient data', ready: 0, of: 0 })
})

it('counts what is proven even if it can no longer be compared, as all pages do', () => {
  const all = [report('one', 561), report('a-write', 561), report('another-write', 3)]
  expect(judgeOverall(all, ['one'], 0.95)).toMatchObject({
    verdict: 'ready',
    ready: 2,
    of: 2,
    together: 2,
    missing: [],
  })
})

it('names what an operation lacks in addition to units', () => {
  const lacking = { ...report('one', 10), missing: ['units 10 of 299', 'clients 1 of 3'] }
  expect(judgeOverall([lacking], ['one'], 0.95).missing).toEqual(['one: units 10 of 299, clients 1 of 3'])
})
