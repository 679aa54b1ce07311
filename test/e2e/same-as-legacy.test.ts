import { beforeAll, describe, expect, test } from 'vitest'
import { type BothSides, type LegacyRequest, startBothSides } from '../support/both-sides.ts'
import { expectSame } from '../support/compare-answers.ts'
import { failingInputs } from '../support/failing-inputs.ts'

/** All reads: the gateway over v1 answers what the legacy service does, member by member. */
let sides: BothSides
beforeAll(async () => {
  sides = await startBothSides()
})

const languages = ['tr', 'en'] as const

/** Returns the requests that both sides do not answer alike. */
const notAlike = (requests: readonly LegacyRequest[]): Promise<readonly string[]> =>
  failingInputs(requests, async (request) => expectSame(await sides.ask(request)))

describe.each(languages)('in %s, the login', (language) => {
  const logIn = (body: object) => sides.ask({ path: '/auth/application', body, language, token: '' })

  test('answers with a token at the root, and nothing else', async () => {
    const { legacy, gateway } = await logIn({ clientId: 'demo-client', secretKey: 'demo-secret' })
    expect(legacy.body).toEqual({ token: expect.any(String) })
    expectSame({ legacy: { ...legacy, body: {} }, gateway: { ...gateway, body: {} } })
    expect(gateway.body).toEqual({ token: expect.any(String) })
  })

  test('refuses wrong credentials', async () => {
    const bodies = [
      { clientId: 'demo-client', secretKey: 'wrong' },
      { clientId: 'nobody', secretKey: 'demo-secret' },
      { clientId: 'demo-client' },
      { clientId: null, secretKey: 5 },
      {},
    ]
    expect(await failingInputs(bodies, async (body) => expectSame(await logIn(body)))).toEqual([])
  })
})

describe.each(languages)('in %s, the invoices', (language) => {
  const listed = (filters: readonly object[]) =>
    notAlike(filters.map((body) => ({ path: '/api/invoice/list', body, language })))

  test('are the same pages', async () => {
    const filters = [
      {},
      { isPayment: '0', perPage: 3, page: 2 },
      { page: 99 },
      { perPage: 500 },
      { perPage: 201, page: 2 },
      { perPage: '5000' },
    ]
    expect(await listed(filters)).toEqual([])
  })

  test('are found by the same filters, and sorted alike', async () => {
    const filters = [
      { isPayment: true },
      { statusId: 1 },
      { statusId: 4 },
      { statusId: '4', perPage: 10, isPayment: true },
      { sortBy: 'priceTry', sortOrder: 'ASC', perPage: 7 },
      { search: 'KAMPANYA%10' },
      { search: '1,2,3' },
      { number: 'NO-SUCH-NUMBER' },
      { id: 3 },
      { isPayment: null, search: '', dateAtBetween: [], organizationId: 7 },
      { dateAtBetween: { startAt: '2025-01-01', endAt: '2025-03-31' }, perPage: 200 },
      {
        dateAtBetween: { startAt: '2025-01-01T00:30:00+03:00' },
        paymentExpirationAtBetween: { endAt: '2025-06-30 10:00' },
      },
    ]
    expect(await listed(filters)).toEqual([])
  })

  test('are refused for the same filters', async () => {
    const filters = [
      { statusId: 9 },
      { sortBy: 'nothing' },
      { sortOrder: 'up' },
      { page: 0 },
      { perPage: 5_001 },
      { page: 'x', perPage: 1.5 },
      { isPayment: 'maybe' },
      { number: '12345678901234567' },
      { search: 'x'.repeat(256) },
      { search: { a: 1 } },
      { dateAtBetween: { startAt: '31.12.2025', endAt: '2025-02-30' } },
      { paymentExpirationAtBetween: 'today' },
    ]
    expect(await listed(filters)).toEqual([])
  })

  test('for another client, for no body, and for an empty array as the body', async () => {
    expectSame(await sides.ask({ path: '/api/invoice/list', body: {}, token: 'other', language }))
    for (const text of ['', '[]', ' [ ] ']) {
      const answers = await sides.ask({ method: 'POST', path: '/api/invoice/list', text, language })
      expect(answers.legacy.status).toBe(200)
      expectSame(answers)
    }
  })
})

/**
 * Each list, how it can be sorted, and its own queries. Queries for all lists are below. Most queries ask for a `part` of a list that is long,
 * because whole lists take longer than all else.
 */
const lists = [
  {
    path: '/country/all',
    part: '',
    sorts: ['orderNumber', 'name', 'code', 'id', 'isGuarantee'],
    queries: [
      'id=57',
      'code=de',
      'code=DE&code=FR',
      'code=XX',
      'search=germ',
      'search=57',
      'isGuarantee=1',
      'isGuarantee=false',
    ],
    refused: ['id=0', 'id=x', 'code=123456789', 'isGuarantee=yes', `search=${'x'.repeat(256)}`, 'id=x&isGuarantee=2'],
  },
  {
    path: '/city/all',
    part: 'countryCode=TR&',
    sorts: ['orderNumber', 'name', 'countryCode', 'id'],
    queries: ['countryId=225', 'countryCode=tr', 'countryId=225&countryCode=DE', 'countryCode=XX', 'countryId=99999'],
    refused: ['countryId=0', 'countryId=1.5', 'countryCode=123456789'],
  },
  {
    path: '/county/all',
    part: 'cityId=34&',
    sorts: ['orderNumber', 'name', 'cityId', 'id'],
    queries: ['cityId=34', 'cityId=99999', 'countryId=225&cityId=6'],
    refused: ['cityId=-1', 'cityId=x'],
  },
  {
    path: '/api/currency',
    part: '',
    sorts: ['orderNumber', 'name', 'code', 'id', 'updatedAt', 'sellingRateTry', 'buyingRateTry'],
    queries: ['sortBy=sellingTry', 'codes=USD,EUR&isDefined=true'],
    refused: [],
  },
  {
    path: '/api/unit/of/measure/all',
    part: '',
    sorts: ['orderNumber', 'name', 'code', 'id'],
    queries: [],
    refused: [],
  },
  { path: '/api/export/code', part: '', sorts: ['orderNumber', 'name', 'code', 'id'], queries: [], refused: [] },
]

describe.each(lists)('the list $path', ({ path, part, sorts, queries, refused }) => {
  const inBoth = (texts: readonly string[]): readonly LegacyRequest[] =>
    texts.flatMap((text) => languages.map((language) => ({ path: `${path}?${text}`, language })))

  test('is whole', async () => {
    const empty = 'sortBy=&sortOrder=&id=&code=&search=&isGuarantee=&countryId=&countryCode=&cityId='
    expect(await notAlike([...inBoth(['']), { path: `${path}?${empty}` }])).toEqual([])
  })

  test('is sorted by each name that legacy knows', async () => {
    const byName = inBoth([`${part}sortBy=name&sortOrder=DESC`])
    const ways = sorts.flatMap((sort) => [
      { path: `${path}?${part}sortBy=${sort}&sortOrder=asc`, language: 'tr' },
      { path: `${path}?${part}sortBy=${sort}&sortOrder=DESC`, language: 'en' },
    ])
    const whole = { path: `${path}?sortBy=${sorts.at(-1)}&sortOrder=DESC` }
    expect(await notAlike([whole, ...byName, ...ways])).toEqual([])
  })

  test('has the rows that its filters say, whatever else is asked for', async () => {
    const ignored = [
      'sortBy=nothing',
      'sortBy=__proto__&sortOrder=asc',
      'sortBy=ID',
      'page=2&perPage=1',
      'ids=1&nameExact=x&namePrefix=x&codes=USD&isDefined=true',
    ]
    expect(await notAlike(inBoth([...queries, ...ignored.map((query) => part + query)]))).toEqual([])
  })

  test('is refused for the same queries', async () => {
    const notRefused = await failingInputs(inBoth(['sortOrder=up', ...refused]), async (request) => {
      const answers = await sides.ask(request)
      expect(answers.legacy.status).toBe(400)
      expectSame(answers)
    })
    expect(notRefused).toEqual([])
  })
})

/** docs/contract.md 6.10: v1's search also matches Turkish names, and nothing in v1 turns that off. */
test('countries can be found by their Turkish names too, which legacy did not support', async () => {
  const { legacy, gateway } = await sides.ask({ path: '/country/all?search=Almanya' })
  expect(legacy.body).toEqual([])
  expect(gateway).toMatchObject({ status: 200, body: [{ code: 'DE' }] })
})

describe.each(languages)('in %s, the charges, which only the legacy service has', (language) => {
  const path = '/api/transaction/charge/list'

  test('are the same, and refused alike', async () => {
    const bodies = [{}, { page: 2, perPage: 3 }, { perPage: 0 }, { unknown: true }]
    const tokens = ['', 'unknown'] as const
    const requests = [
      ...bodies.map((body) => ({ path, body, language })),
      ...tokens.map((token) => ({ path, body: {}, language, token })),
    ]
    expect(await notAlike(requests)).toEqual([])
  })

  test('are those of the client that asks', async () => {
    const demo = await sides.ask({ path, body: {}, language })
    const other = await sides.ask({ path, body: {}, language, token: 'other' })
    expectSame(other)
    expect(other.gateway.body).not.toEqual(demo.gateway.body)
  })
})
