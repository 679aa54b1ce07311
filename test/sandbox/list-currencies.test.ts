import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ListClient, listClient, messages, type Query } from './list-client.ts'
import { demo, logIn, startInMemory } from './sandbox-client.ts'

interface Currency {
  id: number
  code: string
  name: string
  flagPath: string
  rates: { sellingTry: number; buyingTry: number; updatedAt: string }
}

let sandbox: Sandbox
let currencies: ListClient<Currency>
/** Every currency by id. */
let all: Currency[]

beforeAll(async () => {
  sandbox = await startInMemory()
  currencies = listClient<Currency>(sandbox, '/api/v1/shared/currencies', await logIn(sandbox, demo))
  all = await currencies.whole({ sortBy: 'id', sortOrder: 'asc' })
})
afterAll(() => sandbox.close())

const codes = (found: Currency[]) => found.map(({ code }) => code)

/** The codes of the currencies found, by code. */
async function find(query: Query): Promise<string[]> {
  return codes(await currencies.whole({ sortBy: 'code', sortOrder: 'asc', ...query }))
}

describe('a currency', () => {
  test("has the contract's members in its order, of its types", () => {
    for (const currency of all) {
      expect(Object.keys(currency)).toEqual(['id', 'code', 'name', 'flagPath', 'rates'])
      expect(Object.keys(currency.rates)).toEqual(['sellingTry', 'buyingTry', 'updatedAt'])
      expect(currency).toEqual({
        id: expect.any(Number),
        code: expect.stringMatching(/^[A-Z]{3}$/),
        name: expect.stringMatching(/^\S.{2,}$/),
        flagPath: expect.stringMatching(/^(\/flags\/w40\/[a-z]{2}\.png)?$/),
        rates: {
          sellingTry: expect.any(Number),
          buyingTry: expect.any(Number),
          updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      })
    }
  })

  test.each([
    ['TRY', 'Türk lirası', '/flags/w40/tr.png'],
    ['USD', 'ABD doları', '/flags/w40/us.png'],
    ['EUR', 'Euro', '/flags/w40/eu.png'],
    ['JPY', 'Japon yeni', '/flags/w40/jp.png'],
    ['XAU', 'Altın', ''],
  ])('%s is %s in both languages', async (code, name, flagPath) => {
    for (const language of ['tr', 'en']) {
      expect((await currencies.page({ codes: code }, language)).items).toMatchObject([{ code, name, flagPath }])
    }
  })

  test('sells for at least its buying rate, and the lira for exactly one', () => {
    expect(all.find(({ code }) => code === 'TRY')?.rates).toMatchObject({ sellingTry: 1, buyingTry: 1 })
    for (const { rates } of all) {
      if (rates.sellingTry > 0 && rates.buyingTry > 0) expect(rates.sellingTry).toBeGreaterThanOrEqual(rates.buyingTry)
    }
  })
})

describe('the order', () => {
  test('has the most requested currencies first by default, then the others by id', async () => {
    const byDefault = await currencies.whole({})
    expect(codes(byDefault).slice(0, 4)).toEqual(['USD', 'EUR', 'GBP', 'TRY'])
    const tied = byDefault.slice(4).map(({ id }) => id)
    expect(tied).toEqual(tied.toSorted((a, b) => a - b))
  })

  test('by code is alphabetical', async () => {
    const up = all.map(({ code }) => code).toSorted()
    expect(await find({ sortBy: 'code', sortOrder: 'asc' })).toEqual(up)
    expect(await find({ sortBy: 'code', sortOrder: 'desc' })).toEqual(up.toReversed())
  })

  test('by name is that of a Turkish dictionary', async () => {
    const up = codes(all.toSorted((a, b) => a.name.localeCompare(b.name, 'tr')))
    expect(await find({ sortBy: 'name', sortOrder: 'asc' })).toEqual(up)
    expect(await find({ sortBy: 'name', sortOrder: 'desc' })).toEqual(up.toReversed())
  })

  test.each(['sellingTry', 'buyingTry', 'updatedAt'] as const)('by %s, ties by id', async (sortBy) => {
    const order = (sign: number) =>
      all.toSorted((a, b) => {
        if (a.rates[sortBy] === b.rates[sortBy]) return a.id - b.id
        return a.rates[sortBy] < b.rates[sortBy] ? -sign : sign
      })
    expect(await currencies.whole({ sortBy, sortOrder: 'asc' })).toEqual(order(1))
    expect(await currencies.whole({ sortBy, sortOrder: 'desc' })).toEqual(order(-1))
  })
})

describe('codes', () => {
  test.each([
    ['USD', ['USD']],
    ['usd', ['USD']],
    ['USD,eur,Try', ['EUR', 'TRY', 'USD']],
    [' usd , EUR,', ['EUR', 'USD']],
    ['USD,USD', ['USD']],
    ['USD,ZZZ', ['USD']],
    ['ZZZ', []],
    ['US', []],
    ['%', []],
    ['U_D', []],
    ['cıe', []],
    ["'", []],
  ])('%s', async (list, expected) => {
    expect(await find({ codes: list })).toEqual(expected)
  })

  test('can be all of them, many times', async () => {
    const list = Array.from({ length: 20 }, () => codes(all))
      .flat()
      .join(',')
    expect(await find({ codes: list })).toEqual(codes(all).toSorted())
  })
})

describe('isDefined', () => {
  const both = ({ rates }: Currency) => rates.sellingTry > 0 && rates.buyingTry > 0
  const none = ({ rates }: Currency) => rates.sellingTry === 0 && rates.buyingTry === 0
  const byId = { sortBy: 'id', sortOrder: 'asc' }

  test('true: both rates are greater than 0', async () => {
    expect(await currencies.whole({ ...byId, isDefined: 'true' })).toEqual(all.filter(both))
  })

  test('false: both rates are 0', async () => {
    expect(await currencies.whole({ ...byId, isDefined: 'false' })).toEqual(all.filter(none))
  })

  test('not sent: all, including those with exactly one rate, which neither value returns', async () => {
    const one = all.filter((currency) => !both(currency) && !none(currency))
    expect(codes(one)).toEqual(['IQD', 'XDR'])
    expect(one.map(({ rates }) => [rates.sellingTry > 0, rates.buyingTry > 0])).toEqual([
      [true, false],
      [false, true],
    ])
    for (const isDefined of ['true', 'false']) expect(await find({ isDefined, codes: 'IQD,XDR' })).toEqual([])
    expect(await find({ codes: 'IQD,XDR' })).toEqual(['IQD', 'XDR'])
  })

  test('and codes apply together', async () => {
    expect(await find({ isDefined: 'true', codes: 'USD,XAU' })).toEqual(['USD'])
    expect(await find({ isDefined: 'false', codes: 'USD,XAU' })).toEqual(['XAU'])
  })
})

describe('bad values', () => {
  test.each([
    ['codes', messages.codes, ['USDX', 'USD,EURO', 'a,b,c,defg', 'TÜRK', 'x'.repeat(1024 * 1024)]],
    ['codes', messages.empty, [',', ' , ', ' ']],
    ['isDefined', messages.bool, ['1', '0', 'yes', 'TRUE', '2', 'null', 'true,false']],
  ])('%s is 422 (%s)', async (parameter, says, values) => {
    for (const value of values) await currencies.refuses({ [parameter]: value }, [[parameter, ...says]])
  })

  test.each([
    ['sent empty', messages.empty, (parameter: string) => `${parameter}=`],
    ['given twice', messages.text, (parameter: string) => `${parameter}=1&${parameter}=1`],
  ] as const)('parameters %s are reported at once', async (_, says, write) => {
    const parameters = ['codes', 'isDefined']
    await currencies.refuses(
      parameters.map(write).join('&'),
      parameters.map((parameter) => [parameter, ...says] as const),
    )
  })

  test.each(['sellingRateTry', 'rates.sellingTry', 'flagPath'])('a sortBy of %s is refused', async (sortBy) => {
    const columns = 'orderNumber, name, code, id, updatedAt, sellingTry, buyingTry'
    await currencies.refuses({ sortBy }, [
      ['sortBy', `Şunlardan biri olmalıdır: ${columns}.`, `Must be one of: ${columns}.`],
    ])
  })
})
