import { describe, expect, it } from 'vitest'
import { expectationsOf } from '../../../src/control-plane/evidence/expected/expectations.ts'
import type { IgnoreRule } from '../../../src/control-plane/evidence/expected/ignore-rule.ts'
import { operationCounts } from '../../../src/control-plane/evidence/tally/operation-counts.ts'
import { createTally, type Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { checkWrite } from '../../../src/control-plane/evidence/writes/check-write.ts'
import { roundTripper } from '../../../src/engine/round-trip.ts'
import { explain } from '../../../src/guide/lines/explain.ts'
import { type Operation, record } from '../../../src/mapping/operation.ts'
import { body as bodyOf } from '../../../src/mapping/request.ts'
import { list, type Shape, same, shape } from '../../../src/mapping/shape.ts'
import { createThing } from '../../support/made-up-operations.ts'
import { criteriaOf, only, reply } from './support/observing.ts'

const expectations = expectationsOf(createThing, explain(createThing))
const thing = { id: 7, title: 'A', createdAt: '2025-01-31T10:24:19+00:00', parts: [], color: null }

/** Checks a write that legacy has answered. */
function check(
  body: object,
  answer: unknown,
  { status = 200, refusal = null as number | null, budgetMs = 1_000, expected = expectations, of = createThing } = {},
) {
  const request = {
    method: 'POST',
    path: '/api/thing',
    query: '',
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
  }
  return checkWrite(
    {
      ...{ operation: 'thing-create', expectations: expected, request, answer: reply(answer, status), budgetMs },
      ...{ input: JSON.stringify(body), client: 'c', at: new Date(0) },
    },
    { refusal: () => refusal, roundTrip: roundTripper(of) },
  )
}

const tally = (): Tally => createTally(() => criteriaOf(new Map([['thing-create', expectations]])))

/** The mapping with another request. */
const operationWith = (request: Shape) => {
  const of = { ...createThing, request: bodyOf(request) }
  return { of, expected: expectationsOf(of, explain(of)) }
}

/** A thing whose id is promised to be a whole number. */
const numbered: Operation = {
  ...createThing,
  response: record(shape('Numbered', { id: same('int') }), { v1Status: 201 }),
}
const numberedAs = (ignore: readonly IgnoreRule[] = []) => ({
  of: numbered,
  expected: expectationsOf(numbered, explain(numbered), ignore),
})

describe('a write that is checked without sending it', () => {
  it('is skipped if legacy refused it or failed, and not judged if legacy’s answer cannot be read', () => {
    for (const status of [400, 406, 500]) expect(check({}, thing, { status })).not.toHaveProperty('writes')
    expect(check({}, '<html>')).toMatchObject({
      ...{ outcome: 'skipped', isUnjudged: true, reason: 'control: malformed: HTML or XML' },
    })
  })

  it('names members that no line carries, in objects and lists too, and at most 50', () => {
    const wanted = {
      ...{ title: 'A', size: { width: 1, depth: 2 }, 'a b': 1 },
      parts: [{ code: 'x', open: 1 }, 'y', { code: 'z' }],
    }
    expect(check(wanted, thing).writes?.dropped).toEqual(['size.depth', '["a b"]'])
    expect(check({ size: 'large' }, thing).writes?.dropped).toEqual(['size'])
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`m${at}`, at]))
    expect(check(many, thing).writes?.dropped).toHaveLength(50)
  })

  it('differs by each member that no line carries, at each place, but not by those that ask for nothing', () => {
    const empty = { gone: null, nothing: '', none: [], no: {}, size: { width: 1 } }
    expect(check(empty, thing)).toMatchObject({ outcome: 'skipped', differences: [] })
    const wanted = { ...empty, zero: 0, off: false, list: [null], size: { depth: 2 } }
    const found = check(wanted, thing)
    expect(found).toMatchObject({ outcome: 'mismatched', counts: [true, true, true, true] })
    const place = { part: 'request', kind: 'dropped', count: 1, standing: 'counts' }
    expect(found.differences).toEqual(
      ['size.depth', 'zero', 'off', 'list'].map((path) => expect.objectContaining({ ...place, path })),
    )
    // Values are never shown: no line tells which are personal.
    expect(found.examples.every(({ control, candidate }) => (control ?? candidate) === undefined)).toBe(true)
    const items = { parts: [{ code: 'x', open: 1 }, { code: 'y', open: 2 }, { code: 'z' }] }
    const closed = operationWith(shape('Order', { parts: list(shape('Part', { code: same() }, { closed: true })) }))
    expect(check(items, thing, closed).differences).toMatchObject([{ path: 'parts[].open', count: 2 }])
  })

  it('differs by further members too where there are too many to name, until a rule excuses all', () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`m${at}`, at]))
    const rules = Object.keys(many).map((path) => ({
      operation: 'thing-create',
      path,
      kind: 'dropped' as const,
      why: 'x',
    }))
    const by = (ignore: readonly IgnoreRule[]) => ({
      expected: expectationsOf(createThing, explain(createThing), ignore),
    })
    const named = check(many, thing, by(rules))
    expect(named.differences.filter((_, index) => named.counts[index])).toMatchObject([{ path: '', count: 30 }])
    const all = { operation: 'thing-create', path: '', kind: 'dropped', why: 'y' } as const
    expect(check(many, thing, by([all]))).toMatchObject({ outcome: 'skipped' })
  })

  it('is excused by a rule of this kind only: others are about answers', () => {
    const by = (rule: Partial<IgnoreRule>) => ({
      expected: expectationsOf(createThing, explain(createThing), [
        { operation: 'thing-create', path: 'extra', why: 'x', ...rule },
      ]),
    })
    expect(check({ extra: 1 }, thing, by({}))).toMatchObject({ outcome: 'mismatched' })
    expect(check({ extra: 1 }, thing, by({ kind: 'missing' }))).toMatchObject({ outcome: 'mismatched' })
    expect(check({ extra: { of: 1 } }, thing, by({ kind: 'dropped' }))).toMatchObject({ outcome: 'skipped' })
  })

  it('differs if the mapping promises a whole number and the value is not one: that is more than number form', () => {
    for (const id of ['7.5', '7.00000000000000001']) {
      const found = check({}, `{"id":${id}}`, numberedAs())
      expect(found).toMatchObject({ outcome: 'mismatched', reason: null })
      const counted = tally()
      counted.record(found)
      expect(only(counted)).toMatchObject({
        verdict: 'not ready',
        differences: [{ path: 'id', from: 'round trip', ignored: null, details: { 'fraction → integer': 1 } }],
      })
    }
    expect(check({}, '{"id":7.0}', numberedAs())).toMatchObject({ outcome: 'skipped' })
  })

  it('is skipped while a rule excuses the one change that it shows', () => {
    const rule = { operation: 'thing-create', path: 'id', kind: 'type', details: 'string → integer', why: 'x' } as const
    expect(check({}, { id: '7' }, numberedAs([rule]))).toMatchObject({ outcome: 'skipped' })
    expect(check({}, { id: true }, numberedAs([rule]))).toMatchObject({ outcome: 'mismatched' })
    expect(check({}, { id: '7' }, numberedAs())).toMatchObject({ outcome: 'mismatched' })
  })

  it('is not judged if the check takes too long', () => {
    const parts = Array.from({ length: 5_000 }, (_, at) => ({ code: `${at}`, weight: at }))
    expect(check({}, { ...thing, parts }, { budgetMs: -1 })).toMatchObject({ isUnjudged: true, reason: 'too costly' })
  })

  it('has the same counts after they were stored', () => {
    const one = tally()
    one.record(check({ extra: 1 }, thing))
    one.record(check({ extra: 1 }, { ...thing, extra: 1, color: 'red' }))
    one.record(check({}, thing, { refusal: 400 }))
    const stored = JSON.parse(JSON.stringify(one.exportCounts())) as readonly object[]
    const other = tally()
    other.importCounts(stored.map((counts) => operationCounts.parse(counts)))
    expect(only(other)).toEqual(only(one))
    expect(only(other)).toMatchObject({
      ...{ roundTrip: { checked: 3, differed: 1 }, droppedMembers: { extra: 2 }, units: { distinct: 0 } },
      checked: { writes: 3, units: { distinct: 2 }, inputs: { distinct: 2 }, clients: { distinct: 1 } },
      differences: [
        { kind: 'dropped', path: 'extra', requests: 2 },
        { kind: 'status', details: { '200 → 400': 1 } },
        { kind: 'missing', path: 'extra', from: 'round trip' },
        { kind: 'type', path: 'color', from: 'round trip', ignored: 'loss: v1 knows no colours' },
      ],
    })
  })

  it('does not appear in results that older versions stored', () => {
    const one = tally()
    one.record(check({ extra: 1 }, thing))
    const stored = one.exportCounts().map(({ roundTrips: _, droppedMembers: __, checked: ___, ...before }) => before)
    const other = tally()
    other.importCounts(stored.map((counts) => operationCounts.parse(counts)))
    expect(only(other)).toMatchObject({ roundTrip: null, droppedMembers: {}, checked: null })
  })

  it('is counted as checked in results of a version that counted only the round trips', () => {
    const one = tally()
    one.record(check({}, thing))
    const stored = one.exportCounts().map(({ checked: _, ...before }) => before)
    const other = tally()
    other.importCounts(stored.map((counts) => operationCounts.parse(counts)))
    other.record(check({}, thing))
    expect(only(other)).toMatchObject({ checked: { writes: 2, inputs: { distinct: 1 } }, totals: { skipped: 2 } })
  })
})
