import { describe, expect, it } from 'vitest'
import { type BothSides, deviating, type Row } from './deviating-sandbox.ts'

type Place = 'list' | 'page' | 'price' | 'record'

const operations = { list: 'city-list', page: 'invoice-list', price: 'price', record: 'document' } as const

/** Returns the rows of both sides with these lines, and without any. */
async function compare(place: Place, response: Row): Promise<{ sides: BothSides; contract: BothSides }> {
  const sides = await (await deviating({ [operations[place]]: { response } }))[place]()
  return { sides, contract: await (await deviating({}))[place]() }
}

const column = (rows: readonly Row[], ...names: string[]) =>
  rows.map((row) => names.reduce<unknown>((value, name) => (value as Row)[name], row))

describe('members that the contract has', () => {
  it('are renamed, nested and lifted in v1, while legacy stays as it is', async () => {
    const { sides, contract } = await compare('page', {
      'data[].company': { from: 'items[].firm.title' },
      'data[].currency.code': { from: 'items[].money' },
      'data[].status.slug': { from: 'items[].state' },
    })
    expect(sides.legacy).toEqual(contract.legacy)
    expect(sides.v1).toEqual(
      contract.v1.map(({ company, currencyCode, status, ...row }) => ({
        ...row,
        status: { id: (status as Row).id },
        firm: { title: company },
        money: currencyCode,
        state: (status as Row).slug,
      })),
    )
  })

  it('in v1 have another form, while legacy stays as it is', async () => {
    const { sides, contract } = await compare('page', {
      'data[].priceTry': { from: 'items[].priceTry', scale: 2 },
      'data[].priceUsd': { from: 'items[].usd', as: 'number' },
      'data[].dateAt': { from: 'items[].day', as: 'timestamp' },
      'data[].paymentExpirationAt': { from: 'items[].paymentExpirationAt' },
      'data[].addressType.slug': {
        from: 'items[].addressType.slug',
        enum: { CORPORATION: 'firm', INDIVIDUAL: 'person' },
      },
      'data[].number': { from: 'items[].number', as: 'upper' },
    })
    expect(sides.legacy).toEqual(contract.legacy)
    expect(column(sides.v1, 'priceTry')).toEqual(
      column(contract.v1, 'priceTry').map((price) => Math.round(Number(price) * 100)),
    )
    expect(column(sides.v1, 'usd')).toEqual(column(contract.v1, 'priceUsd').map(String))
    expect(column(sides.v1, 'day')).toEqual(column(contract.v1, 'dateAt'))
    expect(column(sides.v1, 'paymentExpirationAt')).toEqual(column(contract.legacy, 'paymentExpirationAt'))
    expect(new Set(column(sides.v1, 'addressType', 'slug'))).toEqual(new Set(['firm', 'person']))
    expect(column(sides.v1, 'number')).toEqual(
      column(contract.v1, 'number').map((number) => String(number).toLowerCase()),
    )
  })

  it('deviate in legacy, where only legacy can show the form', async () => {
    const { sides, contract } = await compare('page', {
      'data[].id': { from: 'items[].id', as: 'string' },
      'data[].isPaid': { from: 'items[].isPaid', as: '0/1' },
      'data[].dateAt': { from: 'items[].dateAt', as: 'epoch' },
      'data[].paymentExpirationAt': { from: 'items[].paymentExpirationAt', as: 'date' },
    })
    expect(sides.v1).toEqual(contract.v1)
    expect(column(sides.legacy, 'id')).toEqual(column(contract.v1, 'id').map(String))
    expect(column(sides.legacy, 'isPaid')).toEqual(column(contract.v1, 'isPaid').map(Number))
    expect(column(sides.legacy, 'dateAt')).toEqual(
      column(contract.v1, 'dateAt').map((at) => Date.parse(String(at)) / 1000),
    )
    expect(column(sides.legacy, 'paymentExpirationAt')).toEqual(
      column(contract.v1, 'paymentExpirationAt').map((at) => String(at).slice(0, 10)),
    )
  })

  it('are lost in v1, dropped from legacy, or constant in legacy', async () => {
    const { sides, contract } = await compare('page', {
      'data[].firstName': { lost: 'v1 does not know it' },
      'data[].lastName': { drop: true },
      'data[].taxNumber': { always: null },
    })
    expect(sides.v1).toEqual(contract.v1.map(({ firstName, taxNumber, ...row }) => row))
    expect(sides.legacy).toEqual(contract.legacy.map(({ lastName, ...row }) => ({ ...row, taxNumber: null })))
  })

  it('are null or missing in v1 in some rows', async () => {
    const { sides, contract } = await compare('page', {
      'data[].firstName': { from: 'items[].firstName', absent: 'null' },
      'data[].lastName': { from: 'items[].lastName', absent: 'missing' },
    })
    const without = sides.v1.filter((row) => !('firstName' in row))
    expect(without.length).toBeGreaterThan(2)
    expect(sides.v1.filter(({ lastName }) => lastName === null)).toHaveLength(without.length)
    expect(sides.legacy).toEqual(
      contract.legacy.map(({ firstName, lastName, ...row }, index) =>
        'firstName' in (sides.v1[index] ?? {}) ? { ...row, firstName, lastName } : { ...row, firstName: null },
      ),
    )
  })

  it('are texts that legacy joins of members of the contract', async () => {
    const { sides, contract } = await compare('page', {
      'data[].fullName': { join: ['items[].firstName', ' ', 'items[].lastName'] },
    })
    expect(sides.v1).toEqual(contract.v1)
    expect(sides.legacy).toEqual(
      contract.legacy.map((row) => ({ ...row, fullName: `${row.firstName} ${row.lastName}` })),
    )
  })

  it('are read twice, and exchanged', async () => {
    const { sides, contract } = await compare('page', {
      'data[].firstName': { from: 'items[].lastName' },
      'data[].lastName': { from: 'items[].firstName' },
      'data[].issuedAt': { from: 'items[].dateAt', as: 'date' },
      'data[].made': { from: 'items[].stamp' },
      'data[].madeLoud': { from: 'items[].stamp', as: 'upper' },
    })
    const v1 = contract.v1.map((row, index) => ({ ...row, stamp: sides.v1[index]?.stamp }))
    expect(sides.v1).toEqual(v1)
    expect(sides.legacy).toEqual(
      contract.legacy.map(({ firstName, lastName, ...row }, index) => ({
        ...row,
        firstName: lastName,
        lastName: firstName,
        issuedAt: String(row.dateAt).slice(0, 10),
        made: v1[index]?.stamp,
        madeLoud: String(v1[index]?.stamp).toUpperCase(),
      })),
    )
  })

  it('legacy does not show a member that it reads under another name, where the contract leaves members open', async () => {
    const { sides, contract } = await compare('list', { '[].title': { from: 'items[].name' } })
    expect(sides.v1).toEqual(contract.v1)
    expect(sides.legacy).toEqual(contract.legacy.map(({ name, ...row }) => ({ ...row, title: name })))
  })

  it('deviate in lists within rows, and from one place around such a list', async () => {
    const { sides, contract } = await compare('price', {
      '[].packages[].weight': { from: 'items[].packages[].kilograms', as: 'number' },
      '[].packages[].additionalFees[].value': { from: 'items[].packages[].additionalFees[].amount', scale: 2 },
      '[].packages[].carrierSlug': { from: 'items[].carrier.slug' },
      '[].packages[].zone': { from: 'items[].zone', as: 'string' },
    })
    const packages = (rows: readonly Row[]) => rows.flatMap((row) => row.packages as Row[])
    const fees = (rows: readonly Row[]) => packages(rows).flatMap(({ additionalFees }) => additionalFees as Row[])
    expect(column(packages(sides.v1), 'kilograms')).toEqual(column(packages(contract.v1), 'weight').map(String))
    expect(packages(sides.v1)[0]).not.toHaveProperty('weight')
    expect(column(packages(sides.legacy), 'weight')).toEqual(column(packages(contract.legacy), 'weight'))
    expect(fees(sides.v1).length).toBeGreaterThan(3)
    expect(column(fees(sides.v1), 'amount')).toEqual(
      column(fees(contract.v1), 'amount').map((amount) => Number(amount) * 100),
    )
    expect(fees(sides.legacy)).toEqual(fees(contract.legacy))
    for (const [index, { carrier, packages: rows }] of contract.legacy.entries()) {
      const zone = String(sides.v1[index]?.zone)
      const { slug, ...rest } = carrier as Row
      expect(sides.legacy[index]).toMatchObject({
        carrier: rest,
        packages: (rows as Row[]).map(() => ({ carrierSlug: slug, zone })),
      })
      expect(sides.legacy[index]?.carrier).not.toHaveProperty('slug')
    }
  })

  it('whole objects and lists move', async () => {
    const { sides, contract } = await compare('record', {
      carrier: { from: 'data.by' },
      packages: { from: 'data.parcels' },
      freightPrice: { from: 'data.freight' },
    })
    expect(sides.legacy).toEqual(contract.legacy)
    const [{ carrier, packages: rows, freightPrice } = {}] = contract.legacy
    const [record] = sides.v1
    expect(record).toMatchObject({ by: carrier, parcels: rows, freight: freightPrice })
    expect(record).not.toHaveProperty('carrier')
  })

  it('within a member that is null stay null', async () => {
    const { sides, contract } = await compare('record', { 'currency.code': { from: 'data.currency.iso' } })
    expect(contract.legacy[0]).toHaveProperty('currency', null)
    expect(sides).toEqual(contract)
  })
})
