import { z } from 'zod'
import * as lists from '../store/stored-lists.ts'
import {
  bool,
  codes,
  dayRange,
  flag,
  ids,
  search,
  sortOrder,
  text,
  wholeNumber,
} from '../validation/query-parameters.ts'
import { converted, filtersOf, queryOf } from '../validation/validate-request.ts'

/*
 * The requests for lists, in both faces. In v1 every list has pages (docs/contract.md 11.1); in legacy only those of invoices
 * and charges, and the reference lists are whole.
 */

/** A request for a page of a list of v1, with these filters. */
function pageOf<Filters extends z.ZodRawShape>(list: lists.StoredList, perPage: number, shape: Filters) {
  const paging = { page: wholeNumber(1).default(1), perPage: wholeNumber(1, 200).default(perPage) }
  return queryOf(z.object({ ...paging, ...order(list), ...shape }))
}

/**
 * A request for a page of a list of legacy. docs/contract.md 6.8 gives the default of perPage. *Assumed*: all bounds; that of
 * perPage is high, because clients are known to request everything in one page.
 */
function legacyPageOf<Filters extends z.ZodRawShape>(list: lists.StoredList, shape: Filters) {
  const paging = { page: wholeNumber(1, 2_147_483_647).default(1), perPage: wholeNumber(1, 5000).default(25) }
  return filtersOf(z.object({ ...paging, ...order(list), ...shape }))
}

/**
 * A request for a whole list of legacy. An unknown sortBy means orderNumber, while v1 refuses it (docs/contract.md 8.5).
 * *Assumed*: the columns and the default are those of v1. `renamed` has legacy's names of columns by those of v1.
 */
function wholeListOf<Filters extends z.ZodRawShape>(
  { sortColumns }: lists.StoredList,
  shape: Filters,
  renamed: Readonly<Record<string, string>> = {},
) {
  const columns = Object.keys(sortColumns)
  const columnFor = (sent: string) => columns.find((column) => (renamed[column] ?? column) === sent) ?? 'orderNumber'
  const sortBy = z.string().prefault('').transform(columnFor)
  return queryOf(z.object({ sortBy, sortOrder: sortOrder(), ...shape }))
}

/** The order of a list, by one of its columns. */
function order({ sortColumns }: lists.StoredList) {
  const columns = Object.keys(sortColumns)
  return { sortBy: z.enum(columns).default(columns[0] ?? ''), sortOrder: sortOrder() }
}

const invoiceFilters = { search: search().optional(), id: wholeNumber(1).optional(), number: text(16).optional() }

/** docs/contract.md 4.8, row by row. */
export const invoices = pageOf(lists.invoices, 25, {
  ...invoiceFilters,
  statusId: z
    .enum(['1', '2', '3'])
    .transform(Number)
    .meta({ type: 'integer', enum: [1, 2, 3] })
    .optional(),
  isPaid: flag().optional(),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
  paymentExpirationFrom: z.iso.date().optional(),
  paymentExpirationTo: z.iso.date().optional(),
})

/**
 * The filters of docs/contract.md 6.8. Status 4 is a former one, which no invoice has. *Assumed*: the other filters, with the
 * names, rules and defaults of v1.
 */
export const legacyInvoices = converted(
  legacyPageOf(lists.invoices, {
    ...invoiceFilters,
    statusId: z.enum(['1', '2', '3', '4']).transform(Number).optional(),
    isPayment: flag().optional(),
    dateAtBetween: dayRange().optional(),
    paymentExpirationAtBetween: dayRange().optional(),
  }),
  ({ isPayment, dateAtBetween, paymentExpirationAtBetween, ...sent }) => ({
    ...sent,
    isPaid: isPayment,
    dateFrom: dateAtBetween?.startAt,
    dateTo: dateAtBetween?.endAt,
    paymentExpirationFrom: paymentExpirationAtBetween?.startAt,
    paymentExpirationTo: paymentExpirationAtBetween?.endAt,
  }),
)

/**
 * No filters are documented (docs/contract.md 13.1), so there are none. *Assumed*: pages and order as in the invoice
 * list.
 */
export const legacyCharges = legacyPageOf(lists.charges, {})

const countryFilters = {
  id: wholeNumber(1).optional(),
  code: text(8).optional(),
  search: text(255).optional(),
  isGuarantee: flag().optional(),
}

/** docs/contract.md 4.9, row by row. */
export const countries = pageOf(lists.countries, 50, countryFilters)

/** docs/contract.md 6.10: the search ignores Turkish names. *Assumed*: the parameters of v1, except for paging. */
export const legacyCountries = converted(
  wholeListOf(lists.countries, countryFilters),
  ({ search: searchInEnglish, ...sent }) => ({ ...sent, searchInEnglish }),
)

/** The filters that v1 added to both cities and counties, so legacy does not know them (docs/contract.md 6.11 and 6.12). */
const placeFilters = {
  ids: ids().optional(),
  nameExact: text(255).optional(),
  namePrefix: text(255).optional(),
}

const cityFilters = { countryId: wholeNumber(1).optional(), countryCode: text(8).optional() }

/**
 * docs/contract.md 4.10. *Assumed*, also for counties: sorted like the country list; the maximum lengths are those of the
 * country list's code and search; the form of `ids`; names are compared case-insensitively.
 */
export const cities = pageOf(lists.cities, 50, { ...cityFilters, ...placeFilters })

/**
 * docs/contract.md 6.11. v1 made countryId and countryCode optional. What legacy does without them is not documented;
 * *assumed*: it answers the cities of all countries too.
 */
export const legacyCities = wholeListOf(lists.cities, cityFilters)

const countyFilters = { cityId: wholeNumber(1).optional() }

/** docs/contract.md 4.11. */
export const counties = pageOf(lists.counties, 50, { ...countyFilters, ...placeFilters })

/** docs/contract.md 6.12. *Assumed*: without cityId, it answers all counties, as in v1. */
export const legacyCounties = wholeListOf(lists.counties, countyFilters)

/**
 * docs/contract.md 4.12, row by row. *Assumed*: the minimum length of `codes` is that of the whole list; 1 and 0 are no
 * values of `isDefined`.
 */
export const currencies = pageOf(lists.currencies, 50, { codes: codes(3).optional(), isDefined: bool().optional() })

/** docs/contract.md 6.13: v1 added codes and isDefined, so legacy does not know them. */
export const legacyCurrencies = wholeListOf(
  lists.currencies,
  {},
  { sellingTry: 'sellingRateTry', buyingTry: 'buyingRateTry' },
)

/** docs/contract.md 4.13. *Assumed*, also for export codes: all values of sortBy except orderNumber. */
export const units = pageOf(lists.unitsOfMeasure, 50, {})
export const legacyUnits = wholeListOf(lists.unitsOfMeasure, {})

/** docs/contract.md 4.14. */
export const exportCodes = pageOf(lists.exportCodes, 50, {})
export const legacyExportCodes = wholeListOf(lists.exportCodes, {})
