import { describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { comparableOf } from '../../../src/control-plane/evidence/comparable.ts'
import { neededBy, requestOf } from '../../../src/recordings/probe/draft.ts'
import { planAgain, planFirst, planRest } from '../../../src/recordings/probe/plan-requests.ts'
import { readSeen, SeenValues } from '../../../src/recordings/probe/seen-values.ts'
import orderList from '../../mappings/added/order-list.ts'
import { INVOICES, known, mapped, rest, said, sent } from './support.ts'

const COUNTRIES = [{ id: 57, code: 'DE', name: 'Almanya' }]
const invoices = said(rest('invoice-list', { 'invoice-list': INVOICES }))

describe('the plan of a probe', () => {
  it('asks first for what shows values', () => {
    expect(sent(planFirst([mapped('invoice-list'), mapped('country-list'), mapped('validate-destination')]))).toEqual([
      '{}',
      '/country/all',
      '{"countryId":57,"city":"Köln","zipCode":"50667"}',
    ])
  })

  it('asks again with seen values where the example showed nothing', () => {
    const seen = known({ 'country-list': [{ id: 3 }, { id: 8 }], price: [] })
    const drafts = planAgain([mapped('country-list'), mapped('price')], seen)
    expect(said(drafts)[0]).toContain('countryId=<country-list id>')
    const bodies = sent(drafts).map((body) => JSON.parse(body))
    expect(bodies.map(({ countryId }) => countryId)).toEqual([3, 8])
    expect(bodies.every(({ packages }) => packages.length === 1)).toBe(true)
  })

  it('asks each parameter alone, with a value that was seen', () => {
    expect(invoices.slice(0, 8)).toEqual([
      ...['search=<number>', 'id=<id>', 'number=<number>', 'isPayment=true', 'statusId=<status.id>'],
      ...['dateAtBetween.startAt=<dateAt>', 'dateAtBetween.endAt=<dateAt>'],
      'paymentExpirationAtBetween.startAt=<paymentExpirationAt>',
    ])
    expect(invoices).toContain('statusId=4')
  })

  it('asks for the first, the last and past the last page, and for few, many and most rows', () => {
    const asked = ['page=1', 'page=3', 'page=4', 'page=2', 'page=2, perPage=2', 'page=60, perPage=1']
    expect(invoices).toEqual(
      expect.arrayContaining([...asked, 'perPage=1', 'perPage=200', 'perPage=201', 'perPage=5000']),
    )
  })

  it('asks for the first and the last day', () => {
    const bodies = sent(rest('invoice-list', { 'invoice-list': INVOICES }))
    for (const day of ['2025-01-11', '2025-01-15']) {
      expect(bodies).toContain(`{"dateAtBetween":{"startAt":"${day}"}}`)
      expect(bodies).toContain(`{"dateAtBetween":{"endAt":"${day}"}}`)
    }
  })

  it('asks empty, null and without a body', () => {
    expect(invoices).toEqual(expect.arrayContaining(['search=""', 'search=null', 'no body', 'body []']))
    const members = said(rest('price', {}))
    expect(members).toEqual(expect.arrayContaining(['without packages', 'packages.0.weight=null', 'city=""']))
    expect(sent(rest('country-list', {}))).toContain('/country/all?code=')
  })

  it('asks one wrong value of each parameter', () => {
    const wrong = ['page=0', 'perPage=0', 'sortBy="no-such-order"', 'id="no-such-value"', 'isPayment="no-such-value"']
    expect(invoices).toEqual(expect.arrayContaining([...wrong, 'dateAtBetween.startAt="no-such-value"']))
    expect(sent(rest('country-list', {}))).toContain(`/country/all?code=${'x'.repeat(300)}`)
  })

  it('sorts by everything, in both orders', () => {
    const countries = said(rest('country-list', {}))
    for (const key of ['orderNumber', 'name', 'code', 'id', 'isGuarantee']) {
      for (const order of ['asc', 'desc']) expect(countries).toContain(`sortBy="${key}", sortOrder="${order}"`)
    }
    expect(invoices).toContain('sortBy="priceTry", sortOrder="asc"')
  })

  it('asks in both languages, and pairs by values of the same row', () => {
    expect(invoices).toEqual(expect.arrayContaining(['no parameters, in en', 'no parameters, in tr']))
    expect(sent(rest('invoice-list', { 'invoice-list': INVOICES }))).toContain('{"id":5,"number":"A-5"}')
    expect(invoices.filter((text) => /^id=<id>, (?!.*id=<id>)/.test(text)).length).toBeGreaterThanOrEqual(8)
  })

  it('asks something of every kind and of every operation before more of any', () => {
    const both = [mapped('invoice-list'), mapped('country-list')]
    const drafts = planRest(both, {
      seen: known({ 'invoice-list': INVOICES, 'country-list': COUNTRIES }),
      baseOf: neededBy,
    })
    const texts = said(drafts)
    const second = texts.indexOf('isGuarantee=false')
    for (const first of ['page=2', 'code="xxx', 'sortBy="name", sortOrder="asc"', 'in en', 'id=<id>, code=<code>']) {
      const at = texts.findIndex((text) => text.includes(first))
      expect(at, first).toBeGreaterThan(0)
      expect(at, first).toBeLessThan(second)
    }
    expect(drafts.slice(0, 4).map(({ operation }) => operation.id)).toEqual([
      'invoice-list',
      'country-list',
      'invoice-list',
      'country-list',
    ])
  })

  it('asks a part of a long list only, so that it takes v1 few pages', () => {
    const cities = (count: number) => ({
      'city-list': Array.from({ length: count }, (_, at) => ({
        id: at + 1,
        name: `City ${at}`,
        countryId: 1 + (at % 4),
      })),
    })
    const long = sent(rest('city-list', cities(2_001)))
    expect(long).toContain('/city/all?countryId=1&sortBy=name&sortOrder=asc')
    expect(long).not.toContain('/city/all?sortBy=name&sortOrder=asc')
    expect(long).toContain('/city/all?countryId=2')
    expect(sent(rest('city-list', cities(2_000)))).toContain('/city/all?sortBy=name&sortOrder=asc')
  })

  it('is the same for the same answers', () => {
    expect(said(rest('invoice-list', { 'invoice-list': INVOICES }))).toEqual(invoices)
  })

  it('never says a value that was seen', () => {
    expect(invoices.join()).not.toMatch(/Ayşe|A-5|2025-01-15/)
  })

  it('is made for any mapping', () => {
    const order = { no: 'A-1', state: 'open', total: 12.5, placedAt: '2025-01-15T10:00:00+00:00' }
    const body = Buffer.from(JSON.stringify({ orders: [order], counts: { count: 30, page: 1 } }))
    const seen = new SeenValues(
      [orderList],
      new Map([[orderList.id, readSeen(orderList.response, { status: 200, body })]]),
    )
    const asked = said(planRest([orderList], { seen, baseOf: neededBy }))
    expect(asked).toEqual(
      expect.arrayContaining([
        ...['state=<state>', 'state="paid"', 'total.from=<total>', 'placedFrom=<placedAt>', 'page=3', 'page=4'],
        ...['perPage=1000', 'state="no-such-value"', 'total.from="no-such-value"'],
      ]),
    )
  })

  it('is legacy calls alone, of the mapping’s own method and path', () => {
    const comparable = operations.filter(({ id }) => comparableOf(operations).includes(id))
    for (const operation of comparable) {
      const drafts = [...planFirst([operation]), ...rest(operation.id, {})]
      for (const draft of drafts) {
        const { method, path } = requestOf(draft, 1)
        expect([method, path.split('?')[0]]).toEqual([operation.legacy.method, operation.legacy.path])
      }
    }
  })
})
