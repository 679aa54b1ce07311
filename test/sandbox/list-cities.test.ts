import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, type Query } from './list-client.ts'
import { demo, logIn, startInMemory } from './sandbox-client.ts'

interface City {
  readonly id: number
  readonly name: string
  readonly countryId: number
  readonly countryCode: string
}

let sandbox: Sandbox
let cities: ListClient<City>

beforeAll(async () => {
  sandbox = await startInMemory()
  cities = listClient<City>(sandbox, '/api/v1/public/shared/cities', await logIn(sandbox, demo))
})
afterAll(() => sandbox.close())

/** The names of the cities found, by name. */
async function find(query: Query): Promise<readonly string[]> {
  return (await cities.whole({ sortBy: 'name', sortOrder: 'asc', ...query })).map(({ name }) => name)
}

test('a city has an id, a name and its country, the same in every language', async () => {
  const { items } = await cities.page({}, 'en')
  expect(await cities.page({}, 'tr')).toMatchObject({ items })
  for (const city of items) expect(Object.keys(city)).toEqual(['id', 'name', 'countryId', 'countryCode'])
  expect(items[0]).toEqual({ id: 34, name: 'İstanbul', countryId: 225, countryCode: 'TR' })
})

test('the most requested cities come first by default, and names are sorted as in a Turkish dictionary', async () => {
  const { items } = await cities.page({})
  expect(items.slice(0, 5).map(({ name }) => name)).toEqual(['İstanbul', 'Ankara', 'İzmir', 'Bursa', 'Antalya'])
  const provinces = await find({ countryCode: 'TR' })
  expect(provinces).toEqual(provinces.toSorted(new Intl.Collator('tr').compare))
  expect(await find({ countryCode: 'TR', sortOrder: 'desc' })).toEqual(provinces.toReversed())
})

test('countryId and countryCode, in any case, find the cities of that country', async () => {
  const provinces = await find({ countryCode: 'TR' })
  expect(provinces).toHaveLength(81)
  expect(await find({ countryId: '225' })).toEqual(provinces)
  expect(await find({ countryId: '225', countryCode: 'tr' })).toEqual(provinces)
  for (const query of [{ countryId: '225', countryCode: 'DE' }, { countryId: '250' }, { countryCode: '%' }]) {
    expect(await cities.page(query)).toMatchObject({ items: [], meta: { total: 0, pageCount: 0 } })
  }
})

test('ids, nameExact and namePrefix find cities, whatever the letters’ case, also together', async () => {
  expect(await find({ ids: ' 34 , 6,34,82,' })).toEqual(['Ankara', 'İstanbul'])
  for (const name of ['İstanbul', 'ISTANBUL', 'ıstanbul', 'I\u0307stanbul']) {
    expect(await find({ nameExact: name }), name).toEqual(['İstanbul'])
  }
  for (const nameExact of ['İstanbu', '%', "' OR 1=1 --"]) expect(await find({ nameExact })).toEqual([])
  expect((await find({ nameExact: 'springfield' })).length).toBeGreaterThan(3)
  expect(await find({ namePrefix: 'is', countryCode: 'TR' })).toEqual(['Isparta', 'İstanbul'])
  expect(await find({ namePrefix: 'is', countryCode: 'TR', ids: '34,6' })).toEqual(['İstanbul'])
  expect(await find({ namePrefix: 'is', nameExact: 'Ankara' })).toEqual([])
  for (const namePrefix of ['%stanbul', 'İ_', 'stanbul']) expect(await find({ namePrefix })).toEqual([])
})

test('bad values are reported at once, and so are parameters that are empty or given twice', async () => {
  const long = 'x'.repeat(256)
  await cities.refuses({ countryId: '0', countryCode: 'TRTRTRTRT', ids: '1,x', nameExact: long, namePrefix: long }, [
    ['countryId', ...messages.atLeast1],
    ['countryCode', ...messages.upTo8],
    ['ids', ...messages.ids],
    ['nameExact', ...messages.upTo255],
    ['namePrefix', ...messages.upTo255],
  ])
  const parameters = ['countryId', 'countryCode', 'ids', 'nameExact', 'namePrefix']
  const each = (message: readonly [string, string]) => parameters.map((name) => [name, ...message] as const)
  await cities.refuses(parameters.map((name) => `${name}=`).join('&'), each(messages.empty))
  await cities.refuses(parameters.map((name) => `${name}=1&${name}=1`).join('&'), each(messages.text))
  await cities.refuses({ ids: ' , ' }, [['ids', ...messages.empty]])
})
