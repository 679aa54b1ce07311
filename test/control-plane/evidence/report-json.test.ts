import { describe, expect, it } from 'vitest'
import { outcomeOf, type Report, reportJson } from '../../../src/control-plane/evidence/report/report-json.ts'
import { reportOn } from './support/reporting.ts'

describe('report.json', () => {
  it('has the version, the times, the totals and the operations', () => {
    const report = reportOn([
      { control: [{ id: 1 }], candidate: [{ id: 2 }] },
      {},
      { operation: 'thing-create', skip: 'a write' },
    ])
    const read = JSON.parse(reportJson(report)) as Report
    expect(Object.keys(read)).toEqual([
      'version',
      'startedAt',
      'finishedAt',
      'totals',
      'operations',
      'overall',
      'unjudgedLimit',
      'complete',
      'unreadable',
    ])
    expect(read).toMatchObject({
      version: 2,
      startedAt: '2025-01-01T00:00:00.000Z',
      finishedAt: '2025-01-01T00:01:02.500Z',
      totals: { requests: 3, matched: 1, ignored: 0, mismatched: 1, failed: 0, skipped: 1 },
    })
    expect(read.operations.map(({ operation, totals }) => [operation, totals.requests])).toEqual([
      ['thing-create', 1],
      ['thing-list', 2],
    ])
    expect(Object.keys(read.operations[1] ?? {}).slice(0, 3)).toEqual(['operation', 'totals', 'verdict'])
  })

  it('describes an operation with exactly its documented members', () => {
    const exchanges = Array.from({ length: 20 }, (_, index) =>
      [2, 6, 11].includes(index) ? { control: { rate: 1 }, candidate: { rate: 2 } } : {},
    )
    const [operation] = reportOn([
      ...exchanges.slice(0, 15),
      { control: [1], candidate: [] },
      { control: [1], candidate: [] },
      ...exchanges.slice(17),
    ]).operations
    expect(operation).toMatchObject({
      operation: 'thing-list',
      verdict: 'not ready',
      target: 0.99,
      matchRate: 0.75,
      needed: 279,
      differences: [
        {
          kind: 'changed',
          path: 'rate',
          requests: 3,
          count: 3,
          drift: 0,
          noise: 0,
          ignored: null,
          details: null,
          lines: [3, 7, 12],
        },
        { kind: 'length', path: '', requests: 2, count: 2, details: { '1 → 0': 2 }, lines: [16, 17] },
      ],
    })
    expect(operation?.lowerBound).toBeCloseTo(0.5444, 4)
  })

  it('says why exchanges were not compared, how often, and the first twenty lines in order', () => {
    const down = Array.from({ length: 25 }, (_, index) => ({ controlFailure: 'timeout', line: 100 - index }))
    const [operation] = reportOn([
      ...down,
      { controlFailure: 'unreachable', line: 7 },
      { skip: 'a write', line: 3 },
    ]).operations
    expect(operation?.uncompared).toEqual([
      {
        outcome: 'failed',
        reason: 'control: timeout',
        requests: 25,
        lines: Array.from({ length: 20 }, (_, index) => 76 + index),
      },
      { outcome: 'failed', reason: 'control: unreachable', requests: 1, lines: [7] },
      { outcome: 'skipped', reason: 'a write', requests: 1, lines: [3] },
    ])
  })

  it.each([
    ['everything matched, often enough', Array(299).fill({ control: [1] }), 'all ready'],
    ['differences are ignored', Array(299).fill({ control: [{ stamp: 1 }], candidate: [{ stamp: 2 }] }), 'all ready'],
    ['everything matched, but too seldom', [{ control: [1] }], 'not enough data'],
    ['everything was skipped', [{ skip: 'a write' }], 'not enough data'],
    ['something mismatched', [{}, { control: [1], candidate: [] }], 'difference'],
    ['v1 failed', [{}, { failure: 'timeout' }], 'difference'],
    ['legacy failed', [{}, { controlFailure: 'timeout' }], 'difference'],
  ])('where %s, it has shown: %3$s', (_, exchanges, outcome) => {
    expect(outcomeOf(reportOn(exchanges), new Set(['thing-list']))).toBe(outcome)
  })

  it('holds no values of bodies', () => {
    const text = reportJson(reportOn([{ control: [{ id: 1, name: 'Ayşe' }], candidate: [{ id: 1, name: 'Fatma' }] }]))
    expect(text).toContain('[].name')
    expect(text).not.toMatch(/Ayşe|Fatma/)
  })
})
