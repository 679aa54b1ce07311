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

  test('has a Turkish name in every language, and the path of a flag unless it is a metal', async () => {
    const shown = async (codes: string, language: string) =>
      (await currencies.page({ codes }, language)).items.map(({ name, flagPath }) => [name, flagPath])
    for (const language of ['tr', 'en']) {
      expect(await shown('USD', language)).toEqual([['ABD doları', '/flags/w40/us.png']])
      expect(await shown('XAU', language)).toEqual([['Altın', '']])
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

  test('by code is alphabetical, and by name that of a Turkish dictionary', async () => {
    for (const sortBy of ['code', 'name'] as const) {
      const up = codes(all.toSorted((a, b) => a[sortBy].localeCompare(b[sortBy], 'tr')))
      expect(await find({ sortBy, sortOrder: 'asc' })).toEqual(up)
      expect(await find({ sortBy, sortOrder: 'desc' })).toEqual(up.toReversed())
    }
  })

  test('by a rate or its time has ties by id', async () => {
    for (const sortBy of ['sellingTry', 'buyingTry', 'updatedAt'] as const) {
      const order = (sign: number) =>
        all.toSorted((a, b) => {
          if (a.rates[sortBy] === b.rates[sortBy]) return a.id - b.id
          return a.rates[sortBy] < b.rates[sortBy] ? -sign : sign
        })
      expect(await currencies.whole({ sortBy, sortOrder: 'asc' })).toEqual(order(1))
      expect(await currencies.whole({ sortBy, sortOrder: 'desc' })).toEqual(order(-1))
    }
  })
})

test('codes find those currencies, in any case', async () => {
  for (const [sent, expected] of [
    ['USD,eur,Try', ['EUR', 'TRY', 'USD']],
    [' usd , EUR,', ['EUR', 'USD']],
    ['USD,USD,ZZZ', ['USD']],
    ['US', []],
    ['%', []],
    ['cıe', []],
  ] as const) {
    expect(await find({ codes: sent }), sent).toEqual(expected)
  }
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

test('bad values are reported at once, and so are parameters that are empty or given twice', async () => {
  const columns = 'orderNumber, name, code, id, updatedAt, sellingTry, buyingTry'
  await currencies.refuses({ codes: 'USD,EURO', isDefined: '1', sortBy: 'sellingRateTry' }, [
    ['sortBy', `Şunlardan biri olmalıdır: ${columns}.`, `Must be one of: ${columns}.`],
    ['codes', ...messages.codes],
    ['isDefined', ...messages.bool],
  ])
  const each = (message: readonly [string, string]) => ['codes', 'isDefined'].map((name) => [name, ...message] as const)
  await currencies.refuses('codes=&isDefined=', each(messages.empty))
  await currencies.refuses('codes=1&codes=1&isDefined=1&isDefined=1', each(messages.text))
  await currencies.refuses({ codes: ' , ' }, [['codes', ...messages.empty]])
})
