import { describe, expect, it } from 'vitest'
import { expectationsOf } from '../../../src/control-plane/evidence/expected/expectations.ts'
import { mappingHash, mappingsHash } from '../../../src/control-plane/evidence/lineage.ts'
import { createTally, type Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import type { Requirements } from '../../../src/control-plane/evidence/tally/verdict.ts'
import { oneOf } from '../../../src/mapping/reader.ts'
import { query, queryParameters } from '../../../src/mapping/request.ts'
import { createThing, listThings } from '../../support/made-up-operations.ts'
import { expectationsFrom } from './support/lines.ts'
import { criteriaOf, demands, observeEach, only, tallyOf } from './support/observing.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 22, 12)
const same = { control: { a: 1 }, candidate: { a: 1 } }
const other = { control: { a: 1 }, candidate: { a: 2 } }

/** Exchanges with a release of v1, from a time on, each with its own input. */
function record(tally: Tally, release: string | undefined, from: number, count: number, asked: object = same): void {
  const releases = { v1: release, legacy: undefined }
  for (const one of observeEach(count, { ...same, ...asked, at: new Date(from) })) tally.record({ ...one, releases })
}

describe('the verdict is about the newest version only', () => {
  it('a new release of v1 that breaks nothing has proven nothing yet', () => {
    const tally = tallyOf()
    record(tally, '1', NOW, 400)
    expect(only(tally)).toMatchObject({ verdict: 'ready', lineage: { v1: '1' }, history: [] })
    record(tally, '2', NOW + HOUR, 10)
    expect(only(tally)).toMatchObject({
      verdict: 'insufficient data',
      totals: { requests: 10 },
      lineage: { v1: '2', legacy: null },
      history: [{ lineage: { v1: '1' }, verdict: 'ready', requests: 400, since: new Date(NOW).toISOString() }],
    })
  })

  it('a breaking release is not ready, and the release that fixes it is judged by itself', () => {
    const tally = tallyOf()
    record(tally, '1', NOW, 400)
    record(tally, '2', NOW + HOUR, 1, other)
    expect(only(tally).verdict).toBe('not ready')
    record(tally, '3', NOW + 2 * HOUR, 400)
    expect(only(tally)).toMatchObject({ verdict: 'ready', differences: [], history: [{ verdict: 'not ready' }, {}] })
  })

  it('during a rolling update it is about the release that appeared last, regardless of which answered last', () => {
    const tally = tallyOf()
    record(tally, '1', NOW, 400)
    record(tally, '2', NOW + 1_000, 5)
    record(tally, '1', NOW + 2_000, 5)
    expect(only(tally).lineage.v1).toBe('2')
  })

  it('after a rollback it is about the release that is back, with all its earlier results', () => {
    const tally = tallyOf()
    record(tally, '1', NOW, 400)
    record(tally, '2', NOW + 1_000, 5, other)
    record(tally, '1', NOW + HOUR, 1)
    expect(only(tally)).toMatchObject({ verdict: 'ready', lineage: { v1: '1' }, history: [{ lineage: { v1: '2' } }] })
  })

  it('an answer without a release belongs to the release seen last', () => {
    const tally = tallyOf()
    record(tally, '1', NOW, 5)
    record(tally, undefined, NOW + HOUR, 1, { candidate: { failure: 'timeout' } })
    expect(only(tally)).toMatchObject({ totals: { requests: 6, mismatched: 1 }, lineage: { v1: '1' } })
  })

  it('a mismatch is never forgotten', () => {
    const tally = tallyOf()
    record(tally, '1', NOW, 1, other)
    record(tally, '1', NOW + 92 * 24 * HOUR, 1_000)
    expect(only(tally)).toMatchObject({ verdict: 'not ready', totals: { mismatched: 1 } })
  })

  it('another mapping starts over, even before its first call', () => {
    const [old, changed] = [listThings, { ...listThings, effect: 'calculation' as const }]
    let mapping = old
    const tally = createTally(() => criteriaOf(new Map([['made-up', expectationsOf(mapping, [])]])))
    const rows = { control: [1], candidate: [1] }
    for (const one of observeEach(400, { ...rows, at: new Date(NOW) })) tally.record(one)
    expect(only(tally)).toMatchObject({ verdict: 'ready', lineage: { mapping: mappingHash(old) } })
    mapping = changed
    expect(only(tally)).toMatchObject({
      verdict: 'insufficient data',
      totals: { requests: 0 },
      lineage: { mapping: mappingHash(changed), v1: null, legacy: null },
      history: [{ lineage: { mapping: mappingHash(old) }, requests: 400 }],
    })
    mapping = old
    expect(only(tally).verdict).toBe('ready')
  })

  it('the history has at most twenty older ones', () => {
    const tally = tallyOf()
    for (let release = 1; release <= 25; release++) record(tally, `${release}`, NOW + release * HOUR, 1)
    const { history } = only(tally)
    expect(history).toHaveLength(20)
    expect(history[0]?.lineage.v1).toBe('24')
    // No more are kept: a service may report another release with each answer.
    expect(tally.exportCounts()).toHaveLength(21)
  })
})

describe('a clock that was wrong for one call', () => {
  const DAY = 24 * HOUR
  /** A tally that is read at a time that a test sets. */
  function clocked(require: Requirements = {}) {
    const clock = { now: NOW }
    const tally = createTally(() => ({
      ...criteriaOf(new Map([['made-up', expectationsFrom([])]])),
      demandsOf: () => ({ ...demands(), require, fresh: { hours: 48, since: clock.now - 2 * DAY } }),
      now: () => clock.now,
    }))
    return { clock, tally }
  }

  it('does not tie the verdict to the release that answered it', () => {
    const { clock, tally } = clocked()
    record(tally, 'A', NOW, 400)
    record(tally, 'A', NOW + 30 * DAY, 1)
    clock.now = NOW + DAY
    expect(only(tally)).toMatchObject({ verdict: 'ready', lineage: { v1: 'A' } })
    for (let day = 1; day < 20; day++) record(tally, 'B', NOW + day * DAY, 5, other)
    clock.now = NOW + 19 * DAY + HOUR
    expect(only(tally)).toMatchObject({
      ...{ verdict: 'not ready', lineage: { v1: 'B' }, totals: { mismatched: 95 } },
      history: [{ lineage: { v1: 'A' }, since: new Date(NOW).toISOString(), until: new Date(NOW).toISOString() }],
    })
  })

  it('does not make a release the newest that it alone has seen', () => {
    const { tally } = clocked()
    record(tally, 'A', NOW - HOUR, 400)
    record(tally, 'B', NOW + 30 * DAY, 1)
    expect(only(tally)).toMatchObject({
      ...{ verdict: 'ready', lineage: { v1: 'A' } },
      history: [{ lineage: { v1: 'B' }, since: null, until: null }],
    })
  })

  it('makes no evidence recent', () => {
    const { clock, tally } = clocked()
    record(tally, 'A', NOW, 400)
    record(tally, 'A', NOW + 30 * DAY, 1)
    clock.now = NOW + 3 * DAY
    const missing = ['a comparison in the last 48 hours']
    expect(only(tally)).toMatchObject({ verdict: 'insufficient data', missing })
  })

  it.each([
    ['ahead', 30 * DAY],
    ['never set', -NOW],
  ])('makes no evidence last longer than it did: %s', (_, off) => {
    const { clock, tally } = clocked({ hours: 2 })
    record(tally, 'A', NOW, 400, other)
    record(tally, 'A', NOW + off, 1, other)
    clock.now = NOW + HOUR
    const { missing, since, until, differences } = only(tally)
    expect(missing).toEqual(['hours 0 of 2'])
    const seen = { since: new Date(NOW).toISOString(), until: expect.stringMatching(/^2026-11-22T12:00:00/) }
    expect([{ since, until }, differences[0]]).toEqual([seen, expect.objectContaining(seen)])
  })

  it('keeps no old release in place of a newer one where there is no room for both', () => {
    const { tally } = clocked()
    record(tally, 'old', NOW - 100 * DAY, 5)
    record(tally, 'old', NOW + 30 * DAY, 1)
    for (let release = 1; release <= 21; release++) record(tally, `${release}`, NOW - DAY + release * HOUR, 1)
    const kept = tally.exportCounts().map(({ lineage }) => lineage.v1)
    expect(kept).toHaveLength(21)
    expect(kept).toContain('1')
    expect(kept).not.toContain('old')
  })

  it('is believed if it was ahead by less than a minute, but no time is shown that is still to come', () => {
    const { tally } = clocked()
    record(tally, 'A', NOW - HOUR, 400)
    record(tally, 'B', NOW + 60_000, 1)
    const now = new Date(NOW).toISOString()
    expect(only(tally)).toMatchObject({ lineage: { v1: 'B' }, since: now, until: now })
  })
})

it('a hash of the mapping has twelve hex digits, and changes with anything in the mapping', () => {
  expect(mappingHash(listThings)).toMatch(/^[0-9a-f]{12}$/)
  expect(mappingHash({ ...listThings, says: 'In other words.' })).toBe(mappingHash(listThings))
  expect(mappingHash({ ...listThings, effect: 'write' })).not.toBe(mappingHash(listThings))
  const sortedBy = (target: string) =>
    mappingHash({ ...listThings, request: queryParameters({ sort: query(oneOf(['name'], { rate: target })) }) })
  expect(sortedBy('buying')).toBe(sortedBy('buying'))
  expect(sortedBy('buying')).not.toBe(sortedBy('selling'))
})

it('gateways that translate alike have the same hash of all mappings', () => {
  const both = mappingsHash([listThings, createThing])
  expect(both).toMatch(/^[0-9a-f]{12}$/)
  expect(mappingsHash([createThing, listThings])).toBe(both)
  expect(mappingsHash([createThing, { ...listThings, effect: 'write' }])).not.toBe(both)
  expect(mappingsHash([listThings])).not.toBe(both)
})
