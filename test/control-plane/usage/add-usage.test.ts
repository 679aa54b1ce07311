import { describe, expect, it } from 'vitest'
import {
  addSeen,
  addUsage,
  MOST_MARKS,
  NOTHING_SEEN,
  type UsageCounts,
} from '../../../src/control-plane/usage/usage.ts'

const counts = (given: Partial<UsageCounts>): UsageCounts => ({
  ...{ calls: 1, clientErrors: 0, serverErrors: 0, byV1: 1, byLegacy: 0, agents: [], seen: NOTHING_SEEN },
  ...{ firstAt: '2026-03-01T10:00:00.000Z', lastAt: '2026-03-01T10:00:00.000Z' },
  ...given,
})

describe('two counts of the same client and operation', () => {
  it('are added, in any order', () => {
    const one = counts({
      calls: 3,
      clientErrors: 1,
      byLegacy: 2,
      lastAt: '2026-03-01T12:00:00.000Z',
      agents: ['a', 'b'],
    })
    const other = counts({ calls: 5, serverErrors: 4, firstAt: '2026-02-27T09:00:00.000Z', agents: ['b', 'c'] })
    const sum = counts({
      ...{ calls: 8, clientErrors: 1, serverErrors: 4, byV1: 2, byLegacy: 2 },
      ...{ firstAt: '2026-02-27T09:00:00.000Z', lastAt: '2026-03-01T12:00:00.000Z', agents: ['a', 'b', 'c'] },
    })
    expect(addUsage(one, other)).toEqual(sum)
    expect(addUsage(other, one)).toEqual(sum)
  })

  it('keep five user agents, those of the later calls', () => {
    const later = counts({ lastAt: '2026-03-02T00:00:00.000Z', agents: ['1', '2', '3'] })
    const earlier = counts({ agents: ['4', '5', '6'] })
    expect(addUsage(earlier, later).agents).toEqual(['1', '2', '3', '4', '5'])
  })
})

describe('what calls showed', () => {
  it('is added by name', () => {
    const one = { ...NOTHING_SEEN, calls: 2, members: { page: 2 }, other: 1, statuses: { 200: 2 } }
    const other = { ...NOTHING_SEEN, calls: 1, members: { page: 1, size: 1 }, statuses: { '406 GONE': 1 } }
    expect(addSeen(one, other)).toEqual({
      ...{ ...NOTHING_SEEN, calls: 3, members: { page: 3, size: 1 }, other: 1 },
      statuses: { 200: 2, '406 GONE': 1 },
    })
  })

  it('has a bound: names beyond it count together', () => {
    const named = (from: number, many: number) =>
      Object.fromEntries(Array.from({ length: many }, (_, at) => [`name-${from + at}`, 1]))
    let seen = NOTHING_SEEN
    for (let from = 0; from < 1000; from += 100) seen = addSeen(seen, { ...NOTHING_SEEN, statuses: named(from, 100) })
    expect(Object.keys(seen.statuses)).toHaveLength(MOST_MARKS)
    expect(seen.statuses).toMatchObject({ 'name-0': 1, other: 1001 - MOST_MARKS })
  })
})
