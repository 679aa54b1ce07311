import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, notInts, type Query } from './list-client.ts'
import { ask, demo, type ErrorBody, type ListBody, logIn, other, startInMemory } from './sandbox-client.ts'

type Item = Record<string, unknown> & { id: number }

let sandbox: Sandbox
let token: string
beforeAll(async () => {
  sandbox = await startInMemory()
  token = await logIn(sandbox, demo)
})
afterAll(() => sandbox.close())

const lists: { path: string; perPage: number; sortBy: string[]; message: string; part?: Query }[] = [
  {
    path: '/api/v1/finance/invoices',
    perPage: 25,
    sortBy: ['id', 'number', 'dateAt', 'paymentExpirationAt', 'priceTry', 'priceUsd'],
    message: 'Faturalar listelendi.',
  },
  {
    path: '/api/v1/public/shared/countries',
    perPage: 50,
    sortBy: ['orderNumber', 'name', 'code', 'id', 'isGuarantee'],
    message: 'Ülkeler listelendi.',
  },
  {
    path: '/api/v1/public/shared/cities',
    /** A part of the long list, which is quicker to read repeatedly. */
    part: { countryCode: 'DE' },
    perPage: 50,
    sortBy: ['orderNumber', 'name', 'countryCode', 'id'],
    message: 'Şehirler listelendi.',
  },
  {
    path: '/api/v1/public/shared/counties',
    perPage: 50,
    sortBy: ['orderNumber', 'name', 'cityId', 'id'],
    message: 'İlçeler listelendi.',
  },
  {
    path: '/api/v1/shared/currencies',
    perPage: 50,
    sortBy: ['orderNumber', 'name', 'code', 'id', 'updatedAt', 'sellingTry', 'buyingTry'],
    message: 'Para birimleri listelendi.',
  },
  {
    path: '/api/v1/shared/units-of-measure',
    perPage: 50,
    sortBy: ['orderNumber', 'name', 'code', 'id'],
    message: 'Ölçü birimleri listelendi.',
  },
  {
    path: '/api/v1/shared/export-codes',
    perPage: 50,
    sortBy: ['orderNumber', 'name', 'code', 'id'],
    message: 'İhracat kodları listelendi.',
  },
]

describe.each(lists)('$path', ({ path, perPage, sortBy, message, part = {} }) => {
  let list: ListClient<Item>
  beforeAll(() => {
    list = listClient<Item>(sandbox, path, token, part)
  })

  test('answers in the success envelope, its message Turkish in every language', async () => {
    for (const language of ['tr', 'en']) {
      const { status, headers, body } = await ask<ListBody<Item>>(sandbox, path, { token, language })
      expect(status).toBe(200)
      expect(headers.get('Content-Type')).toBe('application/json')
      expect(Object.keys(body)).toEqual(['success', 'message', 'items', 'meta'])
      expect(body).toMatchObject({ success: true, message })
    }
  })

  test(`has ${perPage} rows on a page by default`, async () => {
    const { items, meta } = await list.page({})
    expect(items).toHaveLength(Math.min(perPage, meta.total))
    expect(meta).toEqual({ page: 1, perPage, total: meta.total, pageCount: Math.ceil(meta.total / perPage) })
  })

  test('is read page by page without gap or overlap, in the default order', async () => {
    const items = await list.whole({})
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    const [first, second] = [await list.page({ perPage: '7' }), await list.page({ perPage: '7', page: '2' })]
    expect([...first.items, ...second.items]).toEqual(items.slice(0, 14))
    expect(first.meta).toEqual({ page: 1, perPage: 7, total: items.length, pageCount: Math.ceil(items.length / 7) })
  })

  test('past the end has no items', async () => {
    const { meta } = await list.page({})
    for (const page of [meta.pageCount + 1, Number.MAX_SAFE_INTEGER]) {
      expect(await list.page({ page: String(page) })).toMatchObject({ items: [], meta: { ...meta, page } })
    }
  })

  test(`sorts by ${sortBy[0]} downwards by default`, async () => {
    expect(await list.whole({ sortBy: sortBy[0] ?? '', sortOrder: 'desc' })).toEqual(await list.whole({}))
  })

  test.each(sortBy)('sorts by %s both ways, in any case of the order', async (by) => {
    const up = await list.whole({ sortBy: by, sortOrder: 'asc' })
    const down = await list.whole({ sortBy: by, sortOrder: 'desc' })
    expect(down.map(({ id }) => id).toSorted()).toEqual(up.map(({ id }) => id).toSorted())
    expect(await list.page({ sortBy: by, sortOrder: 'ASC', perPage: '200' })).toMatchObject({ items: up.slice(0, 200) })
    expect(await list.page({ sortBy: by, sortOrder: 'dEsC', perPage: '200' })).toMatchObject({
      items: down.slice(0, 200),
    })
    if (typeof up[0]?.[by] !== 'number') return
    const values = up.map((item) => Number(item[by]))
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    const sorted = (items: Item[], sign: number) =>
      items.toSorted((a, b) => sign * (Number(a[by]) - Number(b[by])) || a.id - b.id)
    expect(up).toEqual(sorted(up, 1))
    expect(down).toEqual(sorted(up, -1))
  })

  test('ignores unknown parameters', async () => {
    expect(await list.page({ foo: '', constructor: 'x', toString: '1' })).toEqual(await list.page({}))
    expect((await ask(sandbox, `${path}?__proto__=1&__proto__=2`, { token })).status).toBe(200)
  })

  test('refuses an invalid page, page size, column or order', async () => {
    const columns = sortBy.join(', ')
    const column = [`Şunlardan biri olmalıdır: ${columns}.`, `Must be one of: ${columns}.`] as const
    const order = ['Şunlardan biri olmalıdır: asc, desc.', 'Must be one of: asc, desc.'] as const
    for (const value of notInts) await list.refuses({ page: value }, [['page', ...messages.atLeast1]])
    for (const value of [...notInts, '201']) await list.refuses({ perPage: value }, [['perPage', ...messages.upTo200]])
    for (const value of ['ID', 'colour', 'nameFolded', 'constructor', 'id desc', 'x'.repeat(1024 * 1024)]) {
      await list.refuses({ sortBy: value }, [['sortBy', ...column]])
    }
    for (const value of ['down', 'asc,desc']) await list.refuses({ sortOrder: value }, [['sortOrder', ...order]])
    await list.refuses({ page: '0', perPage: '0', sortBy: '-', sortOrder: '-' }, [
      ['page', ...messages.atLeast1],
      ['perPage', ...messages.upTo200],
      ['sortBy', ...column],
      ['sortOrder', ...order],
    ])
  })

  test.each([
    ['sent empty', messages.empty, (parameter: string) => `${parameter}=`],
    ['without a value', messages.empty, (parameter: string) => parameter],
    ['given twice', messages.text, (parameter: string) => `${parameter}=1&${parameter}=1`],
  ] as const)('refuses parameters %s', async (_, says, write) => {
    const parameters = ['page', 'perPage', 'sortBy', 'sortOrder']
    await list.refuses(
      parameters.map(write).join('&'),
      parameters.map((parameter) => [parameter, ...says] as const),
    )
  })
})

describe.each(lists.filter(({ path }) => !path.endsWith('/countries')))('$path', ({ path }) => {
  const refused = { success: false, code: 'UNAUTHORIZED', message: expect.stringContaining('Yetkilendirme') }

  test('needs a token before it validates the query', async () => {
    for (const headers of [{}, { Authorization: 'Bearer nonsense' }, { Authorization: token }]) {
      const reply = await ask<ErrorBody>(sandbox, `${path}?page=0`, { headers, language: 'en' })
      expect(reply.status).toBe(401)
      expect(reply.body).toEqual(refused)
      expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
  })
})

test.each(lists.filter(({ path }) => path.includes('/shared/')))('$path is the same to everybody', async ({ path }) => {
  const asked = { token: await logIn(sandbox, other) }
  expect((await ask(sandbox, path, asked)).text).toBe((await ask(sandbox, path, { token })).text)
})
