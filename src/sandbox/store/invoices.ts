import type { DatabaseSync } from 'node:sqlite'
import { type Condition, condition, type Page, type PageRequest, selectPage, when } from './select-page.ts'
import { splitList } from './split-list.ts'

/** docs/contract.md 10.1. */
export const invoiceStatuses = { 1: 'NEW', 2: 'WAITING', 3: 'COMPLETED' } as const

/** docs/contract.md 5.1 only shows CORPORATION. *Assumed*: the ids, and INDIVIDUAL for a person without a company. */
export const invoiceAddressTypes = { 1: 'INDIVIDUAL', 2: 'CORPORATION' } as const

export interface InvoiceRow {
  id: number
  organizationId: number
  number: string
  dateAt: string
  paymentExpirationAt: string
  priceTryHundredths: number
  priceUsdHundredths: number
  firstName: string
  lastName: string
  citizenshipNumber: string
  company: string
  taxNumber: string
  isPaid: 0 | 1
  statusId: keyof typeof invoiceStatuses
  addressTypeId: keyof typeof invoiceAddressTypes
  currencyCode: string
}

const sortColumns = {
  id: 'id',
  number: 'number',
  dateAt: 'dateAt',
  paymentExpirationAt: 'paymentExpirationAt',
  priceTry: 'priceTryHundredths',
  priceUsd: 'priceUsdHundredths',
}

/** Dates are `YYYY-MM-DD`, inclusive. *Assumed*: they mean days in UTC, the time zone of timestamps. */
export interface InvoiceFilter {
  search?: string | undefined
  id?: number | undefined
  number?: string | undefined
  statusId?: number | undefined
  isPaid?: boolean | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
  paymentExpirationFrom?: string | undefined
  paymentExpirationTo?: string | undefined
}

/** Returns one page of the organization's invoices that match all given filters. */
export function selectInvoices(
  db: DatabaseSync,
  organizationId: number,
  filter: InvoiceFilter,
  page: PageRequest<keyof typeof sortColumns>,
): Page<InvoiceRow> {
  const conditions = [
    condition('organizationId = ?', organizationId),
    when(filter.search, matchesSearch),
    when(filter.id, (id) => condition('id = ?', id)),
    when(filter.number, (number) => condition('number = ?', number)),
    when(filter.statusId, (statusId) => condition('statusId = ?', statusId)),
    when(filter.isPaid, (isPaid) => condition('isPaid = ?', Number(isPaid))),
    when(filter.dateFrom, (day) => condition('dateAt >= ?', startOf(day))),
    when(filter.dateTo, (day) => condition('dateAt <= ?', endOf(day))),
    when(filter.paymentExpirationFrom, (day) => condition('paymentExpirationAt >= ?', startOf(day))),
    when(filter.paymentExpirationTo, (day) => condition('paymentExpirationAt <= ?', endOf(day))),
  ]
  return selectPage(db, 'invoices', conditions, sortColumns, page)
}

/**
 * Matches invoices by a search. A single value must equal the id or be part of the number. With a comma, one of the
 * values must equal the id or the number. Uses `instr` instead of LIKE, so that `%` and `_` are plain text. *Assumed*:
 * numbers are compared case-sensitively; blanks around the values of a list, and empty values, are ignored.
 */
function matchesSearch(search: string): Condition {
  if (!search.includes(',')) return condition('CAST(id AS TEXT) = ? OR instr(number, ?) > 0', search, search)
  const values = splitList(search)
  const marks = values.map(() => '?').join(', ')
  return condition(`CAST(id AS TEXT) IN (${marks}) OR number IN (${marks})`, ...values, ...values)
}

const startOf = (day: string) => `${day}T00:00:00.000Z`
const endOf = (day: string) => `${day}T23:59:59.999Z`
