import type { DatabaseSync } from 'node:sqlite'
import { matchesPlace, type PlaceFilter } from './place-filter.ts'
import { condition, type Page, type PageRequest, selectPage, when } from './select-page.ts'

export interface CityRow {
  id: number
  countryId: number
  countryCode: string
  name: string
  orderNumber: number
}

/** `name` sorts like a Turkish dictionary. */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameOrder',
  countryCode: 'countryCode',
  id: 'id',
}

export interface CityFilter extends PlaceFilter {
  countryId?: number | undefined
  /** The whole code, case-insensitive. */
  countryCode?: string | undefined
}

/** Returns one page of the cities that match all given filters. */
export function selectCities(
  db: DatabaseSync,
  { countryId, countryCode, ...place }: CityFilter,
  page: PageRequest<keyof typeof sortColumns>,
): Page<CityRow> {
  const conditions = [
    when(countryId, (id) => condition('countryId = ?', id)),
    when(countryCode, (code) => condition('countryCode = ?', code)),
    ...matchesPlace(place),
  ]
  return selectPage(db, 'cities', conditions, sortColumns, page)
}
