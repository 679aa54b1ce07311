import type { DatabaseSync } from 'node:sqlite'
import { matchesPlace, type PlaceFilter } from './place-filter.ts'
import { condition, type Page, type PageRequest, selectPage, when } from './select-page.ts'

export interface CountyRow {
  id: number
  cityId: number
  name: string
  orderNumber: number
}

/** `name` sorts like a Turkish dictionary. */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameOrder',
  cityId: 'cityId',
  id: 'id',
}

export interface CountyFilter extends PlaceFilter {
  cityId?: number | undefined
}

/** Returns one page of the counties that match all given filters. */
export function selectCounties(
  db: DatabaseSync,
  { cityId, ...place }: CountyFilter,
  page: PageRequest<keyof typeof sortColumns>,
): Page<CountyRow> {
  const conditions = [when(cityId, (id) => condition('cityId = ?', id)), ...matchesPlace(place)]
  return selectPage(db, 'counties', conditions, sortColumns, page)
}
