import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, type Query } from './list-client.ts'
import { demo, logIn, startInMemory } from './sandbox-client.ts'

interface County {
  readonly id: number
  readonly name: string
  readonly cityId: number
}

let sandbox: Sandbox
let counties: ListClient<County>
/** Every county by id. */
let all: readonly County[]

beforeAll(async () => {
  sandbox = await startInMemory()
  counties = listClient<County>(sandbox, '/api/v1/public/shared/counties', await logIn(sandbox, demo))
  all = await counties.whole({ sortBy: 'id', sortOrder: 'asc' })
})
afterAll(() => sandbox.close())

/** The names of the counties found, by name. */
async function find(query: Query): Promise<readonly string[]> {
  return (await counties.whole({ sortBy: 'name', sortOrder: 'asc', ...query })).map(({ name }) => name)
}

test('a county has an id, a name and its city, and is the same in every language', async () => {
  for (const county of all) expect(Object.keys(county)).toEqual(['id', 'name', 'cityId'])
  expect(new Set(all.map(({ cityId }) => cityId)).size).toBe(81)
  expect(await counties.whole({}, 'en')).toEqual(await counties.whole({}, 'tr'))
})

test('the central districts come first by default, and names are sorted as in a Turkish dictionary', async () => {
  const central = all.filter(({ name }) => name === 'Merkez')
  expect(central).toHaveLength(51)
  expect(await counties.whole({})).toEqual([...central, ...all.filter(({ name }) => name !== 'Merkez')])
  const { compare } = new Intl.Collator('tr')
  const sorted = all.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id)
  expect(await counties.whole({ sortBy: 'name', sortOrder: 'asc' })).toEqual(sorted)
})

test('cityId, ids, nameExact and namePrefix find counties, whatever the letters’ case, also together', async () => {
  expect(await find({ cityId: '69' })).toEqual(['Aydıntepe', 'Demirözü', 'Merkez'])
  expect(await counties.page({ cityId: '82' })).toMatchObject({ items: [], meta: { total: 0, pageCount: 0 } })
  expect(await find({ nameExact: 'KADİKÖY' })).toEqual(['Kadıköy'])
  expect(await find({ nameExact: 'ereğli' })).toEqual(['Ereğli', 'Ereğli'])
  for (const nameExact of ['Kadı', 'Kadikoy', '%']) expect(await find({ nameExact })).toEqual([])
  expect(await find({ namePrefix: 'İl' })).toEqual(['Ilgaz', 'Ilgın', 'İliç', 'İlkadım'])
  const [besiktas] = await counties.whole({ nameExact: 'beşiktaş' })
  expect(await find({ cityId: '34', namePrefix: 'be', ids: `1,${besiktas?.id}` })).toEqual(['Beşiktaş'])
  expect(await find({ cityId: '6', nameExact: 'kadıköy' })).toEqual([])
})

test('bad values are reported at once, and so are parameters that are empty or given twice', async () => {
  const long = 'x'.repeat(256)
  await counties.refuses({ cityId: '0', ids: '1,-1', nameExact: long, namePrefix: long }, [
    ['cityId', ...messages.atLeast1],
    ['ids', ...messages.ids],
    ['nameExact', ...messages.upTo255],
    ['namePrefix', ...messages.upTo255],
  ])
  const parameters = ['cityId', 'ids', 'nameExact', 'namePrefix']
  const each = (message: readonly [string, string]) => parameters.map((name) => [name, ...message] as const)
  await counties.refuses(parameters.map((name) => `${name}=`).join('&'), each(messages.empty))
  await counties.refuses(parameters.map((name) => `${name}=1&${name}=1`).join('&'), each(messages.text))
})
