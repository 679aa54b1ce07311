import { describe, expect, it } from 'vitest'
import { erp, marks, script, shop, used } from './support/clients.ts'
import { guideFor, inShort, partOf } from './support/guide-for.ts'

// What is expected is written from docs/contract.md, sections 6 to 9 and 12, not from the mappings.

describe('the guide of a shop that lists unpaid invoices and ships packages', () => {
  const guide = guideFor(shop)
  const invoices = partOf(guide, 'invoice-list')
  const packages = partOf(guide, 'package')

  it('names its two operations alone, the most used first', () => {
    expect(guide.operations.map(({ operation, calls }) => [operation, calls])).toEqual([
      ['invoice-list', 900],
      ['package', 40],
    ])
  })

  it('shows its own call of the list, and the same at v1', () => {
    expect(invoices.before).toEqual({
      method: 'POST',
      url: 'https://legacy.test/api/invoice/list',
      headers: { Authorization: 'Bearer <ACCESS_TOKEN>', 'Content-Type': 'application/json' },
      body: '{\n  "isPayment": false,\n  "page": 1\n}',
    })
    expect(invoices.after).toEqual([
      {
        method: 'GET',
        url: 'https://v1.test/api/v1/finance/invoices?isPaid=false&page=1&perPage=25',
        headers: { Authorization: 'Bearer <ACCESS_TOKEN>' },
        body: undefined,
        snippets: [
          {
            language: 'curl',
            library: 'curl',
            code: "curl -X GET 'https://v1.test/api/v1/finance/invoices?isPaid=false&page=1&perPage=25'",
          },
        ],
      },
    ])
    expect(invoices.isOwnCall).toBe(true)
    expect(invoices.then).toContain('up to meta.pageCount, which replaces pagination.lastPage')
  })

  it('says of the list exactly what changes in what it sends and gets', () => {
    expect(inShort(invoices.request)).toEqual([
      'page → ?page: moves into the query',
      'isPayment → ?isPaid: renamed, moves into the query',
      'dateAtBetween.startAt → ?dateFrom: renamed, moves into the query',
    ])
    expect(invoices.request[2]?.says).toBe(
      'v1 takes dates as YYYY-MM-DD only; not in the call above, but in other calls of yours',
    )
    expect(inShort(invoices.answer)).toEqual([
      'data → items: envelope',
      'pagination → meta: envelope',
      'data[].dateAt → items[].dateAt: converted',
      'data[].currency.code → items[].currencyCode: renamed',
      'pagination.lastPage → meta.pageCount: renamed',
    ])
    expect(invoices.errors).toEqual([])
    expect(invoices.lost).toEqual([])
  })

  it('says of the shipment exactly what changes in what it sends and gets', () => {
    expect(inShort(packages.request)).toEqual(['products[].unitOfMeasure.code → products[].unitOfMeasureCode: renamed'])
    expect(inShort(packages.answer)).toEqual([
      '200 → 201: status',
      '(body) → data: envelope',
      'recipientAddress.country.flagW20 → data.recipientAddress.country.flags.w20: renamed',
      'createdAt → data.createdAt: converted',
    ])
    expect(inShort(packages.errors)).toEqual(['406 → 400 CARRIER_IS_NOT_FOUND: status'])
    expect(packages.errors[0]?.calls).toBe(2)
    expect(inShort(packages.lost)).toEqual([
      'products[].unitOfMeasure.name → null: not taken',
      'orderData → null: not answered',
    ])
  })

  it('keeps the digits of its own call, and puts placeholders for what is personal', () => {
    const body = packages.after[0]?.body ?? ''
    expect(body).toContain('"unitPrice": 12.30')
    expect(body).toContain('"height": 10.50')
    expect(JSON.parse(body)).toMatchObject({
      recipientAddress: {
        ...{ firstName: '<first name>', lastName: '<last name>', email: 'name@example.com', phone: '+905550000000' },
        ...{ address1: '<address 1>', city: 'Köln', zipCode: '50667' },
      },
      products: [{ unitOfMeasureCode: 'C62', originCountryCode: 'TR' }],
      taxNumber: '<tax number>',
    })
    expect(JSON.stringify(guide)).not.toMatch(/Çkwe|xke@w|Wqxtrolm|4820194471/)
    expect(packages.hasPlaceholders).toBe(true)
    expect(invoices.hasPlaceholders).toBe(false)
  })

  it('says what its programs need', () => {
    expect(guide.general.join(' ')).toContain(
      'Set these variables in their environment: `V1_TOKEN`. PHP needs `guzzlehttp/guzzle`',
    )
  })

  it('says what to do, in order', () => {
    expect(guide.checklist).toEqual([
      'Obtain a v1 token at `POST https://v1.test/api/v1/auth/application` with your client id and secret key; it is in `data.token`.',
      'Replace `POST /api/invoice/list` with `GET /api/v1/finance/invoices`: see [invoice-list](#invoice-list).',
      'Replace `POST /api/consignment/package/advance` with `POST /api/v1/shipment/shipments/packages`: see [package](#package).',
      'Handle the errors that you will get from v1: `400 CARRIER_IS_NOT_FOUND` (was `406`). See [Errors](#errors).',
      'Read the pages of v1’s lists: see [Pages](#pages).',
      'Test each of these calls against v1.',
      'Tell us once you no longer call the legacy interface. Its removal is announced for 2027-06-30.',
    ])
  })
})

describe('the guide of an ERP that reads all reference lists', () => {
  const guide = guideFor(erp)

  it('says how to read every page, and nothing else of lists whose rows are the same', () => {
    for (const [operation, path] of [
      ['county-list', 'public/shared/counties'],
      ['unit-list', 'shared/units-of-measure'],
      ['export-code-list', 'shared/export-codes'],
    ] as const) {
      const part = partOf(guide, operation)
      expect(part.after.map(({ url }) => url)).toEqual([`https://v1.test/api/v1/${path}?page=1&perPage=200`])
      expect(part.then).toContain('up to meta.pageCount')
      expect(inShort(part.request)).toEqual(['null → ?page: paging', 'null → ?perPage: paging'])
      expect(inShort(part.answer)).toEqual(['(body) → items: envelope'])
      expect([part.errors, part.lost]).toEqual([[], []])
    }
  })

  it('asks for English as its calls do', () => {
    expect(partOf(guide, 'unit-list').after[0]?.headers).toEqual({
      ...{ Authorization: 'Bearer <ACCESS_TOKEN>', 'Accept-Language': 'en' },
    })
  })

  it('knows that countries need no token', () => {
    expect(partOf(guide, 'country-list').after[0]?.headers).toEqual({ 'Accept-Language': 'en' })
    expect(guide.general).toContain('v1 needs no token for `GET /api/v1/public/shared/countries`.')
    expect(inShort(partOf(guide, 'country-list').answer)).toEqual([
      '(body) → items: envelope',
      '[].taxType → items[].tax.type: renamed',
    ])
  })

  it('says to those who search countries that v1 finds more, and to nobody else', () => {
    const searching = (...names: readonly string[]) =>
      partOf(guideFor([used('country-list', 9, { members: marks(9, ...names) })]), 'country-list').request
    expect(searching('search').find(({ legacy }) => legacy === 'search')).toMatchObject({
      ...{ v1: '?search', change: 'finds more', calls: 9 },
      says: 'in v1, it matches Turkish names too: the answer may have more rows',
    })
    expect(inShort(searching('code'))).toEqual(['null → ?page: paging', 'null → ?perPage: paging'])
  })

  it('shows the members of a list that has no call of its own to show, with examples', () => {
    const cities = partOf(guide, 'city-list')
    expect(cities.before?.url).toBe('https://legacy.test/city/all?countryCode=DE')
    expect(cities.after[0]?.url).toBe('https://v1.test/api/v1/public/shared/cities?countryCode=DE&page=1&perPage=200')
    expect(cities.isOwnCall).toBe(false)
    expect(inShort(cities.request)).toEqual(['null → ?page: paging', 'null → ?perPage: paging'])
  })

  it('says what changes in the currencies, and that v1 has no entity tags', () => {
    const currencies = partOf(guide, 'currency-list')
    expect(currencies.after[0]?.url).toBe(
      'https://v1.test/api/v1/shared/currencies?sortBy=sellingTry&page=1&perPage=200',
    )
    expect(inShort(currencies.request)).toEqual([
      'sortBy → ?sortBy: other values',
      'null → ?page: paging',
      'null → ?perPage: paging',
    ])
    expect(currencies.request[0]?.says).toBe('sellingRateTry becomes sellingTry; buyingRateTry becomes buyingTry')
    expect(inShort(currencies.answer)).toEqual([
      '304 → 200: status',
      '(body) → items: envelope',
      '[].rate.sellingRateTry → items[].rates.sellingTry: renamed',
      '[].updatedAt → items[].rates.updatedAt: converted',
    ])
  })

  it('says nothing of errors, which it never got', () => {
    expect(guide.general.join(' ')).not.toMatch(/error|`code`/)
    expect(guide.checklist.join(' ')).not.toMatch(/error/)
  })
})

describe('the guide of a script that sends half its filters wrong', () => {
  const guide = guideFor(script, { sunset: undefined })
  const invoices = partOf(guide, 'invoice-list')

  it('names what it must leave out, and why', () => {
    expect(inShort(invoices.request)).toEqual([
      'perPage → ?perPage: moves into the query',
      'statusId → ?statusId: moves into the query',
      'dateAtBetween.endAt → ?dateTo: renamed, moves into the query',
      'paid, since → null: left out',
      'search → null: left out',
    ])
    expect(invoices.request.map(({ says }) => says)).toEqual([
      'at most 200 at v1, so read more pages for more rows',
      'not in the call above, but in other calls of yours',
      'v1 takes dates as YYYY-MM-DD only; not in the call above, but in other calls of yours',
      'v1 does not list them: leave them out, as the gateway does; only those of the call above are known by name',
      'leave it out if it is null or empty: otherwise v1 answers 422',
    ])
    expect(invoices.request.map(({ calls }) => calls)).toEqual([60, 20, 10, 50, 40])
  })

  it('names the value that v1 removed among what is lost', () => {
    expect(inShort(invoices.lost)).toEqual(['statusId: 4 → null: removed value'])
    expect(invoices.lost[0]?.calls).toBe(15)
  })

  it('names the errors that it got, and where v1 reports the same', () => {
    expect(inShort(invoices.errors)).toEqual([
      '400 → 422 VALIDATION_FAILED: status',
      'violations[].propertyPath: dateAtBetween.startAt → errors[].path: dateFrom: violation',
    ])
  })

  it('reads as many pages of v1 as its own pages were long', () => {
    expect(invoices.after.map(({ url }) => new URL(url).search)).toEqual([
      ...['?page=1&perPage=200', '?page=2&perPage=200', '?page=3&perPage=200'],
    ])
  })

  it('says of charges that v1 has none, and that no date is announced', () => {
    const charges = partOf(guide, 'charge-list')
    expect(charges).toMatchObject({ v1: null, after: [], request: [], answer: [], errors: [] })
    expect(charges.before).toBeUndefined()
    expect(inShort(charges.lost)).toEqual(['POST /api/transaction/charge/list → null: no equivalent'])
    expect(guide.checklist).toContain(
      'Find a replacement for `POST /api/transaction/charge/list` before the legacy interface is removed: v1 has no equivalent, see [charge-list](#charge-list).',
    )
    expect(guide.checklist.at(-1)).toContain('The date of its removal has not been announced.')
  })
})

describe('a guide', () => {
  it('says nothing of a removed value that nobody sent, not even as a reason', () => {
    const guide = guideFor([used('invoice-list', 3, { members: { statusId: 3 }, statuses: { '200': 3 } })])
    expect(inShort(partOf(guide, 'invoice-list').request)).toEqual(['statusId → ?statusId: moves into the query'])
    expect(JSON.stringify(guide)).not.toContain('value 4')
  })

  it('says nothing of a member that was only ever sent with a removed value, beside that it is lost', () => {
    const seen = { members: { statusId: 3 }, removed: { statusId: 3 }, statuses: { '200': 3 } }
    const part = partOf(guideFor([used('invoice-list', 3, seen, { body: '{"statusId":4}' })]), 'invoice-list')
    expect(part.request).toEqual([])
    expect(inShort(part.lost)).toEqual(['statusId: 4 → null: removed value'])
    expect(part.isOwnCall).toBe(false)
  })

  it('names calls of paths that no mapping has, though nobody knows which', () => {
    const calls = [used('invoice-list', 3, {}), used('unknown', 4, {})]
    expect(guideFor(calls).checklist.join(' ')).toContain('Find the 4 calls that you made to other paths')
    expect(guideFor(calls.slice(0, 1)).checklist.join(' ')).not.toContain('other paths')
  })

  it('points from the token to the login that it uses, and names its variables', () => {
    const body = '{"clientId":"~abc","secretKey":"~def"}'
    const guide = guideFor([used('invoice-list', 3, {}), used('auth', 1, { statuses: { '200': 1 } }, { body })])
    expect(guide.checklist[0]).toContain('it is in `data.token`: see [auth](#auth).')
    expect(guide.general.join(' ')).toContain('`V1_TOKEN`, `CLIENT_ID`, `SECRET_KEY`')
  })

  it('groups errors that were alike to the client', () => {
    const statuses = { '200': 1, '400': 2, '400 VALIDATION_FAILED': 3, '406 A': 1, '406 B': 1 }
    const { errors } = partOf(guideFor([used('price', 8, { statuses })]), 'price')
    expect(inShort(errors)).toContain('400 → 422 VALIDATION_FAILED: status')
    expect(errors.map(({ calls }) => calls)).toEqual([5, 1, 1])
  })

  it('turns what has no body into a path and a status', () => {
    const seen = { members: { id: 2 }, statuses: { '204': 2 } }
    const part = partOf(guideFor([used('import-complete', 2, seen, { body: '{"id":17}' })]), 'import-complete')
    expect(part.after[0]).toMatchObject({
      url: 'https://v1.test/api/v1/shipment/single-point-imports/17/complete',
      body: '{}',
    })
    expect(inShort(part.request)).toContain('id → {id}: moves into the path')
    expect(inShort(part.answer)).toEqual(['204 → 200: status'])
  })

  it('reports a failed charge and a used name as v1 does', () => {
    const statuses = { '200': 1, '500 SINGLE_POINT_IMPORT_CHARGE_FAILED': 2, '400 VALIDATION_FAILED': 1 }
    const part = partOf(guideFor([used('import-create', 4, { statuses, violations: { name: 1 } })]), 'import-create')
    expect(inShort(part.errors)).toEqual([
      '500 → 400 SINGLE_POINT_IMPORT_CHARGE_FAILED: status',
      '400 → 422 VALIDATION_FAILED: status',
      'violations[].propertyPath: name → errors[].path: name: violation',
    ])
  })

  it('never shows credentials', () => {
    const body = '{"clientId":"~abc","secretKey":"~def"}'
    const guide = guideFor([used('auth', 5, { answered: { token: 5 }, statuses: { '200': 5 } }, { body })])
    expect(JSON.parse(partOf(guide, 'auth').after[0]?.body ?? '')).toEqual({
      ...{ clientId: '<CLIENT_ID>', secretKey: '<SECRET_KEY>' },
    })
    expect(JSON.stringify(guide)).not.toMatch(/~abc|~def/)
    expect(inShort(partOf(guide, 'auth').answer)).toEqual(['(body) → data: envelope'])
  })

  it('shows an example where nothing was looked at, and claims nothing of it', () => {
    const part = partOf(guideFor([used('invoice-list', 9, { calls: 0 })]), 'invoice-list')
    expect(part).toMatchObject({ lookedAt: 0, isOwnCall: false, request: [], answer: [], errors: [], lost: [] })
    expect(part.after).toHaveLength(1)
  })

  it('takes the example of the mapping where the body of its own call is not JSON', () => {
    const seen = { members: marks(1, 'isPayment') }
    const part = partOf(guideFor([used('invoice-list', 1, seen, { body: '{"isPayment"' })]), 'invoice-list')
    expect(part.isOwnCall).toBe(false)
    expect(part.before?.body).toBe('{\n  "isPayment": false\n}')
  })

  it('stands an address in for a v1 that is not known, and says so', () => {
    const guide = guideFor([used('unit-list', 1)], { v1: undefined })
    expect(guide.v1).toBeNull()
    expect(guide.operations[0]?.after[0]?.url).toMatch(/^https:\/\/v1\.example\//)
    expect(guide.general[0]).toContain('`https://v1.example` stands for it')
  })
})

it('distinguishes members without a line from a member with another name', () => {
  const violations = { other: 2, 'other members': 1 }
  const guide = guideFor([used('package', 9, { statuses: { '400': 3 }, violations })])
  expect(inShort(partOf(guide, 'package').errors).slice(1)).toEqual([
    'violations[].propertyPath: other → errors[].path: other: violation',
    'violations[].propertyPath: other members → errors[].path: violation',
  ])
})
