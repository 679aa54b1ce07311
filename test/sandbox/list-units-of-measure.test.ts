import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient } from './list-client.ts'
import { demo, logIn, startInMemory } from './sandbox-client.ts'

interface UnitOfMeasure {
  id: number
  code: string
  name: string
}

let sandbox: Sandbox
let units: ListClient<UnitOfMeasure>
/** Every unit by id, with English and with Turkish names. */
let english: UnitOfMeasure[]
let turkish: UnitOfMeasure[]

beforeAll(async () => {
  sandbox = await startInMemory()
  units = listClient<UnitOfMeasure>(sandbox, '/api/v1/shared/units-of-measure', await logIn(sandbox, demo))
  english = await units.whole({ sortBy: 'id', sortOrder: 'asc' }, 'en')
  turkish = await units.whole({ sortBy: 'id', sortOrder: 'asc' }, 'tr')
})
afterAll(() => sandbox.close())

const codes = (found: UnitOfMeasure[]) => found.map(({ code }) => code)

test('a unit has an id, a code and a name', () => {
  for (const unit of [...english, ...turkish]) {
    expect(Object.keys(unit)).toEqual(['id', 'code', 'name'])
    expect(unit).toEqual({
      id: expect.any(Number),
      code: expect.stringMatching(/^[A-Z0-9]{2,3}$/),
      name: expect.stringMatching(/^\S(.*\S)?$/),
    })
  }
})

test('the name follows Accept-Language, and nothing else does', async () => {
  const unit = (language?: string) =>
    units.whole({}, language).then((all) => all.find(({ code }) => code === 'MTQ')?.name)
  expect(await unit('en')).toBe('cubic metre')
  expect(await unit('en-GB,tr;q=0.5')).toBe('cubic metre')
  expect(await unit('tr')).toBe('metreküp')
  expect(await unit('de')).toBe('metreküp')
  expect(await unit()).toBe('metreküp')
  expect(codes(english)).toEqual(codes(turkish))
})

test('the most requested units are first by default, then the others by id', async () => {
  const byDefault = await units.whole({})
  expect(codes(byDefault).slice(0, 5)).toEqual(['C62', 'KGM', 'PR', 'SET', 'MTR'])
  const tied = byDefault.slice(5).map(({ id }) => id)
  expect(tied).toEqual(tied.toSorted((a, b) => a - b))
})

test('names are sorted by the English name in both languages, and codes have digits before letters', async () => {
  const byName = codes(english.toSorted((a, b) => a.name.localeCompare(b.name, 'en')))
  for (const language of ['en', 'tr']) {
    expect(codes(await units.whole({ sortBy: 'name', sortOrder: 'asc' }, language))).toEqual(byName)
  }
  expect(codes(await units.whole({ sortBy: 'code', sortOrder: 'desc' }))).toEqual(
    codes(english).toSorted().toReversed(),
  )
})
