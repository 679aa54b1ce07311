import type { DatabaseSync } from 'node:sqlite'
import { type Page, type PageRequest, selectPage } from './select-page.ts'

export interface UnitOfMeasureRow {
  id: number
  code: string
  nameEn: string
  nameTr: string
  orderNumber: number
}

/** *Assumed*: `name` sorts by the English name in every language, like that of countries. */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameEnOrder',
  code: 'code',
  id: 'id',
}

/** Returns one page of the units of measure. */
export function selectUnitsOfMeasure(
  db: DatabaseSync,
  page: PageRequest<keyof typeof sortColumns>,
): Page<UnitOfMeasureRow> {
  return selectPage(db, 'unitsOfMeasure', [], sortColumns, page)
}
