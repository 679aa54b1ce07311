import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { cityIndexes } from '../store/tables.ts'

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
  for (const [index, id] of mostRequested.entries()) move.run(10 * (mostRequested.length - index), id)
  db.exec(cityIndexes)
}
