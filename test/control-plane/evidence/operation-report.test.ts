import { describe, expect, it } from 'vitest'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { expectationsFrom, lost, mappedExpectations } from './support/lines.ts'
import { criteriaOf, observe, only, reply, tallyOf } from './support/observing.ts'

const other = { control: { a: 1 }, candidate: { a: 2 } }

describe('the report of an operation', () => {
  it('is that of report.json, with its members in the same order', () => {
    const lines = mappedExpectations('invoice-list')
    const tally = createTally(() => criteriaOf(new Map([['invoice-list', lines]])))
    const page = (priceTry: string, ids = '1') =>
      `{"data":[{"id":${ids},"priceTry":${priceTry}}],"pagination":{"count":1,"page":1,"perPage":25,"lastPage":1}}`
    for (let line = 1; line <= 20; line++) {
      const candidate = [3, 7, 12].includes(line) ? page('2') : [4, 5].includes(line) ? reply('{}', 406) : page('1')
      tally.record(
        observe({
          control: page('1'),
          candidate,
          expectations: lines,
          operation: 'invoice-list',
          line,
          input: `${line}`,
        }),
      )
    }
    const [report] = tally.snapshot()
    expect(report).toMatchObject({
      operation: 'invoice-list',
      totals: { requests: 20, matched: 15, ignored: 0, mismatched: 5, failed: 0, skipped: 0 },
      verdict: 'not ready',
      target: 0.99,
      matchRate: 0.75,
      lowerBound: expect.closeTo(0.5444, 4),
      needed: 279,
      units: { distinct: 20, mismatched: 5, estimated: false },
      inputs: { distinct: 20, atLeast: false },
    })
    expect(report?.differences).toEqual([
      {
        kind: 'changed',
        path: 'data[].priceTry',
        v1Path: 'items[].priceTry',
        requests: 3,
        count: 3,
        drift: 0,
        noise: 0,
        ignored: null,
        details: null,
        lines: [3, 7, 12],
        ...{ since: null, until: null, clients: { distinct: 0, estimated: false } },
        mapping: { legacy: 'data[].priceTry', v1: 'items[].priceTry', change: 'same', reason: null },
        excusing: {
          rules: [],
          requests: 0,
          without: [expect.stringContaining('every other wrong value')],
        },
        shownBy: [],
      },
      {
        kind: 'status',
        path: '',
        v1Path: null,
        requests: 2,
        count: 2,
        drift: 0,
        noise: 0,
        ignored: null,
        details: { '200 → 406': 2 },
        lines: [4, 5],
        ...{ since: null, until: null, clients: { distinct: 0, estimated: false }, mapping: null },
        excusing: {
          rules: [{ operation: 'invoice-list', path: '', kind: 'status', details: '200 → 406', why: '' }],
          requests: 2,
        },
        shownBy: [],
      },
    ])
    expect(Object.keys(report ?? {})).toEqual([
      'operation',
      'totals',
      'verdict',
      'target',
      'confidence',
      'lowerBound',
      'missing',
      'matchRate',
      'needed',
      'against',
      'unexcusedRate',
      'units',
      'errors',
      'empty',
      'unjudged',
      'refusals',
      'account',
      'lists',
      'clients',
      'since',
      'until',
      'durations',
      'roundTrip',
      'droppedMembers',
      'checked',
      'differences',
      'inputs',
      'assumptions',
      'coverage',
      'exercised',
      'says',
      'lineage',
      'begunBy',
      'history',
    ])
    expect(Object.keys(report?.differences[0] ?? {}).join()).toBe(
      'kind,path,v1Path,requests,count,drift,noise,ignored,details,lines,since,until,clients,mapping,excusing,shownBy',
    )
    expect(Object.keys(report?.totals ?? {}).join()).toBe('requests,matched,ignored,mismatched,failed,skipped')
  })

  it('counts exchanges, and places within them', () => {
    const tally = tallyOf()
    const rows = (...rates: unknown[]) => rates.map((rate) => ({ rate }))
    tally.record(observe({ control: rows('a', 'b', 1), candidate: rows(null, null, 1) }))
    tally.record(observe({ control: rows('a', 2, 1), candidate: rows(null, null, 1) }))
    expect(only(tally).differences).toMatchObject([
      { kind: 'type', path: '[].rate', requests: 2, count: 4, details: { 'string → null': 3, 'number → null': 1 } },
    ])
  })

  it('has the first 20 line numbers, regardless of the order in which exchanges finish', () => {
    const tally = tallyOf()
    for (let line = 50; line > 0; line--) tally.record(observe({ ...other, line: line === 3 ? 100 : line }))
    expect(only(tally).differences[0]?.lines).toEqual([1, 2, ...Array.from({ length: 18 }, (_, at) => at + 4)])
    expect(only(tally).differences[0]?.requests).toBe(50)
  })

  it('has no line numbers if the exchanges have none', () => {
    const tally = tallyOf()
    tally.record(observe(other))
    expect(only(tally).differences[0]?.lines).toEqual([])
  })

  it('lists differences that count first, then by number of exchanges', () => {
    const tally = tallyOf(expectationsFrom([lost('gone', 'no more')]))
    const control = { gone: 1, a: 1, b: 1, c: 1 }
    tally.record(observe({ control, candidate: { gone: null, a: 1, b: 2, c: 2 } }))
    tally.record(observe({ control, candidate: { gone: null, a: 1, b: 1, c: 2 } }))
    tally.record(observe({ control, candidate: { gone: null, a: 2, b: 1, c: 1 } }))
    expect(only(tally).differences.map(({ path, ignored }) => [path, ignored])).toEqual([
      ['c', null],
      ['a', null],
      ['b', null],
      ['gone', 'loss: no more'],
    ])
  })

  it('has one difference per kind and path, even if both errors and successes show it', () => {
    const tally = tallyOf()
    tally.record(observe({ control: reply({ message: 'x' }, 400), candidate: reply({ message: 'y' }, 400), line: 2 }))
    expect(only(tally)).toMatchObject({
      totals: { ignored: 1, mismatched: 0 },
      verdict: 'insufficient data',
      differences: [
        { kind: 'changed', path: 'message', v1Path: 'message', requests: 1, ignored: 'wording', lines: [2] },
      ],
    })
    tally.record(observe({ control: { message: 'x' }, candidate: { message: 'y' }, line: 1 }))
    expect(only(tally)).toMatchObject({
      totals: { ignored: 1, mismatched: 1 },
      verdict: 'not ready',
      differences: [{ kind: 'changed', path: 'message', requests: 2, count: 2, ignored: null, lines: [1, 2] }],
    })
  })

  it('counts a difference that is only wording elsewhere, regardless of which comes first', () => {
    const tally = tallyOf()
    tally.record(observe({ control: { message: 'x' }, candidate: { message: 'y' } }))
    tally.record(observe({ control: reply({ message: 'x' }, 400), candidate: reply({ message: 'y' }, 400) }))
    expect(only(tally).differences).toMatchObject([{ path: 'message', requests: 2, ignored: null }])
  })
})
