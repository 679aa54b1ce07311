import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { foldText } from '../store/fold-text.ts'
import { insertRow } from '../store/sandbox-rows.ts'
import { cityIndexes } from '../store/sandbox-tables.ts'
import { orderNumberOf, ranked } from './seeded-names.ts'

/**
 * The provinces of Turkey and the larger cities of all other countries. Ids of provinces are the official numbers that
 * number plates start with. Ids of other cities come from GeoNames (geonames.org, CC BY 4.0), and start far above 81.
 * *Assumed*: both (docs/contract.md 13.2). Under each country code: id, name, the place in a Turkish dictionary, and
 * the folded name if it differs from the name in lower case. `npm run cities` writes the file.
 */
export const citiesFile = new URL('cities.json', import.meta.url)

/** *Assumed*: the most requested cities come first in the default order: İstanbul, Ankara, İzmir, Bursa and Antalya. */
const mostRequested = [34, 6, 35, 16, 7]

/** Seeds the cities with a single statement, which takes half as long as a statement per row. */
export function seedCities(db: DatabaseSync): void {
  const insert = db.prepare(`
    INSERT INTO cities (id, countryId, countryCode, name, nameOrder, nameFolded, orderNumber)
    SELECT city.value ->> 0, countries.id, code, city.value ->> 1, city.value ->> 2,
      coalesce(city.value ->> 3, lower(city.value ->> 1)), 0
    FROM json_each(?) AS country CROSS JOIN countries ON code = country.key CROSS JOIN json_each(country.value) AS city
    ORDER BY 1`)
  insert.run(readFileSync(citiesFile, 'utf8'))
  const move = db.prepare('UPDATE cities SET orderNumber = ? WHERE id = ?')
  for (const id of mostRequested) move.run(orderNumberOf(id, mostRequested), id)
  for (const index of cityIndexes) db.exec(index)
}

/**
 * The 81 provinces of Turkey with their official numbers, which number plates start with, and their 973 districts in the order
 * of the Turkish alphabet. A province that is not a metropolitan municipality has a central district named Merkez.
 */
export const provinces: readonly {
  readonly id: number
  readonly name: string
  readonly districts: readonly string[]
}[] = Array.from(
  readFileSync(new URL('provinces.txt', import.meta.url), 'utf8').matchAll(
    /(\d\d) (\p{L}+): ([^:]+)(?=\s\d\d \p{L}+:|$)/gu,
  ),
  ([, number, name = '', districts = '']) => ({
    id: Number(number),
    name,
    districts: districts.split(',').map((district) => district.trim()),
  }),
)

/**
 * Seeds the districts of the provinces of Turkey, by province and name. *Assumed*: the ids (in that order), and that
 * the central district of a province, Merkez, comes first in the default order.
 */
export function seedCounties(db: DatabaseSync): void {
  const counties = provinces.flatMap(({ id, districts }) => districts.map((name) => ({ cityId: id, name })))
  for (const { id, place, row } of ranked(counties, 'tr', ({ name }) => name)) {
    const nameFolded = foldText(row.name)
    insertRow(db, 'counties', {
      ...{ id, ...row, nameOrder: place, nameFolded },
      orderNumber: row.name === 'Merkez' ? 10 : 0,
    })
  }
}
