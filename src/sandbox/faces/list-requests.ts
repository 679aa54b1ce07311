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
import { converted, filters, query } from './service-operation.ts'

/** The paging of every list of v1 (docs/contract.md 11.1). */
function paging({ perPage }: { perPage: number }) {
  return { page: wholeNumber(1).default(1), perPage: wholeNumber(1, 200).default(perPage) }
}

/**
 * The paging of legacy's invoice and charge lists. docs/contract.md 6.8 gives the default of perPage. *Assumed*: all bounds;
 * that of perPage is high, because clients are known to request everything in one page.
 */
function legacyPaging() {
  return { page: wholeNumber(1, 2_147_483_647).default(1), perPage: wholeNumber(1, 5000).default(25) }
}

/** The order of a list, by one of its columns. */
function order({ sortColumns }: lists.StoredList) {
  const columns = Object.keys(sortColumns)
  return { sortBy: z.enum(columns).default(columns[0] ?? ''), sortOrder: sortOrder() }
}

/**
 * The order of legacy's reference lists. An unknown sortBy means orderNumber, while v1 refuses it (docs/contract.md 8.5).
 * *Assumed*: the columns and the default are those of v1. `renamed` has legacy's names of columns by those of v1.
 */
function lenientOrder({ sortColumns }: lists.StoredList, renamed: Readonly<Record<string, string>> = {}) {
  const columns = Object.keys(sortColumns)
  const columnFor = (sent: string) => columns.find((column) => (renamed[column] ?? column) === sent)
  return {
    sortBy: z
      .string()
      .prefault('')
      .transform((sent) => columnFor(sent) ?? 'orderNumber'),
    sortOrder: sortOrder(),
  }
}

const invoiceFilters = {
  search: search().optional(),
  id: wholeNumber(1).optional(),
  number: text(16).optional(),
}

/** docs/contract.md 4.8, row by row. */
export const invoiceQuery = query(
  z.object({
    ...paging({ perPage: 25 }),
    ...order(lists.invoices),
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
  }),
)

/**
 * The filters of docs/contract.md 6.8. Status 4 is a former one, which no invoice has. *Assumed*: the other filters, with the
 * names, rules and defaults of v1.
 */
export const legacyInvoiceFilters = converted(
  filters(
    z.object({
      ...legacyPaging(),
      ...order(lists.invoices),
      ...invoiceFilters,
      statusId: z.enum(['1', '2', '3', '4']).transform(Number).optional(),
      isPayment: flag().optional(),
      dateAtBetween: dayRange().optional(),
      paymentExpirationAtBetween: dayRange().optional(),
    }),
  ),
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
export const legacyChargeFilters = filters(z.object({ ...legacyPaging(), ...order(lists.charges) }))

const countryFilters = {
  id: wholeNumber(1).optional(),
  code: text(8).optional(),
  search: text(255).optional(),
  isGuarantee: flag().optional(),
}

/** docs/contract.md 4.9, row by row. */
export const countryQuery = query(
  z.object({ ...paging({ perPage: 50 }), ...order(lists.countries), ...countryFilters }),
)

/** docs/contract.md 6.10: the search ignores Turkish names. *Assumed*: the parameters of v1, except for paging. */
export const legacyCountryQuery = converted(
  query(z.object({ ...lenientOrder(lists.countries), ...countryFilters })),
  ({ search: searchInEnglish, ...sent }) => ({ ...sent, searchInEnglish }),
)

const cityFilters = { countryId: wholeNumber(1).optional(), countryCode: text(8).optional() }

const countyFilters = { cityId: wholeNumber(1).optional() }

/** The filters that v1 added to both cities and counties, so legacy does not know them (docs/contract.md 6.11 and 6.12). */
const placeFilters = {
  ids: ids().optional(),
  nameExact: text(255).optional(),
  namePrefix: text(255).optional(),
}

/**
 * docs/contract.md 4.10. *Assumed*, also for counties: sorted like the country list; the maximum lengths are those of the
 * country list's code and search; the form of `ids`; names are compared case-insensitively.
 */
export const cityQuery = query(
  z.object({ ...paging({ perPage: 50 }), ...order(lists.cities), ...cityFilters, ...placeFilters }),
)

/**
 * docs/contract.md 6.11. v1 made countryId and countryCode optional. What legacy does without them is not documented;
 * *assumed*: it answers the cities of all countries too.
 */
export const legacyCityQuery = query(z.object({ ...lenientOrder(lists.cities), ...cityFilters }))

/** docs/contract.md 4.11. */
export const countyQuery = query(
  z.object({ ...paging({ perPage: 50 }), ...order(lists.counties), ...countyFilters, ...placeFilters }),
)

/** docs/contract.md 6.12. *Assumed*: without cityId, it answers all counties, as in v1. */
export const legacyCountyQuery = query(z.object({ ...lenientOrder(lists.counties), ...countyFilters }))

/**
 * docs/contract.md 4.12, row by row. *Assumed*: the minimum length of `codes` is that of the whole list; 1 and 0 are no
 * values of `isDefined`.
 */
export const currencyQuery = query(
  z.object({
    ...paging({ perPage: 50 }),
    ...order(lists.currencies),
    codes: codes(3).optional(),
    isDefined: bool().optional(),
  }),
)

/** docs/contract.md 6.13: v1 added codes and isDefined, so legacy does not know them. */
export const legacyCurrencyQuery = query(
  z.object(lenientOrder(lists.currencies, { sellingTry: 'sellingRateTry', buyingTry: 'buyingRateTry' })),
)

/** docs/contract.md 4.13. *Assumed*: all values of sortBy except orderNumber. */
export const unitQuery = query(z.object({ ...paging({ perPage: 50 }), ...order(lists.unitsOfMeasure) }))

export const legacyUnitQuery = query(z.object(lenientOrder(lists.unitsOfMeasure)))

/** docs/contract.md 4.14. *Assumed*: all values of sortBy except orderNumber. */
export const exportCodeQuery = query(z.object({ ...paging({ perPage: 50 }), ...order(lists.exportCodes) }))

export const legacyExportCodeQuery = query(z.object(lenientOrder(lists.exportCodes)))
