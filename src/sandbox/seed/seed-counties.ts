import type { DatabaseSync } from 'node:sqlite'
import { foldText } from '../store/fold-text.ts'
import { provinceTable } from './province-table.ts'
import { rankNames } from './rank-names.ts'

/**
 * Seeds the districts of the provinces of Turkey, by province and name. *Assumed*: the ids (in that order), and that
 * the central district of a province, Merkez, comes first in the default order.
 */
export function seedCounties(db: DatabaseSync): void {
  const counties = provinceTable.flatMap(({ id, districts }) => districts.map((name) => ({ cityId: id, name })))
  const ranks = rankNames(
    counties.map(({ name }) => name),
    'tr',
  )

  const insert = db.prepare(`
    INSERT INTO counties (id, cityId, name, nameOrder, nameFolded, orderNumber)
    VALUES (?, ?, ?, ?, ?, ?)`)
  for (const [index, { cityId, name }] of counties.entries()) {
    insert.run(index + 1, cityId, name, ranks[index] ?? null, foldText(name), name === 'Merkez' ? 10 : 0)
  }
}
