import { describe, expect, it } from 'vitest'
import { documentBody, packageBody } from '../shipment-requests.ts'
import { deviating, type Row } from './deviating-sandbox.ts'

const cities = '/api/v1/public/shared/cities'
const invoices = '/api/v1/finance/invoices'

describe('requests that deviate', () => {
  it('a parameter is taken by v1 under its other name only, and by legacy as ever', async () => {
    const { askLegacy, askV1 } = await deviating({ 'city-list': { request: { countryCode: { to: 'country' } } } })
    const total = async (query: string) =>
      ((await askV1(`${cities}?${query}`)).body as { meta: { total: number } }).meta.total
    const everywhere = await total('')
    expect(await total('country=TR')).toBe(81)
    expect(await total('countryCode=TR')).toBe(everywhere)
    expect((await askLegacy('/city/all?countryCode=TR')).body).toHaveLength(81)
  })

  it('legacy takes a parameter that only v1 has by the contract', async () => {
    const { askLegacy, askV1 } = await deviating({ 'city-list': { request: { cityName: { to: 'nameExact' } } } })
    const rows = (await askLegacy('/city/all?cityName=Ankara')).body as Row[]
    expect(rows.map(({ name }) => name)).toEqual(['Ankara'])
    expect((await askV1(`${cities}?nameExact=Ankara`)).body).toMatchObject({ items: [{ name: 'Ankara' }] })
    expect((await askLegacy(`/city/all?cityName=${'x'.repeat(300)}`)).body).toMatchObject({
      violations: [{ propertyPath: 'cityName' }],
    })
  })

  it('values have other names in v1, and a parameter that v1 does not take has no effect', async () => {
    const { askLegacy, askV1 } = await deviating({
      'invoice-list': {
        request: {
          statusId: { to: 'state', enum: { 1: 'NEW', 2: 'WAITING', 3: 'COMPLETED' } },
          'dateAtBetween.startAt': { to: 'since' },
          search: { drop: true },
        },
      },
    })
    const counted = async (query: string) => {
      const { body, status } = await askV1(`${invoices}?${query}`)
      return { status, total: (body as { meta?: { total: number } }).meta?.total }
    }
    const legacy = async (body: Row) =>
      (await askLegacy('/api/invoice/list', body)).body as { pagination: { count: number } }
    const all = (await counted('')).total
    const waiting = (await legacy({ statusId: 2 })).pagination.count
    expect(waiting).toBeLessThan(Number(all))
    expect(await counted('state=WAITING')).toEqual({ status: 200, total: waiting })
    expect(await counted('statusId=2')).toEqual({ status: 200, total: all })
    expect(await counted('search=none')).toEqual({ status: 200, total: all })
    expect((await askV1(`${invoices}?state=LOST`)).body).toMatchObject({ errors: [{ path: 'state' }] })
    const recent = (await legacy({ dateAtBetween: { startAt: '2026-01-01' } })).pagination.count
    expect(await counted('since=2026-01-01')).toEqual({ status: 200, total: recent })
  })

  it('members of a body have other names and types in v1, also within lists', async () => {
    const { askV1 } = await deviating({
      package: {
        request: {
          carrierId: { to: 'carrier.number', as: 'string' },
          'products[].unitOfMeasure.code': { to: 'products[].unit' },
          'products[].unitPrice': { to: 'products[].cents', scale: 2 },
          'recipientAddress.zipCode': { to: 'recipientAddress.postalCode', as: 'string' },
        },
      },
    })
    const { carrierId, products, recipientAddress, ...rest } = packageBody()
    const [{ unitOfMeasureCode, unitPrice, ...product } = {} as never] = products
    const { zipCode, ...address } = recipientAddress
    const deviate = (facts: Row) => ({
      ...rest,
      carrier: { number: carrierId },
      recipientAddress: { ...address, postalCode: Number(zipCode) },
      products: [{ ...product, unit: unitOfMeasureCode, cents: 1235, ...facts }],
    })
    const path = '/api/v1/shipment/shipments/packages'
    expect((await askV1(path, deviate({}))).body).toMatchObject({
      data: { carrier: { id: carrierId }, recipientAddress: { zipCode }, products: [{ unitPrice: 12.35 }] },
    })
    expect((await askV1(path, deviate({ unit: 'none' }))).body).toMatchObject({
      errors: [{ path: 'products[0].unit' }],
    })
    expect((await askV1(path, packageBody())).status).toBe(422)
  })

  it('legacy takes a text where v1 takes a number', async () => {
    const { askLegacy, askV1 } = await deviating({
      document: { request: { senderAddressId: { to: 'senderAddressId', as: 'string' } } },
    })
    expect((await askLegacy('/api/consignment/document', documentBody({ senderAddressId: '1' }))).status).toBe(200)
    expect((await askV1('/api/v1/shipment/shipments/documents', documentBody())).status).toBe(201)
    const refused = await askV1('/api/v1/shipment/shipments/documents', documentBody({ senderAddressId: '1' }))
    expect(refused.body).toMatchObject({ errors: [{ path: 'senderAddressId' }] })
  })
})
