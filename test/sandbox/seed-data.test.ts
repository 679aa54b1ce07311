import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { citiesFile } from '../../src/sandbox/seed/seed-places.ts'
import { foldText } from '../../src/sandbox/store/fold-text.ts'
import { openStore } from '../../src/sandbox/store/sandbox-store.ts'
import { citiesText } from './world-cities.ts'

let db: DatabaseSync
beforeAll(() => {
  db = openStore(':memory:')
})
afterAll(() => db.close())

const select = (sql: string, ...values: string[]) => db.prepare(sql).all(...values)
const count = (from: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.count)

const tables = ['countries', 'cities', 'counties', 'currencies', 'unitsOfMeasure', 'exportCodes']

test('everything is the same in every new store, also in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const another = openStore(join(folder, 'sandbox.db'))
  const all = select("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(({ name }) =>
    String(name),
  )
  expect(all).toEqual(expect.arrayContaining([...tables, 'invoices', 'charges', 'sqlite_sequence']))
  for (const table of all) {
    const sql = `SELECT * FROM ${table} ORDER BY 1`
    expect(another.prepare(sql).all(), table).toEqual(select(sql))
  }
  another.close()
  await rm(folder, { recursive: true })
})

test('stores in memory are independent of each other', () => {
  const another = openStore(':memory:')
  another.exec('DELETE FROM exportCodes')
  expect(count('exportCodes')).toBe(15)
  another.close()
})

test('the file of cities is the output of npm run cities', () => {
  expect(readFileSync(citiesFile, 'utf8') === citiesText()).toBe(true)
})

test('cities are found by their folded names', () => {
  const wrong = select('SELECT name, nameFolded FROM cities').filter(
    ({ name, nameFolded }) => nameFolded !== foldText(String(name)),
  )
  expect(wrong).toEqual([])
})

test('no value is empty, negative or not NFC', () => {
  const wrong = tables
    .flatMap((table) => select(`SELECT * FROM ${table}`))
    .filter((row) =>
      Object.entries(row).some(([column, value]) => {
        if (typeof value === 'number') return value < 0
        return (column !== 'flagPath' && !/\S/.test(String(value))) || String(value).normalize('NFC') !== String(value)
      }),
    )
  expect(wrong).toEqual([])
})

test('the countries are the 249 of ISO 3166', () => {
  expect(count('countries')).toBe(249)
})

describe('Turkey', () => {
  test('has 81 provinces, whose ids are the numbers of its number plates', () => {
    const provinces = select("SELECT id, name FROM cities WHERE countryCode = 'TR' ORDER BY id")
    expect(provinces.map(({ id }) => id)).toEqual(Array.from({ length: 81 }, (_, index) => index + 1))
    expect(new Set(provinces.map(({ name }) => name)).size).toBe(81)
    const nameOf = (id: number) => provinces[id - 1]?.name
    expect([1, 6, 34, 35, 63, 67, 81].map(nameOf)).toEqual([
      'Adana',
      'Ankara',
      'İstanbul',
      'İzmir',
      'Şanlıurfa',
      'Zonguldak',
      'Düzce',
    ])
  })

  test('has 973 districts, each in a province, and no name twice in one', () => {
    expect(count('counties')).toBe(973)
    expect(count("counties JOIN cities ON cities.id = cityId WHERE countryCode = 'TR'")).toBe(973)
    expect(count('(SELECT DISTINCT cityId, nameFolded FROM counties)')).toBe(973)
  })

  test('has a central district only in provinces that are not a metropolitan municipality', () => {
    const central = select(
      "SELECT cities.name FROM counties JOIN cities ON cities.id = cityId WHERE counties.name = 'Merkez'",
    )
    expect(central).toHaveLength(51)
    const names = central.map(({ name }) => name)
    for (const metropolis of ['İstanbul', 'Ankara', 'Muğla', 'Ordu', 'Van']) expect(names).not.toContain(metropolis)
  })
})

describe('the world', () => {
  test('has at least 10,000 cities, in nearly every country', () => {
    expect(count('cities')).toBeGreaterThan(10_000)
    expect(count('(SELECT DISTINCT countryId FROM cities)')).toBeGreaterThan(235)
    expect(count('cities JOIN countries ON countries.id = countryId AND code = countryCode')).toBe(count('cities'))
  })
})

describe('currencies', () => {
  test('are those of ISO 4217', () => {
    expect(count('currencies')).toBeGreaterThan(170)
    for (const code of ['TRY', 'USD', 'EUR', 'XDR', 'ZWG']) expect(count(`currencies WHERE code = '${code}'`)).toBe(1)
  })

  test('have both rates, none, or exactly one', () => {
    expect(count('currencies WHERE sellingTry > 0 AND buyingTry > 0')).toBe(23)
    expect(count('currencies WHERE sellingTry > 0 AND buyingTry = 0')).toBe(1)
    expect(count('currencies WHERE sellingTry = 0 AND buyingTry > 0')).toBe(1)
    expect(count('currencies WHERE sellingTry = 0 AND buyingTry = 0')).toBe(count('currencies') - 25)
  })
})

test('at least 60 units of measure have a code and a name of their own in both languages', () => {
  expect(count('unitsOfMeasure')).toBeGreaterThanOrEqual(60)
  for (const column of ['code', 'nameEn', 'nameTr']) {
    expect(count(`(SELECT DISTINCT ${column} FROM unitsOfMeasure)`)).toBe(count('unitsOfMeasure'))
  }
})
