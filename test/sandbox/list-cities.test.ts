import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, notInts, type Query } from './list-client.ts'
import { demo, logIn, startInMemory } from './sandbox-client.ts'

interface City {
  id: number
  name: string
  countryId: number
  countryCode: string
}

let sandbox: Sandbox
let cities: ListClient<City>
/** Every city by id. */
let all: City[]

beforeAll(async () => {
  sandbox = await startInMemory()
  cities = listClient<City>(sandbox, '/api/v1/public/shared/cities', await logIn(sandbox, demo))
  all = await cities.whole({ sortBy: 'id', sortOrder: 'asc' })
})
afterAll(() => sandbox.close())

const names = (found: City[]) => found.map(({ name }) => name)
const fold = (text: string) => text.replace(/[İIı]/g, 'i').replaceAll('’', "'").toLowerCase()

/** The names of the cities found, by name. */
async function find(query: Query): Promise<string[]> {
  return names(await cities.whole({ sortBy: 'name', sortOrder: 'asc', ...query }))
}

test('a city has an id, a name and its country', () => {
  expect(all.find(({ id }) => id === 34)).toEqual({ id: 34, name: 'İstanbul', countryId: 225, countryCode: 'TR' })
  for (const city of all) {
    expect(Object.keys(city)).toEqual(['id', 'name', 'countryId', 'countryCode'])
    expect(city.name).toMatch(/^\S(.*\S)?$/)
    expect(city.countryCode).toMatch(/^[A-Z]{2}$/)
  }
})

test('names are the same in every language', async () => {
  expect(await cities.whole({}, 'en')).toEqual(await cities.whole({}, 'tr'))
})

describe('the order', () => {
  test('has the most requested cities first by default, then the others by id', async () => {
    const byDefault = await cities.whole({})
    expect(names(byDefault).slice(0, 5)).toEqual(['İstanbul', 'Ankara', 'İzmir', 'Bursa', 'Antalya'])
    const tied = byDefault.slice(5).map(({ id }) => id)
    expect(tied).toEqual(tied.toSorted((a, b) => a - b))
  })

  test('by name is that of a Turkish dictionary, equal names by id both ways', async () => {
    const { compare } = new Intl.Collator('tr')
    const up = all.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id)
    const down = all.toSorted((a, b) => compare(b.name, a.name) || a.id - b.id)
    expect(await cities.whole({ sortBy: 'name', sortOrder: 'asc' })).toEqual(up)
    expect(await cities.whole({ sortBy: 'name', sortOrder: 'desc' })).toEqual(down)
    expect(up.some(({ name }, n) => name === up[n + 1]?.name)).toBe(true)
    const provinces = await find({ countryCode: 'TR' })
    expect(provinces.slice(0, 3)).toEqual(['Adana', 'Adıyaman', 'Afyonkarahisar'])
    expect(provinces.filter((name) => /^[CÇIİ]/.test(name))).toEqual([
      'Çanakkale',
      'Çankırı',
      'Çorum',
      'Iğdır',
      'Isparta',
      'İstanbul',
      'İzmir',
    ])
  })

  test('by country code, then by id', async () => {
    const order = (sign: number) =>
      all.toSorted((a, b) =>
        a.countryCode === b.countryCode ? a.id - b.id : a.countryCode < b.countryCode ? -sign : sign,
      )
    expect(await cities.whole({ sortBy: 'countryCode', sortOrder: 'asc' })).toEqual(order(1))
    expect(await cities.whole({ sortBy: 'countryCode', sortOrder: 'desc' })).toEqual(order(-1))
  })
})

describe('countryId and countryCode', () => {
  test('without them the cities of all countries are returned', () => {
    expect(new Set(all.map(({ countryId }) => countryId)).size).toBeGreaterThan(200)
  })

  test('find the cities of that country', async () => {
    const german = all.filter(({ countryCode }) => countryCode === 'DE')
    const countryId = String(german[0]?.countryId)
    const order = { sortBy: 'id', sortOrder: 'asc' }
    expect(german.length).toBeGreaterThan(300)
    expect(await cities.whole({ ...order, countryId })).toEqual(german)
    for (const countryCode of ['DE', 'de', 'De']) {
      expect(await cities.whole({ ...order, countryCode })).toEqual(german)
      expect(await cities.whole({ ...order, countryId, countryCode })).toEqual(german)
    }
  })

  test('that contradict each other find nothing', async () => {
    expect(await find({ countryId: '225', countryCode: 'DE' })).toEqual([])
  })

  test.each<Query>([
    { countryId: '250' },
    { countryCode: 'XK' },
    { countryCode: 'T' },
    { countryCode: '%' },
    { countryCode: 'ZZZZZZZZ' },
  ])('%o is not a country', async (query) => {
    expect(await cities.page(query)).toMatchObject({
      items: [],
      meta: { page: 1, perPage: 50, total: 0, pageCount: 0 },
    })
  })
})

describe('ids', () => {
  test.each([
    ['34', ['İstanbul']],
    ['34,6,35', ['Ankara', 'İstanbul', 'İzmir']],
    [' 34 , 6,', ['Ankara', 'İstanbul']],
    ['34,34', ['İstanbul']],
    ['34,82', ['İstanbul']],
    ['9007199254740991', []],
  ])('%s', async (ids, expected) => {
    expect(await find({ ids })).toEqual(expected)
  })

  test('can be as many as a URL holds', async () => {
    const many = all.slice(0, 5000).map(({ id }) => id)
    const found = await cities.whole({ ids: many.join(','), sortBy: 'id', sortOrder: 'asc' })
    expect(found.map(({ id }) => id)).toEqual(many)
  })
})

describe('nameExact', () => {
  test.each(['İstanbul', 'istanbul', 'ISTANBUL', 'İSTANBUL', 'ıstanbul', 'I\u0307stanbul'])(
    '%s is İstanbul in both languages',
    async (nameExact) => {
      for (const language of ['tr', 'en']) {
        expect((await cities.page({ nameExact }, language)).items).toMatchObject([{ id: 34, name: 'İstanbul' }])
      }
    },
  )

  test.each([
    ['ŞIRNAK', ['Şırnak']],
    ['iğdir', ['Iğdır']],
    ['Sirnak', []],
    ['İstanbu', []],
    ['stanbul', []],
    [' İstanbul', []],
    ['%', []],
    ['İ_tanbul', []],
    ["' OR 1=1 --", []],
    ['\0', []],
  ])('%s finds %s', async (nameExact, expected) => {
    expect(await find({ nameExact })).toEqual(expected)
  })

  test('finds every city of that name', async () => {
    const found = await cities.whole({ nameExact: 'springfield', sortBy: 'id', sortOrder: 'asc' })
    expect(found).toEqual(all.filter(({ name }) => name === 'Springfield'))
    expect(found.length).toBeGreaterThan(3)
  })
})

describe('namePrefix', () => {
  test.each(['İs', 'is', 'IS', 'ıs', 'Ç', 'ç', 'şan', 'San ', 'st.', 'Zü', "'s", 'Å'])(
    '%s finds the cities that start with it',
    async (namePrefix) => {
      const expected = all.filter(({ name }) => fold(name).startsWith(fold(namePrefix)))
      expect(expected.length).toBeGreaterThan(0)
      expect(await cities.whole({ namePrefix, sortBy: 'id', sortOrder: 'asc' })).toEqual(expected)
    },
  )

  test.each(['%', '_', '%stanbul', 'İ_', 'stanbul', 'İstanbulx', "' OR 1=1 --", '\0', '\u{10FFFF}', '\uD800'])(
    '%s is not the start of a name',
    async (namePrefix) => {
      expect(await find({ namePrefix })).toEqual([])
    },
  )
})

test('filters apply together', async () => {
  expect(await find({ namePrefix: 'is', countryCode: 'TR' })).toEqual(['Isparta', 'İstanbul'])
  expect(await find({ namePrefix: 'is', countryCode: 'TR', ids: '34,6' })).toEqual(['İstanbul'])
  expect(await find({ namePrefix: 'is', nameExact: 'ISPARTA' })).toEqual(['Isparta'])
  expect(await find({ namePrefix: 'is', nameExact: 'Ankara' })).toEqual([])
})

describe('bad values', () => {
  const long = ['x'.repeat(256), 'ş'.repeat(256), 'x'.repeat(1024 * 1024)]
  test.each([
    ['countryId', messages.atLeast1, notInts],
    ['countryCode', messages.upTo8, ['TRTRTRTRT', 'x'.repeat(1024 * 1024)]],
    [
      'ids',
      messages.ids,
      [...notInts.filter((text) => text !== ' 5'), '1,x', '1;2', '[1]', `1,${'x'.repeat(1024 * 1024)}`],
    ],
    ['ids', messages.empty, [',', ' , ,', ' ']],
    ['nameExact', messages.upTo255, long],
    ['namePrefix', messages.upTo255, long],
  ])('%s is 422 (%s)', async (parameter, says, values) => {
    for (const value of values) await cities.refuses({ [parameter]: value }, [[parameter, ...says]])
  })

  test('255 characters are not too long', async () => {
    expect(await find({ nameExact: 'ş'.repeat(255), namePrefix: 'ş'.repeat(255) })).toEqual([])
  })

  test.each([
    ['sent empty', messages.empty, (parameter: string) => `${parameter}=`],
    ['given twice', messages.text, (parameter: string) => `${parameter}=1&${parameter}=1`],
  ] as const)('parameters %s are reported at once', async (_, says, write) => {
    const parameters = ['countryId', 'countryCode', 'ids', 'nameExact', 'namePrefix']
    await cities.refuses(
      parameters.map(write).join('&'),
      parameters.map((parameter) => [parameter, ...says] as const),
    )
  })
})
