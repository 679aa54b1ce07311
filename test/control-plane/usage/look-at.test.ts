import { describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { bodyLinesOf, subjectOf } from '../../../src/control-plane/evidence/expected/mapping-lines.ts'
import { type LookAt, lookerAt } from '../../../src/control-plane/usage/look-at.ts'
import { NOTHING_SEEN } from '../../../src/control-plane/usage/usage.ts'
import { explain } from '../../../src/guide/lines/explain.ts'
import { noContent, type Operation, operation, post } from '../../../src/mapping/operation.ts'
import { body } from '../../../src/mapping/request.ts'
import { list, same, shape } from '../../../src/mapping/shape.ts'

const mapped = (id: string): Operation => operations.find((one) => one.id === id) as Operation
const looker = (id: string): LookAt => lookerAt(mapped(id), explain(mapped(id)))
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
const look = (id: string, body: unknown, answer: unknown = undefined, status = 200, query = '') =>
  looker(id)({
    request: { query, headers: {}, body: body === undefined ? new Uint8Array() : bytes(body) },
    answer: { status, body: answer === undefined ? new Uint8Array() : bytes(answer) },
  })
const SENT = { ...NOTHING_SEEN, calls: 1, languages: { tr: 1 } }

describe('a request of body parameters', () => {
  it('shows which members it sends, which empty, which with a removed value, and whether there are others', () => {
    const sent = { page: 1, search: '', statusId: 4, number: null, dateAtBetween: { startAt: '2025-01-01' } }
    expect(look('invoice-list', sent)).toEqual({
      ...SENT,
      members: { page: 1, statusId: 1, 'dateAtBetween.startAt': 1 },
      empty: { search: 1, number: 1 },
      removed: { statusId: 1 },
    })
    expect(look('invoice-list', { statusId: '2', dateAtBetween: { until: 1 } })).toEqual({
      ...{ ...SENT, members: { statusId: 1 }, other: 1 },
    })
    expect(look('invoice-list', {}, undefined, 200, 'page=1')).toEqual({ ...SENT, other: 1 })
  })

  it('that is no JSON, or no object, shows none', () => {
    for (const sent of [[], 'text', 5, null]) expect(look('invoice-list', sent)).toEqual(SENT)
    const text = looker('invoice-list')({
      request: { query: '', headers: { 'accept-language': 'en-GB' }, body: Buffer.from('{"page"') },
      answer: { status: 400, body: undefined },
    })
    expect(text).toEqual({ ...SENT, languages: { en: 1 } })
  })
})

describe('a request of query parameters', () => {
  it('shows the same; of a parameter that is there twice the last counts', () => {
    expect(look('country-list', undefined, undefined, 200, 'sortBy=size&id=&search=x&search=&lang=tr')).toEqual({
      ...SENT,
      members: { sortBy: 1 },
      forms: { 'sortBy: not sent: aaaa': 1 },
      empty: { id: 1, search: 1 },
      other: 1,
    })
  })
})

describe('a request whose body stays one', () => {
  it('shows members at any depth, once for all items, and unknown ones of closed objects', () => {
    const product = { hsCode: '6205', unitOfMeasure: { code: 'C62', name: 'Adet' } }
    const sent = { products: [product, { ...product, hsCode: null }], packages: [], recipientAddress: { city: 'Köln' } }
    const members = ['products', 'products[].hsCode', 'products[].unitOfMeasure.code', 'products[].unitOfMeasure.name']
    const shown = look('package', sent)
    expect(Object.keys(shown.members).sort()).toEqual([...members, 'recipientAddress', 'recipientAddress.city'].sort())
    expect(shown.empty).toEqual({ packages: 1, 'products[].hsCode': 1 })
    expect(shown.other).toBe(0)
    expect(look('package', { colour: 'red' }).other).toBe(1)
    // What is in this object is sent with it, whatever it is.
    expect(look('package', { products: [{ ...product, colour: 'red' }] }).other).toBe(0)
  })

  it('shows unknown members of closed objects', () => {
    const item = shape('Item', { id: same() }, { closed: true })
    const thing = shape('Thing', { items: list(item), 'at.place': same() })
    const details = { says: '', effect: 'write', authorization: 'token', response: noContent(204) } as const
    const mapping = operation('thing', { ...details, legacy: post('/a'), v1: post('/b'), request: body(thing) })
    const lookAt = lookerAt(mapping, explain(mapping))
    const other = (sent: unknown): number =>
      lookAt({ request: { query: '', headers: {}, body: bytes(sent) }, answer: { status: 204, body: undefined } }).other
    expect([{ items: [{ id: 1 }] }, { items: [{ id: 1 }, { name: 1 }] }, { at: { time: 1 } }].map(other)).toEqual([
      0, 1, 0,
    ])
  })

  it('and passes whole shows unknown members of its root only', () => {
    const row = { id: 7, length: 130, anything: { goes: 'here' } }
    expect(look('price', { packages: [row] })).toMatchObject({ members: { packages: 1, 'packages[].id': 1 }, other: 0 })
    expect(look('price', { packages: [row], countryId: 57 }).other).toBe(1)
  })

  it('of a login is not one of unknown members', () => {
    expect(look('auth', { clientId: 'a', secretKey: 'b' })).toEqual(SENT)
    expect(look('auth', { clientId: 'a', secretKey: 'b', more: 1 })).toEqual({ ...SENT, other: 1 })
  })
})

describe('an answer', () => {
  it('shows the members with a value, also what v1 has no longer', () => {
    const rows = [
      { id: 1, company: null },
      { company: null, currency: { code: 'TRY' }, nobodyKnows: 1 },
    ]
    expect(look('invoice-list', {}, { data: rows, pagination: { total: 2 } })).toMatchObject({
      answered: { 'data[].id': 1, 'data[].currency.code': 1 },
    })
    const { answered } = look('document', {}, { orderData: { a: 1 }, comment: null })
    expect(answered).toEqual({ orderData: 1 })
  })

  it('that is an error shows which members were wrong, without indices', () => {
    const violations = [
      'products[1].unitOfMeasure.code',
      'packages[0].length',
      'packages[3].length',
      'a secret',
      5,
    ].map((propertyPath) => ({ propertyPath, message: 'wrong' }))
    expect(look('package', {}, { message: 'no', violations }, 400)).toEqual({
      ...SENT,
      violations: { 'products[].unitOfMeasure.code': 1, 'packages[].length': 1, 'other members': 1 },
    })
    for (const wrong of [{ violations: 'x' }, { violations: [null, {}] }, [], 'text']) {
      expect(Object.keys(look('package', {}, wrong, 400).violations)).not.toContain('x')
    }
  })
})

describe('names', () => {
  it.each(operations.map(({ id }) => id))('of %s are those of its lines: its example shows all that it sends', (id) => {
    const mapping = mapped(id)
    const lines = explain(mapping)
    const legacy = new Set(
      [...bodyLinesOf(lines, 'request'), ...bodyLinesOf(lines, 'answer')].map((line) => line.legacy),
    )
    const request = mapping.example?.request ?? {}
    const isQuery = mapping.request.kind === 'query-parameters'
    const query = isQuery ? new URLSearchParams(request as Record<string, string>).toString() : ''
    const shown = look(id, isQuery ? undefined : request, mapping.example?.answer, 200, query)
    const names = [shown.members, shown.empty, shown.removed, shown.answered].flatMap((marks) => Object.keys(marks))
    expect(names.filter((name) => !legacy.has(name))).toEqual([])
    const known = bodyLinesOf(lines, 'request').filter((line) => line.legacy !== '' && subjectOf(line) === 'field')
    const sent = Object.keys(request).filter((name) => known.some((line) => line.legacy === name))
    expect(Object.keys({ ...shown.members, ...shown.empty })).toEqual(expect.arrayContaining(sent))
  })

  it('of a call that shows a thousand other names are none of these', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`secret-${n}`, 'x']))
    expect(JSON.stringify(look('package', many, many))).not.toContain('secret')
    expect(JSON.stringify(look('country-list', undefined, [many], 200, 'secret=1'))).not.toContain('secret')
  })
})
