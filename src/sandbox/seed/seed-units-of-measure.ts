import type { DatabaseSync } from 'node:sqlite'
import { rankNames } from './rank-names.ts'
import { unitTable } from './unit-table.ts'

export function seedUnitsOfMeasure(db: DatabaseSync): void {
  const ranks = rankNames(
    unitTable.map(({ nameEn }) => nameEn),
    'en',
  )
  const insert = db.prepare(`
    INSERT INTO unitsOfMeasure (id, code, nameEn, nameTr, nameEnOrder, orderNumber)
    VALUES (?, ?, ?, ?, ?, ?)`)
  for (const [index, { code, nameEn, nameTr, orderNumber }] of unitTable.entries()) {
    insert.run(index + 1, code, nameEn, nameTr, ranks[index] ?? null, orderNumber)
  }
}
