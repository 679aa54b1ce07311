import type { DatabaseSync } from 'node:sqlite'
import { foldText } from '../store/fold-text.ts'
import { provinceTable } from './province-table.ts'
import { rankNames } from './rank-names.ts'
import { readWorldCities } from './world-cities.ts'

/** *Assumed*: the cities asked for most stand first in the default order; all others have orderNumber 0. */
const mostAskedFor = ['İstanbul', 'Ankara', 'İzmir', 'Bursa', 'Antalya']

/**
 * The provinces of Turkey, their ids the official numbers that number plates begin with, and the larger cities of all
 * other countries, their ids those of GeoNames, which begin far above 81. *Assumed*: both (docs/contract.md 13.2).
 */
export function seedCities(db: DatabaseSync): void {
  const countryIds = readCountryIds(db)
  const provinces = provinceTable.map(({ id, name }) => ({ id, name, countryCode: 'TR' }))
  const abroad = readWorldCities()
    .map(({ cityId, name, country }) => ({ id: cityId, name, countryCode: country }))
    .filter(({ countryCode }) => countryCode !== 'TR' && countryIds.has(countryCode))
  const cities = [...provinces, ...abroad]
  const ranks = rankNames(
    cities.map(({ name }) => name),
    'tr',
  )

  const insert = db.prepare(`
    INSERT INTO cities (id, countryId, countryCode, name, nameOrder, nameFolded, orderNumber)
    VALUES (?, ?, ?, ?, ?, ?, ?)`)
  for (const [index, { id, name, countryCode }] of cities.entries()) {
    const countryId = countryIds.get(countryCode) ?? null
    const isAskedFor = countryCode === 'TR' && mostAskedFor.includes(name)
    const orderNumber = isAskedFor ? 10 * (mostAskedFor.length - mostAskedFor.indexOf(name)) : 0
    insert.run(id, countryId, countryCode, name, ranks[index] ?? null, foldText(name), orderNumber)
  }
}

function readCountryIds(db: DatabaseSync): Map<string, number> {
  const rows = db.prepare('SELECT id, code FROM countries').all()
  return new Map(rows.map(({ id, code }) => [String(code), Number(id)]))
}
