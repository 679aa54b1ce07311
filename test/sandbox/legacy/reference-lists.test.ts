import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type ListBody } from '../sandbox-client.ts'
import { type LegacyError, languages, legacyTime, violates } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

type Row = Record<string, unknown> & { id: number; name: string }

let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces()
})
afterAll(() => faces.close())

async function list(path: string, query: Record<string, string> = {}, language = 'tr'): Promise<Row[]> {
  const reply = await faces.ask<Row[]>(`${path}?${new URLSearchParams(query)}`, { language })
  expect(reply.status, reply.text.slice(0, 200)).toBe(200)
  expect(Array.isArray(reply.body)).toBe(true)
  return reply.body
}

/** The first rows of v1's list. */
async function firstOfV1(path: string, query: Record<string, string>): Promise<Row[]> {
  const parameters = new URLSearchParams({ ...query, perPage: '200' })
  return (await ask<ListBody<Row>>(faces, `${path}?${parameters}`, { token: faces.v1Tokens.demo })).body.items
}

/** The whole list of v1, read page by page. */
async function listOfV1(path: string, query: Record<string, string>, language: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const parameters = new URLSearchParams({ ...query, page: String(page), perPage: '200' })
    const { body } = await ask<ListBody<Row>>(faces, `${path}?${parameters}`, { token: faces.v1Tokens.demo, language })
    pageCount = body.meta.pageCount
    rows.push(...body.items)
  }
  return rows
}

/** Each list, its name in v1, its sort columns, and a function that undoes the changes of v1 in a row by hand. */
const lists = [
  {
    path: '/country/all',
    v1: '/api/v1/public/shared/countries',
    sortBy: ['orderNumber', 'name', 'code', 'id', 'isGuarantee'],
    undo: ({ flags, tax, ...row }: Row): object => {
      const { w20, w40 } = flags as Record<string, unknown>
      const { type, maxValidPrice } = tax as Record<string, unknown>
      return { ...row, taxType: type, taxMaxValidPrice: maxValidPrice, flagW20: w20, flagW40: w40 }
    },
  },
  {
    path: '/city/all',
    v1: '/api/v1/public/shared/cities',
    // The whole list is long.
    part: { countryCode: 'DE' },
    sortBy: ['orderNumber', 'name', 'countryCode', 'id'],
    undo: (row: Row): object => row,
  },
  {
    path: '/county/all',
    v1: '/api/v1/public/shared/counties',
    sortBy: ['orderNumber', 'name', 'cityId', 'id'],
    undo: (row: Row): object => row,
  },
  {
    path: '/api/currency',
    v1: '/api/v1/shared/currencies',
    sortBy: ['orderNumber', 'name', 'code', 'id', 'updatedAt', 'sellingRateTry', 'buyingRateTry'],
    undo: ({ flagPath: _, rates, ...row }: Row): object => {
      const { sellingTry, buyingTry, updatedAt } = rates as Record<string, string>
      const rate = { sellingRateTry: sellingTry, buyingRateTry: buyingTry }
      return { ...row, rate, updatedAt: updatedAt?.replace('.000Z', '+00:00') }
    },
  },
  {
    path: '/api/unit/of/measure/all',
    v1: '/api/v1/shared/units-of-measure',
    sortBy: ['orderNumber', 'name', 'code', 'id'],
    undo: (row: Row): object => row,
  },
  {
    path: '/api/export/code',
    v1: '/api/v1/shared/export-codes',
    sortBy: ['orderNumber', 'name', 'code', 'id'],
    undo: (row: Row): object => row,
  },
]

const v1Names: Record<string, string> = { sellingRateTry: 'sellingTry', buyingRateTry: 'buyingTry' }

describe.each(lists)('$path', ({ path, v1, sortBy, undo, part = {} }) => {
  test('is the whole list as a root array, in the order and language of v1', async () => {
    for (const language of languages) {
      const expected = (await listOfV1(v1, part, language)).map(undo)
      expect(expected.length).toBeGreaterThan(10)
      expect(await list(path, part, language)).toEqual(expected)
    }
  })

  test('sorts by the columns of v1, both ways', async () => {
    for (const column of sortBy) {
      for (const sortOrder of ['asc', 'DESC']) {
        const ids = (await list(path, { ...part, sortBy: column, sortOrder })).map(({ id }) => id)
        const expected = await firstOfV1(v1, { ...part, sortBy: v1Names[column] ?? column, sortOrder })
        expect(ids.slice(0, 200), `${column} ${sortOrder}`).toEqual(expected.map(({ id }) => id))
      }
    }
  })

  test('ignores empty and unknown parameters and an unknown column; an unknown order is 400 at its path', async () => {
    const usual = await list(path, part)
    for (const query of [
      { sortBy: '', sortOrder: '', id: '', code: '', search: '', isGuarantee: '', cityId: '', countryId: '' },
      { sortBy: 'sellingTry', page: '2', perPage: '1' },
      { ids: '1', nameExact: 'x', namePrefix: 'x', codes: 'USD', isDefined: 'true' },
    ]) {
      expect(await list(path, { ...part, ...query }), JSON.stringify(query)).toEqual(usual)
    }
    const message = { tr: 'Şunlardan biri olmalıdır: asc, desc.', en: 'Must be one of: asc, desc.' }
    for (const language of languages) {
      const reply = await faces.ask<LegacyError>(`${path}?sortOrder=up`, { language })
      expect(reply.status).toBe(400)
      expect(reply.body).toEqual(violates(language, { sortOrder: message[language] }))
    }
  })
})

describe('countries', () => {
  test('have a flat shape', async () => {
    expect(await list('/country/all', { code: 'de' }, 'en')).toEqual([
      {
        id: 57,
        code: 'DE',
        name: 'Germany',
        phoneCode: '+49',
        isCarrierService: true,
        taxType: 'IOSS',
        taxMaxValidPrice: 150,
        flagW20: 'https://flagcdn.com/w20/de.png',
        flagW40: 'https://flagcdn.com/w40/de.png',
      },
    ])
  })

  test('are found by id, code, English name and guarantee, in either language', async () => {
    for (const language of languages) {
      const codes = async (query: Record<string, string>) =>
        (await list('/country/all', query, language)).map(({ code }) => code)
      expect(await codes({ id: '57' })).toEqual(['DE'])
      expect(await codes({ search: 'germ' })).toEqual(['DE'])
      expect(await codes({ search: '57' })).toEqual(['DE'])
      expect(await codes({ search: 'DE', sortBy: 'code' })).toContain('DE')
      expect(await codes({ id: '57', code: 'fr' })).toEqual([])
      const [guaranteed, others] = [await codes({ isGuarantee: '1' }), await codes({ isGuarantee: 'false' })]
      expect(guaranteed).toContain('DE')
      expect(others).not.toContain('DE')
      expect(guaranteed.length + others.length).toBe(249)
    }
  })

  test('are not found by Turkish names, unlike in v1', async () => {
    for (const language of languages) {
      expect(await list('/country/all', { search: 'Almanya' }, language)).toEqual([])
      expect(await listOfV1('/api/v1/public/shared/countries', { search: 'Almanya' }, language)).toHaveLength(1)
    }
  })

  test('use the last of a parameter that is given twice', async () => {
    const { body } = await faces.ask<Row[]>('/country/all?code=DE&code=FR')
    expect(body.map(({ code }) => code)).toEqual(['FR'])
  })

  test('refuse bad values: 400 at each', async () => {
    const query = { id: '0', code: 'x'.repeat(9), search: 'x'.repeat(256), isGuarantee: 'yes' }
    const reply = await faces.ask<LegacyError>(`/country/all?${new URLSearchParams(query)}`)
    expect(reply.status).toBe(400)
    expect(reply.body.violations?.map(({ propertyPath }) => propertyPath)).toEqual(Object.keys(query))
  })
})

test('cities are those of a country, by id or code', async () => {
  const turkish = await list('/city/all', { countryCode: 'tr' })
  expect(turkish).toHaveLength(81)
  expect(turkish[0]).toEqual({ id: 34, name: 'İstanbul', countryId: 225, countryCode: 'TR' })
  expect(await list('/city/all', { countryId: '225' })).toEqual(turkish)
  expect(await list('/city/all', { countryId: '225', countryCode: 'DE' })).toEqual([])
})

test('counties are those of a city', async () => {
  const counties = await list('/county/all', { cityId: '34' })
  expect(counties).toHaveLength(39)
  expect(counties.find(({ name }) => name === 'Kadıköy')).toEqual({
    id: expect.any(Number),
    name: 'Kadıköy',
    cityId: 34,
  })
})

test('currencies have their rates beside updatedAt, which has the legacy form', async () => {
  const currencies = await list('/api/currency')
  expect(currencies.find(({ code }) => code === 'USD')).toEqual({
    id: expect.any(Number),
    code: 'USD',
    name: 'ABD doları',
    rate: { sellingRateTry: 42.251, buyingRateTry: 42.175 },
    updatedAt: '2025-12-31T12:30:00+00:00',
  })
  for (const { updatedAt } of currencies) expect(updatedAt).toMatch(legacyTime)
})

test('units of measure are named in the requested language', async () => {
  const nameOf = async (language: string) =>
    (await list('/api/unit/of/measure/all', {}, language)).find(({ code }) => code === 'MTR')?.name
  expect([await nameOf('tr'), await nameOf('en-GB'), await nameOf('de')]).toEqual(['metre', 'metre', 'metre'])
  const english = await list('/api/unit/of/measure/all', {}, 'en')
  expect(english).not.toEqual(await list('/api/unit/of/measure/all', {}, 'tr'))
})
