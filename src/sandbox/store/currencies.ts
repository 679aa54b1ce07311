import type { DatabaseSync } from 'node:sqlite'
import { condition, isAnyOf, type Page, type PageRequest, selectPage, when } from './select-page.ts'

export interface CurrencyRow {
  id: number
  code: string
  name: string
  flagPath: string
  /** 0 without a rate. */
  sellingTry: number
  buyingTry: number
  updatedAt: string
  orderNumber: number
}

/** `name` sorts like a Turkish dictionary. */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameOrder',
  code: 'code',
  id: 'id',
  updatedAt: 'updatedAt',
  sellingTry: 'sellingTry',
  buyingTry: 'buyingTry',
}

export interface CurrencyFilter {
  /** Any of these, case-insensitive. */
  codes?: readonly string[] | undefined
  /** True: both rates are above 0. False: both are 0. A currency with exactly one rate matches neither. */
  isDefined?: boolean | undefined
}

/** Returns one page of the currencies that match all given filters. */
export function selectCurrencies(
  db: DatabaseSync,
  { codes, isDefined }: CurrencyFilter,
  page: PageRequest<keyof typeof sortColumns>,
): Page<CurrencyRow> {
  const conditions = [
    when(codes, (each) => isAnyOf('code', each)),
    when(isDefined, (defined) =>
      condition(defined ? 'sellingTry > 0 AND buyingTry > 0' : 'sellingTry = 0 AND buyingTry = 0'),
    ),
  ]
  return selectPage(db, 'currencies', conditions, sortColumns, page)
}
