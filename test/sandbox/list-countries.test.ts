import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, type Query } from './list-client.ts'
import { ask, type ListBody, startInMemory } from './sandbox-client.ts'

interface Country {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly phoneCode: string
  readonly isCarrierService: boolean
  readonly tax: { readonly type: string; readonly maxValidPrice: number }
  readonly flags: { readonly w20: string; readonly w40: string }
}

const path = '/api/v1/public/shared/countries'
let sandbox: Sandbox
let countries: ListClient<Country>
/** Every country by id, with English and with Turkish names. */
let english: readonly Country[]
let turkish: readonly Country[]

beforeAll(async () => {
  sandbox = await startInMemory()
  countries = listClient<Country>(sandbox, path)
  english = await countries.whole({ sortBy: 'id', sortOrder: 'asc' }, 'en')
  turkish = await countries.whole({ sortBy: 'id', sortOrder: 'asc' }, 'tr')
})
afterAll(() => sandbox.close())

const codes = (all: readonly Country[]) => all.map(({ code }) => code)

/** The codes of the countries found, by code. */
async function find(query: Query, language?: string): Promise<readonly string[]> {
  return codes(await countries.whole({ sortBy: 'code', sortOrder: 'asc', ...query }, language))
}

describe('the answer', () => {
  test('needs no token and is the success envelope, its message Turkish in every language', async () => {
    for (const asked of [{ language: 'tr' }, { language: 'en' }, { token: 'nonsense' }]) {
      const { status, body } = await ask<ListBody<Country>>(sandbox, path, asked)
      expect(status).toBe(200)
      expect(body).toMatchObject({ success: true, message: 'Ülkeler listelendi.' })
      expect(body.meta).toEqual({ page: 1, perPage: 50, total: 249, pageCount: 5 })
    }
  })

  test("has the contract's members in its order, of its types, and not those for sorting", () => {
    for (const country of english) {
      expect(Object.keys(country)).toEqual(['id', 'code', 'name', 'phoneCode', 'isCarrierService', 'tax', 'flags'])
      const code = country.code.toLowerCase()
      expect(country).toEqual({
        id: expect.any(Number),
        code: expect.stringMatching(/^[A-Z]{2}$/),
        name: expect.stringMatching(/^\S.{2,}$/),
        phoneCode: expect.stringMatching(/^\+[1-9]\d{0,3}$/),
        isCarrierService: expect.any(Boolean),
        tax: { type: expect.stringMatching(/^[A-Z]+$/), maxValidPrice: expect.any(Number) },
        flags: { w20: `https://flagcdn.com/w20/${code}.png`, w40: `https://flagcdn.com/w40/${code}.png` },
      })
    }
  })

  test('holds all 249 countries of ISO 3166, each with a name of its own in both languages', () => {
    for (const all of [codes(english), english.map(({ name }) => name), turkish.map(({ name }) => name)]) {
      expect(new Set(all).size).toBe(249)
    }
  })

  test('differs between languages only in the names', async () => {
    const unnamed = (all: readonly Country[]) => all.map((country) => ({ ...country, name: '' }))
    expect(unnamed(english)).toEqual(unnamed(turkish))
    const nameOf = async (language?: string) => (await countries.page({ code: 'CH' }, language)).items[0]?.name
    expect([await nameOf('en-GB'), await nameOf('de'), await nameOf()]).toEqual(['Switzerland', 'İsviçre', 'İsviçre'])
  })
})

test('the most requested countries come first by default, and names are sorted by the English one', async () => {
  const byDefault = await countries.whole({}, 'en')
  expect(codes(byDefault).slice(0, 4)).toEqual(['US', 'DE', 'GB', 'FR'])
  const tied = byDefault.slice(11).map(({ id }) => id)
  expect(tied).toEqual(tied.toSorted((a, b) => a - b))
  const expected = codes(english.toSorted((a, b) => a.name.localeCompare(b.name, 'en')))
  for (const language of ['en', 'tr']) {
    expect(await find({ sortBy: 'name' }, language)).toEqual(expected)
    expect(await find({ sortBy: 'name', sortOrder: 'desc' }, language)).toEqual(expected.toReversed())
  }
})

test('id, code in any case, and isGuarantee find countries, also together', async () => {
  expect(await find({ id: String(english.find(({ code }) => code === 'TR')?.id) })).toEqual(['TR'])
  expect(await find({ id: '250' })).toEqual([])
  for (const code of ['TR', 'tr']) expect(await find({ code })).toEqual(['TR'])
  for (const code of ['T', 'T_', '%', 'TUR', 'XK']) expect(await find({ code })).toEqual([])
  const [guaranteed, others] = [await find({ isGuarantee: 'true' }), await find({ isGuarantee: 'false' })]
  expect([guaranteed, others]).toEqual([await find({ isGuarantee: '1' }), await find({ isGuarantee: '0' })])
  expect([...guaranteed, ...others].toSorted()).toEqual(codes(english).toSorted())
  expect(guaranteed).toContain('DE')
  expect(await find({ sortBy: 'isGuarantee' })).toHaveLength(249)
  expect(await find({ search: 'land', isGuarantee: '1', code: 'nl' })).toEqual(['NL'])
  expect(await find({ search: 'land', isGuarantee: '0', code: 'nl' })).toEqual([])
})

test.each([
  ['an English name, or a part of it', ['Switzerland', 'witzerl'], ['CH']],
  [
    'a Turkish name, with letters of any case and language',
    ['İsviçre', 'ISVİÇRE', 'ısviçre', 'I\u0307svic\u0327re'],
    ['CH'],
  ],
  ['a typed and a printed apostrophe', ["d'ivoire", 'd’Ivoire'], ['CI']],
  ['an id that equals it', ['57'], ['DE']],
  [
    'nothing else, whatever it looks like',
    ['Turkiye', '%', 'Sw_tzerland', "' OR 1=1 --", '\0', 'Germany,France', '057'],
    [],
  ],
])('search finds by %s, whatever the language of the answer', async (_, searches, expected) => {
  for (const search of searches) {
    for (const language of ['tr', 'en']) expect(await find({ search }, language), search).toEqual(expected)
  }
})

test('bad values are reported at once, and so are parameters that are empty or given twice', async () => {
  await countries.refuses({ id: '0', code: 'TRTRTRTRT', search: 'x'.repeat(256), isGuarantee: 'yes' }, [
    ['id', ...messages.atLeast1],
    ['code', ...messages.upTo8],
    ['search', ...messages.upTo255],
    ['isGuarantee', ...messages.flag],
  ])
  const parameters = ['id', 'code', 'search', 'isGuarantee']
  const each = (message: readonly [string, string]) => parameters.map((name) => [name, ...message] as const)
  await countries.refuses(parameters.map((name) => `${name}=`).join('&'), each(messages.empty))
  await countries.refuses(parameters.map((name) => `${name}=1&${name}=1`).join('&'), each(messages.text))
})
