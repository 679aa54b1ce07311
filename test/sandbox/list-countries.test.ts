import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { ask, type ErrorBody, type ListBody, startInMemory } from './sandbox-client.ts'

interface Country {
  id: number
  code: string
  name: string
  phoneCode: string
  isCarrierService: boolean
  tax: { type: string; maxValidPrice: number }
  flags: { w20: string; w40: string }
}

const path = '/api/v1/public/shared/countries'
let sandbox: Sandbox
/** Every country by id, with English and with Turkish names. */
let english: Country[]
let turkish: Country[]

beforeAll(async () => {
  sandbox = await startInMemory()
  english = await whole({ sortBy: 'id', sortOrder: 'asc' }, 'en')
  turkish = await whole({ sortBy: 'id', sortOrder: 'asc' }, 'tr')
})
afterAll(() => sandbox.close())

async function list(query: Record<string, string>, language?: string): Promise<ListBody<Country>> {
  const asked = language === undefined ? {} : { language }
  const reply = await ask<ListBody<Country>>(sandbox, `${path}?${new URLSearchParams(query)}`, asked)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** Reads the whole list as docs/contract.md 11.2 says: perPage 200, up to meta.pageCount. */
async function whole(query: Record<string, string>, language?: string): Promise<Country[]> {
  const items: Country[] = []
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const body = await list({ ...query, page: String(page), perPage: '200' }, language)
    pageCount = body.meta.pageCount
    items.push(...body.items)
  }
  return items
}

const codes = (countries: Country[]) => countries.map(({ code }) => code)

async function find(query: Record<string, string>): Promise<string[]> {
  return codes(await whole({ sortBy: 'code', sortOrder: 'asc', ...query }))
}

describe('the answer', () => {
  test('needs no token and is the success envelope, its message Turkish in every language', async () => {
    for (const language of ['tr', 'en']) {
      const { status, body } = await ask<ListBody<Country>>(sandbox, path, { language })
      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(['success', 'message', 'items', 'meta'])
      expect(body).toMatchObject({ success: true, message: 'Ülkeler listelendi.' })
      expect(body.items).toHaveLength(50)
      expect(body.meta).toEqual({ page: 1, perPage: 50, total: 249, pageCount: 5 })
    }
  })

  test('is given even to an invalid token', async () => {
    expect((await ask(sandbox, path, { token: 'nonsense' })).status).toBe(200)
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
    expect(new Set(codes(english)).size).toBe(249)
    expect(new Set(english.map(({ name }) => name)).size).toBe(249)
    expect(new Set(turkish.map(({ name }) => name)).size).toBe(249)
  })

  test.each([
    ['TR', 'Türkiye', 'Türkiye', '+90'],
    ['DE', 'Germany', 'Almanya', '+49'],
    ['GB', 'United Kingdom', 'Birleşik Krallık', '+44'],
    ['CH', 'Switzerland', 'İsviçre', '+41'],
    ['IE', 'Ireland', 'İrlanda', '+353'],
    ['BS', 'Bahamas', 'Bahamalar', '+1242'],
    ['ZW', 'Zimbabwe', 'Zimbabve', '+263'],
  ])('%s is %s, in Turkish %s, and called by %s', async (code, nameEn, nameTr, phoneCode) => {
    expect((await list({ code }, 'en-GB')).items).toMatchObject([{ code, name: nameEn, phoneCode }])
    expect((await list({ code }, 'de')).items).toMatchObject([{ code, name: nameTr, phoneCode }])
    expect((await list({ code })).items).toMatchObject([{ code, name: nameTr, phoneCode }])
  })

  test('differs between languages only in the names', () => {
    expect(english.map((country) => ({ ...country, name: '' }))).toEqual(
      turkish.map((country) => ({ ...country, name: '' })),
    )
  })
})

describe('page and perPage', () => {
  test('walk through the list without gap or overlap', async () => {
    const pages = []
    for (let page = 1; page <= 4; page++) {
      pages.push(await list({ page: String(page), perPage: '70', sortBy: 'id', sortOrder: 'asc' }, 'en'))
    }
    expect(pages.map(({ items }) => items.length)).toEqual([70, 70, 70, 39])
    expect(pages.map(({ meta }) => meta.pageCount)).toEqual([4, 4, 4, 4])
    expect(pages.flatMap(({ items }) => items)).toEqual(english)
  })

  test('are empty past the end', async () => {
    const { items, meta } = await list({ page: '9007199254740991' })
    expect(items).toEqual([])
    expect(meta).toEqual({ page: 9007199254740991, perPage: 50, total: 249, pageCount: 5 })
  })
})

describe('sortBy and sortOrder', () => {
  test('are orderNumber and desc by default, ties by id', async () => {
    const byDefault = await whole({}, 'en')
    expect(codes(byDefault).slice(0, 4)).toEqual(['US', 'DE', 'GB', 'FR'])
    const tied = byDefault.slice(11).map(({ id }) => id)
    expect(tied).toEqual(tied.toSorted((a, b) => a - b))
    expect(byDefault).toEqual(await whole({ sortBy: 'orderNumber', sortOrder: 'desc' }, 'en'))
  })

  test('orderNumber upwards has the most requested last, and ties still by id', async () => {
    const upwards = await whole({ sortBy: 'orderNumber', sortOrder: 'asc' })
    expect(codes(upwards).slice(-4)).toEqual(['FR', 'GB', 'DE', 'US'])
    const tied = upwards.slice(0, -11).map(({ id }) => id)
    expect(tied).toEqual(tied.toSorted((a, b) => a - b))
  })

  test('name sorts by the English name in both languages', async () => {
    const expected = codes(english.toSorted((a, b) => a.name.localeCompare(b.name, 'en')))
    for (const language of ['en', 'tr']) {
      expect(codes(await whole({ sortBy: 'name', sortOrder: 'ASC' }, language))).toEqual(expected)
      expect(codes(await whole({ sortBy: 'name', sortOrder: 'DESC' }, language))).toEqual(expected.toReversed())
    }
  })

  test.each(['code', 'id'] as const)('%s both ways', async (sortBy) => {
    const expected = codes(english.toSorted((a, b) => (a[sortBy] < b[sortBy] ? -1 : 1)))
    expect(await find({ sortBy, sortOrder: 'asc' })).toEqual(expected)
    expect(await find({ sortBy, sortOrder: 'Desc' })).toEqual(expected.toReversed())
  })

  test('isGuarantee both ways, ties by id', async () => {
    const withIt = await find({ isGuarantee: 'true', sortBy: 'id' })
    const without = await find({ isGuarantee: 'false', sortBy: 'id' })
    expect(await find({ sortBy: 'isGuarantee', sortOrder: 'asc' })).toEqual([...without, ...withIt])
    expect(await find({ sortBy: 'isGuarantee', sortOrder: 'desc' })).toEqual([...withIt, ...without])
  })
})

describe('filters', () => {
  test('id finds that country', async () => {
    const id = String(english.find(({ code }) => code === 'TR')?.id)
    expect(await find({ id })).toEqual(['TR'])
    expect(await find({ id: '250' })).toEqual([])
  })

  test.each(['TR', 'tr', 'Tr'])('code %s is matched whole, in any case', async (code) => {
    expect(await find({ code })).toEqual(['TR'])
  })

  test.each(['T', 'T_', '%', 'TUR', 'XK', 'İT', 'ıt', 'TR TR TR'])('code %s is not a country', async (code) => {
    expect(await find({ code })).toEqual([])
  })

  test.each([
    ['true', '1'],
    ['false', '0'],
  ])('isGuarantee %s is the same as %s', async (word, digit) => {
    const found = await find({ isGuarantee: word })
    expect(found).toEqual(await find({ isGuarantee: digit }))
    expect(found.includes('DE')).toBe(word === 'true')
    expect(found.includes('AQ')).toBe(word === 'false')
  })

  test('isGuarantee splits the list in two', async () => {
    const parts = [...(await find({ isGuarantee: '1' })), ...(await find({ isGuarantee: '0' }))]
    expect(parts.toSorted()).toEqual(codes(english).toSorted())
  })

  test('apply together', async () => {
    expect(await find({ search: 'land', isGuarantee: '1', code: 'nl' })).toEqual(['NL'])
    expect(await find({ search: 'land', isGuarantee: '0', code: 'nl' })).toEqual([])
  })

  test('that the contract does not have are ignored', async () => {
    expect(await find({ foo: '', constructor: 'x', name: 'Turkey' })).toHaveLength(249)
    expect((await ask(sandbox, `${path}?__proto__=1&__proto__=2`)).status).toBe(200)
  })
})

describe('search', () => {
  test.each([
    ['an English name', 'Switzerland', ['CH']],
    ['part of an English name', 'witzerl', ['CH']],
    ['a Turkish name', 'İsviçre', ['CH']],
    ['the same with small letters', 'isviçre', ['CH']],
    ['the same with the letters of the other language', 'ISVİÇRE', ['CH']],
    ['the same with a dotless i', 'ısviçre', ['CH']],
    ['the same with its marks apart', 'I\u0307svic\u0327re', ['CH']],
    ['a Turkish name with ı', 'bırleşık krallık', ['GB']],
    ['the same in capitals', 'BİRLEŞİK KRALLIK', ['GB']],
    ['an English name in Turkish capitals', 'UNİTED KİNGDOM', ['GB']],
    ['an English name with I at its start', 'ıreland', ['IE']],
    ['Ğ, Ü, Ö in capitals', 'DOĞU TİMOR', []],
    ['a typed apostrophe', "d'ivoire", ['CI']],
    ['a printed apostrophe', 'd’Ivoire', ['CI']],
    ['marks that are not there', 'Turkiye', []],
    ['wildcards', '%', []],
    ['wildcards within', 'Sw_tzerland', []],
    ['what looks like SQL', "' OR 1=1 --", []],
    ['a NUL', '\0', []],
    ['what no country has', 'Atlantis', []],
    ['blanks as text', ' switzerland', []],
  ])('finds %s whatever the language of the answer', async (_, search, expected) => {
    for (const language of ['tr', 'en']) expect(codes((await list({ search }, language)).items)).toEqual(expected)
  })

  test.each(['an', 'AN', 'tr', 'ü', 'Ü', 'ş', 'İN', 'st.', '&'])(
    'finds all whose English name, Turkish name or code contains %s',
    async (search) => {
      const fold = (text: string) => text.replace(/[İIı]/g, 'i').toLowerCase()
      const contains = (text = '') => fold(text).includes(fold(search))
      const expected = english.filter(
        ({ name, code }, n) => contains(name) || contains(turkish[n]?.name) || contains(code),
      )
      expect(expected.length).toBeGreaterThan(0)
      expect(await find({ search })).toEqual(codes(expected))
    },
  )

  test('finds the id that equals it, not ids that contain it', async () => {
    expect(await find({ search: '43' })).toEqual(codes(english.filter(({ id }) => id === 43)))
    expect(await find({ search: '043' })).toEqual([])
  })

  test('treats a comma as text', async () => {
    expect(await find({ search: 'Switzerland,Sweden' })).toEqual([])
  })

  test('accepts 255 characters', async () => {
    expect(await find({ search: 'ş'.repeat(255) })).toEqual([])
  })
})

describe('bad values', () => {
  const messages = {
    empty: ['Bu alan boş olamaz.', 'This field must not be empty.'],
    text: ['Tek bir metin olmalıdır.', 'Must be a single string.'],
    atLeast1: ['1 veya daha büyük bir tam sayı olmalıdır.', 'Must be a whole number of at least 1.'],
    upTo200: ['1 ile 200 arasında bir tam sayı olmalıdır.', 'Must be a whole number from 1 to 200.'],
    sortBy: [
      'Şunlardan biri olmalıdır: orderNumber, name, code, id, isGuarantee.',
      'Must be one of: orderNumber, name, code, id, isGuarantee.',
    ],
    sortOrder: ['Şunlardan biri olmalıdır: asc, desc.', 'Must be one of: asc, desc.'],
    upTo8: ['En fazla 8 karakter olabilir.', 'Must be at most 8 characters long.'],
    upTo255: ['En fazla 255 karakter olabilir.', 'Must be at most 255 characters long.'],
    flag: ['Şunlardan biri olmalıdır: 0, 1, true, false.', 'Must be one of: 0, 1, true, false.'],
  } as const
  const notInts = ['0', '-1', '1.5', '1e2', '05', ' 5', 'abc', '9007199254740992']
  const bad: [string, keyof typeof messages, string[]][] = [
    ['page', 'atLeast1', notInts],
    ['perPage', 'upTo200', [...notInts, '201']],
    ['sortBy', 'sortBy', ['phoneCode', 'NAME', 'nameEn', 'updatedAt', 'constructor']],
    ['sortOrder', 'sortOrder', ['down', 'asc,desc']],
    ['id', 'atLeast1', notInts],
    ['code', 'upTo8', ['TRTRTRTRT', 'x'.repeat(1024 * 1024)]],
    ['search', 'upTo255', ['x'.repeat(256), 'x'.repeat(1024 * 1024)]],
    ['isGuarantee', 'flag', ['yes', 'TRUE', '2', 'null']],
  ]
  const parameters = bad.map(([parameter]) => parameter)

  async function expectRefused(query: string, errors: { path: string; message: keyof typeof messages }[]) {
    for (const [index, language] of ['tr', 'en'].entries()) {
      const reply = await ask<ErrorBody>(sandbox, `${path}?${query}`, { language })
      expect(reply.status, query.slice(0, 50)).toBe(422)
      expect(reply.body).toEqual({
        success: false,
        code: 'VALIDATION_FAILED',
        message: language === 'en' ? 'Validation failed.' : 'Doğrulama başarısız oldu.',
        errors: errors.map(({ path, message }) => ({ path, message: messages[message][index] })),
      })
    }
  }

  test.each(bad)('%s is 422 (%s)', async (parameter, message, values) => {
    for (const value of values) {
      await expectRefused(String(new URLSearchParams({ [parameter]: value })), [{ path: parameter, message }])
    }
  })

  test('of several parameters are reported at once', async () => {
    const query = bad.map(([parameter, , [value = '']]) => `${parameter}=${encodeURIComponent(value)}`).join('&')
    const errors = bad.map(([path, message]) => ({ path, message }))
    await expectRefused(query, errors)
  })

  test.each([
    ['sent empty', 'empty', (parameter: string) => `${parameter}=`],
    ['given twice', 'text', (parameter: string) => `${parameter}=1&${parameter}=1`],
  ] as const)('parameters %s are 422', async (_, message, write) => {
    await expectRefused(
      parameters.map(write).join('&'),
      parameters.map((path) => ({ path, message })),
    )
  })
})
