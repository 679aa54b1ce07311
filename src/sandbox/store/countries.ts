import type { DatabaseSync } from 'node:sqlite'
import { foldText } from './fold-text.ts'
import { type Condition, condition, type Page, type PageRequest, selectPage, when } from './select-page.ts'

export interface CountryRow {
  id: number
  code: string
  nameEn: string
  nameTr: string
  phoneCode: string
  isCarrierService: 0 | 1
  taxType: string
  taxMaxValidPrice: number
  flagW20: string
  flagW40: string
  orderNumber: number
  isGuarantee: 0 | 1
}

/**
 * `name` sorts by the English name in every language, like a dictionary (Åland with A), which SQLite's collations
 * cannot.
 */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameEnOrder',
  code: 'code',
  id: 'id',
  isGuarantee: 'isGuarantee',
}

export interface CountryFilter {
  id?: number | undefined
  /** The whole code, case-insensitive. */
  code?: string | undefined
  search?: string | undefined
  /** False for the legacy search, which only searches English names. Default: true. */
  searchesTurkishNames?: boolean | undefined
  isGuarantee?: boolean | undefined
}

/** Returns one page of the countries that match all given filters. */
export function selectCountries(
  db: DatabaseSync,
  filter: CountryFilter,
  page: PageRequest<keyof typeof sortColumns>,
): Page<CountryRow> {
  const conditions = [
    when(filter.id, (id) => condition('id = ?', id)),
    when(filter.code, (code) => condition('code = ?', code)),
    when(filter.search, (search) => matchesSearch(search, filter.searchesTurkishNames ?? true)),
    when(filter.isGuarantee, (isGuarantee) => condition('isGuarantee = ?', Number(isGuarantee))),
  ]
  return selectPage(db, 'countries', conditions, sortColumns, page)
}

/**
 * Matches a country whose id equals the search, or whose English name, Turkish name or code contains it. Uses `instr`
 * instead of LIKE, so that `%` and `_` are plain text.
 */
function matchesSearch(search: string, searchesTurkishNames: boolean): Condition {
  const folded = foldText(search)
  const columns = ['nameEnFolded', ...(searchesTurkishNames ? ['nameTrFolded'] : []), 'codeFolded']
  const contains = columns.map((column) => `instr(${column}, ?) > 0`)
  return condition(['CAST(id AS TEXT) = ?', ...contains].join(' OR '), search, ...columns.map(() => folded))
}
