import { describe, expect, it } from 'vitest'
import { type Reset, Resets } from '../../../src/control-plane/evidence/tally/resets.ts'
import { createTally, type Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { expectationsFrom } from './support/lines.ts'
import { criteriaOf, observe, only } from './support/observing.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const same = { control: { a: 1 }, candidate: { a: 1 } }
const other = { control: { a: 1 }, candidate: { a: 2 } }
const told = { by: 'Ada', why: 'v1 was repaired' }

function resettable(now = () => NOW + 10_000) {
  const resets = new Resets(now)
  const tally = createTally(() => criteriaOf(new Map([['made-up', expectationsFrom([])]])), resets)
  const reset = (at: number): void => {
    const lineage = tally.lineageOf({ operation: 'made-up', releases: undefined, at: undefined })
    const iso = new Date(at).toISOString()
    const before: Reset['before'] = { lineage, verdict: 'not ready', requests: 1 }
    resets.add({ id: iso, operation: 'made-up', at: iso, ...told, before })
  }
  return { tally, reset, resets }
}

function record(tally: Tally, from: number, count: number, seen: object = same, release?: string): void {
  for (let at = 0; at < count; at++) {
    const seenHere = observe({ ...same, ...seen, input: `${from} ${at}`, at: new Date(from + at) })
    tally.record({ ...seenHere, releases: { v1: release, legacy: undefined } })
  }
}

describe('evidence that was reset', () => {
  it('is judged by what came after; what came before is history, with who ended it and why', () => {
    const { tally, reset } = resettable()
    record(tally, NOW, 1, other, '7')
    reset(NOW + 1_000)
    expect(only(tally)).toMatchObject({
      ...{ verdict: 'insufficient data', totals: { requests: 0 }, differences: [] },
      begunBy: { at: '2026-11-22T12:00:01.000Z', ...told },
      history: [{ verdict: 'not ready', requests: 1, endedBy: { at: '2026-11-22T12:00:01.000Z', ...told } }],
    })
    record(tally, NOW + 2_000, 299, same, '7')
    expect(only(tally)).toMatchObject({
      verdict: 'ready',
      lineage: { v1: '7', reset: '2026-11-22T12:00:01.000Z' },
      history: [{ requests: 1 }],
    })
  })

  it('has a call from before the reset in its history, even if it is compared later', () => {
    const { tally, reset } = resettable()
    record(tally, NOW, 1)
    reset(NOW + 1_000)
    record(tally, NOW + 500, 1, other)
    record(tally, NOW + 1_000, 3)
    expect(only(tally)).toMatchObject({
      totals: { requests: 3, mismatched: 0 },
      history: [{ requests: 2, verdict: 'not ready' }],
    })
  })

  it('counts calls after the clock was set back', () => {
    const { tally, reset } = resettable(() => NOW)
    reset(NOW + 3_600_000)
    record(tally, NOW, 3)
    expect(only(tally)).toMatchObject({ totals: { requests: 3 }, history: [] })
  })

  it('takes an answer without a release as one of the release seen last', () => {
    const { tally, reset } = resettable()
    record(tally, NOW, 1, same, '7')
    reset(NOW + 1_000)
    record(tally, NOW + 2_000, 1, { candidate: { failure: 'timeout' } })
    expect(only(tally)).toMatchObject({ totals: { mismatched: 1 }, lineage: { v1: '7' } })
  })

  it('stays reset for a later release', () => {
    const { tally, reset } = resettable()
    record(tally, NOW, 1, other, '7')
    reset(NOW + 1_000)
    record(tally, NOW + 2_000, 1, same, '8')
    const anew = { lineage: { v1: '8' }, totals: { mismatched: 0 }, begunBy: told, history: [{ lineage: { v1: '7' } }] }
    expect(only(tally)).toMatchObject(anew)
  })

  it('ends with a second reset', () => {
    const { tally, reset } = resettable()
    record(tally, NOW, 1)
    reset(NOW + 1_000)
    record(tally, NOW + 2_000, 2)
    reset(NOW + 3_000)
    const ends = only(tally).history.map(({ requests, endedBy }) => [requests, endedBy?.at])
    expect(ends).toEqual([
      [2, '2026-11-22T12:00:03.000Z'],
      [1, '2026-11-22T12:00:01.000Z'],
    ])
  })

  it('is stored and read like any other', () => {
    const { tally, reset, resets } = resettable()
    record(tally, NOW, 1)
    reset(NOW + 1_000)
    record(tally, NOW + 2_000, 2)
    const again = createTally(() => criteriaOf(new Map([['made-up', expectationsFrom([])]])), resets)
    again.importCounts(JSON.parse(JSON.stringify(tally.exportCounts())))
    expect(again.snapshot()).toEqual(tally.snapshot())
  })

  it('takes bounded memory for its resets', () => {
    const { reset, resets } = resettable()
    for (let at = 0; at < 100; at++) reset(NOW + at)
    expect(resets.all()).toHaveLength(21)
    expect(resets.latest('made-up')?.at).toBe(new Date(NOW + 99).toISOString())
  })
})
