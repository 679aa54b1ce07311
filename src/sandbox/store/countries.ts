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

/** `name` sorts by the English name in every language, as a dictionary does (Åland with A), which no sqlite collation can. */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameEnOrder',
  code: 'code',
  id: 'id',
  isGuarantee: 'isGuarantee',
}

export interface CountryFilter {
  id?: number | undefined
  /** Matched whole, case-insensitive. */
  code?: string | undefined
  search?: string | undefined
  /** False for the legacy search, which knows English names only. Default: true. */
  searchesTurkishNames?: boolean | undefined
  isGuarantee?: boolean | undefined
}

/** One page of the countries that meet every filter given. */
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

/** Id equals it, or English name, Turkish name or code contains it; `instr` and not LIKE, so that `%` and `_` are text. */
function matchesSearch(search: string, searchesTurkishNames: boolean): Condition {
  const folded = foldText(search)
  const columns = ['nameEnFolded', ...(searchesTurkishNames ? ['nameTrFolded'] : []), 'codeFolded']
  const contains = columns.map((column) => `instr(${column}, ?) > 0`)
  return condition(['CAST(id AS TEXT) = ?', ...contains].join(' OR '), search, ...columns.map(() => folded))
}
