import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, type Query } from './list-client.ts'
import { ask, demo, type ListBody, logIn, startInMemory } from './sandbox-client.ts'

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

  test('is read page by page without gap or overlap, is empty past the end, and has its own default for perPage', async () => {
    const items = await list.whole({})
    const total = items.length
    expect(new Set(items.map(({ id }) => id)).size).toBe(total)
    const [first, second] = [await list.page({ perPage: '7' }), await list.page({ perPage: '7', page: '2' })]
    expect([...first.items, ...second.items]).toEqual(items.slice(0, 14))
    expect(first.meta).toEqual({ page: 1, perPage: 7, total, pageCount: Math.ceil(total / 7) })
    const usual = await list.page({})
    expect(usual.items).toEqual(items.slice(0, perPage))
    expect(usual.meta).toEqual({ page: 1, perPage, total, pageCount: Math.ceil(total / perPage) })
    const page = Number.MAX_SAFE_INTEGER
    expect(await list.page({ page: String(page) })).toMatchObject({ items: [], meta: { ...usual.meta, page } })
  })

  test('sorts by each of its columns both ways, in any case of the order, and ignores unknown parameters', async () => {
    for (const by of sortBy) {
      const up = await list.whole({ sortBy: by, sortOrder: 'asc' })
      const down = await list.whole({ sortBy: by, sortOrder: 'dEsC', foo: '' })
      expect(down.map(({ id }) => id).toSorted(), by).toEqual(up.map(({ id }) => id).toSorted())
      if (typeof up[0]?.[by] !== 'number') continue
      const sorted = (sign: number) => up.toSorted((a, b) => sign * (Number(a[by]) - Number(b[by])) || a.id - b.id)
      expect(up, by).toEqual(sorted(1))
      expect(down, by).toEqual(sorted(-1))
    }
    expect(await list.whole({ sortBy: sortBy[0] ?? '', sortOrder: 'desc' })).toEqual(await list.whole({}))
  })

  test('refuses an invalid page, page size, column or order, and parameters that are empty or given twice', async () => {
    const columns = sortBy.join(', ')
    const column = [`Şunlardan biri olmalıdır: ${columns}.`, `Must be one of: ${columns}.`] as const
    const order = ['Şunlardan biri olmalıdır: asc, desc.', 'Must be one of: asc, desc.'] as const
    expect((await list.page({ perPage: '200' })).meta.perPage).toBe(200)
    await list.refuses({ perPage: '201' }, [['perPage', ...messages.upTo200]])
    await list.refuses({ page: '0', perPage: '1.5', sortBy: 'constructor', sortOrder: 'down' }, [
      ['page', ...messages.atLeast1],
      ['perPage', ...messages.upTo200],
      ['sortBy', ...column],
      ['sortOrder', ...order],
    ])
    const parameters = ['page', 'perPage', 'sortBy', 'sortOrder']
    const each = (message: readonly [string, string]) => parameters.map((name) => [name, ...message] as const)
    await list.refuses(parameters.map((name) => `${name}=`).join('&'), each(messages.empty))
    await list.refuses(parameters.map((name) => `${name}=1&${name}=1`).join('&'), each(messages.text))
  })
})
