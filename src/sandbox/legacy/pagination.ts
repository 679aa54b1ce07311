import type { Page } from '../store/select-page.ts'
import { wholeNumber } from '../validation/query-parameters.ts'
import { type Answer, ok } from './operation.ts'

/** High, because clients are known to request everything in one page. */
const mostPerPage = 5000
const mostPages = 2_147_483_647

/**
 * The paging of the invoice and charge lists. docs/contract.md 6.8 gives the default of perPage. *Assumed*: all bounds.
 */
export function pagination() {
  return {
    page: wholeNumber(1, mostPages).default(1),
    perPage: wholeNumber(1, mostPerPage).default(25),
  }
}

/** Requests the whole list from the store. */
export const wholeList = { page: 1, perPage: Number.MAX_SAFE_INTEGER } as const

/**
 * Builds a page (docs/contract.md 7.4). *Assumed*: as in v1, an empty list has lastPage 0, and a page past the end has
 * no rows.
 */
export function page<Row>(
  { rows, total }: Page<Row>,
  { page, perPage }: { page: number; perPage: number },
  present: (row: Row) => object,
): Answer {
  const lastPage = Math.ceil(total / perPage)
  return ok({ data: rows.map(present), pagination: { count: total, page, perPage, lastPage } })
}
