import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, notInts, type Query } from './list-client.ts'
import { demo, logIn, startInMemory } from './sandbox-client.ts'

interface County {
  id: number
  name: string
  cityId: number
}

let sandbox: Sandbox
let counties: ListClient<County>
/** Every county by id. */
let all: County[]

beforeAll(async () => {
  sandbox = await startInMemory()
  counties = listClient<County>(sandbox, '/api/v1/public/shared/counties', await logIn(sandbox, demo))
  all = await counties.whole({ sortBy: 'id', sortOrder: 'asc' })
})
afterAll(() => sandbox.close())

/** The names of the counties found, by name. */
async function find(query: Query): Promise<string[]> {
  return (await counties.whole({ sortBy: 'name', sortOrder: 'asc', ...query })).map(({ name }) => name)
}

test('a county has an id, a name and its city, and is the same in every language', async () => {
  for (const county of all) {
    expect(Object.keys(county)).toEqual(['id', 'name', 'cityId'])
    expect(county.name).toMatch(/^\S(.*\S)?$/)
    expect(county.cityId).toBeGreaterThan(0)
  }
  expect(await counties.whole({}, 'en')).toEqual(await counties.whole({}, 'tr'))
})

describe('the order', () => {
  test('has the central districts first by default, and each part by id', async () => {
    const byDefault = await counties.whole({})
    const central = all.filter(({ name }) => name === 'Merkez')
    expect(central).toHaveLength(51)
    expect(byDefault).toEqual([...central, ...all.filter(({ name }) => name !== 'Merkez')])
  })

  test('by name is that of a Turkish dictionary, equal names by id both ways', async () => {
    const { compare } = new Intl.Collator('tr')
    const up = all.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id)
    const down = all.toSorted((a, b) => compare(b.name, a.name) || a.id - b.id)
    expect(await counties.whole({ sortBy: 'name', sortOrder: 'asc' })).toEqual(up)
    expect(await counties.whole({ sortBy: 'name', sortOrder: 'desc' })).toEqual(down)
  })

  test('by city, then by id', async () => {
    expect(await counties.whole({ sortBy: 'cityId', sortOrder: 'asc' })).toEqual(all)
    expect(await counties.whole({ sortBy: 'cityId', sortOrder: 'desc' })).toEqual(
      all.toSorted((a, b) => b.cityId - a.cityId || a.id - b.id),
    )
  })
})

describe('cityId', () => {
  test('without it all counties are returned', () => {
    expect(new Set(all.map(({ cityId }) => cityId)).size).toBe(81)
  })

  test('finds the counties of that city', async () => {
    expect(await find({ cityId: '69' })).toEqual(['Aydıntepe', 'Demirözü', 'Merkez'])
    expect((await counties.page({ cityId: '34' })).meta.total).toBe(39)
  })

  test.each(['82', '2950159', '9007199254740991'])('%s is not a city with counties', async (cityId) => {
    expect(await counties.page({ cityId })).toMatchObject({ items: [], meta: { total: 0, pageCount: 0 } })
  })
})

describe('ids', () => {
  test.each(['1', '1,2', ' 2 ,1,', '973,974', '500,1,500'])('%s', async (ids) => {
    const wanted = ids.split(',').map((id) => Number(id.trim()))
    const found = await counties.whole({ ids, sortBy: 'id', sortOrder: 'asc' })
    expect(found).toEqual(all.filter(({ id }) => wanted.includes(id)))
  })
})

describe('names', () => {
  test.each([
    [{ nameExact: 'kadıköy' }, ['Kadıköy']],
    [{ nameExact: 'KADIKÖY' }, ['Kadıköy']],
    [{ nameExact: 'KADİKÖY' }, ['Kadıköy']],
    [{ nameExact: 'Kadikoy' }, []],
    [{ nameExact: 'Kadı' }, []],
    [{ nameExact: 'ereğli' }, ['Ereğli', 'Ereğli']],
    [{ nameExact: '%' }, []],
    [{ namePrefix: 'ŞİŞ' }, ['Şişli']],
    [{ namePrefix: 'şış' }, ['Şişli']],
    [{ namePrefix: 'İl' }, ['Ilgaz', 'Ilgın', 'İliç', 'İlkadım']],
    [{ namePrefix: '19' }, ['19 Mayıs']],
    [{ namePrefix: '_' }, []],
    [{ namePrefix: 'adıköy' }, []],
  ])('%o finds %s', async (query, expected) => {
    for (const language of ['tr', 'en']) {
      const { items } = await counties.page({ ...query, sortBy: 'name', sortOrder: 'asc' }, language)
      expect(items.map(({ name }) => name)).toEqual(expected)
    }
  })
})

test('filters apply together', async () => {
  expect(await find({ cityId: '34', namePrefix: 'be' })).toEqual(['Beşiktaş', 'Beykoz', 'Beylikdüzü', 'Beyoğlu'])
  expect(await find({ cityId: '6', nameExact: 'kadıköy' })).toEqual([])
  const [besiktas] = await counties.whole({ nameExact: 'beşiktaş' })
  expect(await find({ cityId: '34', namePrefix: 'be', ids: `1,${besiktas?.id}` })).toEqual(['Beşiktaş'])
})

describe('bad values', () => {
  const long = ['x'.repeat(256), 'x'.repeat(1024 * 1024)]
  test.each([
    ['cityId', messages.atLeast1, notInts],
    ['ids', messages.ids, ['0', '1,-1', '1.5', 'x', '1e3', '1,9007199254740992']],
    ['ids', messages.empty, [',', ' ']],
    ['nameExact', messages.upTo255, long],
    ['namePrefix', messages.upTo255, long],
  ])('%s is 422 (%s)', async (parameter, says, values) => {
    for (const value of values) await counties.refuses({ [parameter]: value }, [[parameter, ...says]])
  })

  test.each([
    ['sent empty', messages.empty, (parameter: string) => `${parameter}=`],
    ['given twice', messages.text, (parameter: string) => `${parameter}=1&${parameter}=1`],
  ] as const)('parameters %s are reported at once', async (_, says, write) => {
    const parameters = ['cityId', 'ids', 'nameExact', 'namePrefix']
    await counties.refuses(
      parameters.map(write).join('&'),
      parameters.map((parameter) => [parameter, ...says] as const),
    )
  })
})
