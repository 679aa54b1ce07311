import type { SQLInputValue } from 'node:sqlite'
import type { Call } from '../service.ts'
import { splitList } from '../validation/query-parameters.ts'
import { foldText } from './fold-text.ts'
import { inSnapshot } from './sandbox-rows.ts'
import type { Row, TableName } from './sandbox-tables.ts'

/** A list that clients can read. */
export interface StoredList {
  readonly table: TableName
  /** Whether an organization sees only its own rows. */
  readonly isPrivate?: boolean
  /** The column for each value of sortBy. The first is the default. */
  readonly sortColumns: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, (value: never) => Condition>>
}

/** A part of a WHERE clause, with the values of its placeholders. */
interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** A request for rows of a list: those that match all filters that are set. */
export type ListRequest<List extends StoredList> = {
  /** From 1. Without a page, the whole list is meant. */
  readonly page?: number
  readonly perPage?: number
  readonly sortBy: string
  readonly sortOrder: 'asc' | 'desc'
} & { readonly [Name in keyof List['filters']]?: Parameters<List['filters'][Name]>[0] | undefined }

export interface ListedRows<Listed> {
  readonly rows: readonly Listed[]
  /** The place of these rows in the list. Undefined for a whole list. */
  readonly paging?: Paging
}

export interface Paging {
  readonly page: number
  readonly perPage: number
  /** The number of rows on all pages together. */
  readonly total: number
}

/** docs/contract.md 4.8. Dates are inclusive. *Assumed*: they mean days in UTC, the time zone of timestamps. */
export const invoices = {
  table: 'invoices',
  isPrivate: true,
  sortColumns: {
    id: 'id',
    number: 'number',
    dateAt: 'dateAt',
    paymentExpirationAt: 'paymentExpirationAt',
    priceTry: 'priceTryHundredths',
    priceUsd: 'priceUsdHundredths',
  },
  filters: {
    search: matchesInvoice,
    id: (id: number) => condition('id = ?', id),
    number: (number: string) => condition('number = ?', number),
    statusId: (statusId: number) => condition('statusId = ?', statusId),
    isPaid: (isPaid: boolean) => condition('isPaid = ?', Number(isPaid)),
    dateFrom: (day: string) => condition('dateAt >= ?', startOf(day)),
    dateTo: (day: string) => condition('dateAt <= ?', endOf(day)),
    paymentExpirationFrom: (day: string) => condition('paymentExpirationAt >= ?', startOf(day)),
    paymentExpirationTo: (day: string) => condition('paymentExpirationAt <= ?', endOf(day)),
  },
} as const satisfies StoredList

/** docs/contract.md 6.9. Only legacy lists charges. */
export const charges = {
  table: 'charges',
  isPrivate: true,
  sortColumns: { id: 'id', amount: 'amountHundredths', createdAt: 'createdAt' },
  filters: {},
} as const satisfies StoredList

/**
 * docs/contract.md 4.9. `name` sorts by the English name in every language, like a dictionary (Åland with A), which
 * SQLite's collations cannot.
 */
export const countries = {
  table: 'countries',
  sortColumns: {
    orderNumber: 'orderNumber',
    name: 'nameEnOrder',
    code: 'code',
    id: 'id',
    isGuarantee: 'isGuarantee',
  },
  filters: {
    id: (id: number) => condition('id = ?', id),
    code: (code: string) => condition('code = ?', code),
    search: (search: string) => matchesCountry(search, ['nameEnFolded', 'nameTrFolded', 'codeFolded']),
    searchInEnglish: (search: string) => matchesCountry(search, ['nameEnFolded', 'codeFolded']),
    isGuarantee: (isGuarantee: boolean) => condition('isGuarantee = ?', Number(isGuarantee)),
  },
} as const satisfies StoredList

/** The filters that both cities and counties have. Names are compared case-insensitively. */
const placeFilters = {
  ids: (ids: readonly number[]) => isAnyOf('id', ids),
  nameExact: (name: string) => condition('nameFolded = ?', foldText(name)),
  // A range can use an index. No name contains the last Unicode character.
  namePrefix: (prefix: string) =>
    condition('nameFolded >= ? AND nameFolded < ?', foldText(prefix), `${foldText(prefix)}\u{10FFFF}`),
}

/** docs/contract.md 4.10. In this list and all that follow except units, `name` sorts like a Turkish dictionary. */
export const cities = {
  table: 'cities',
  sortColumns: { orderNumber: 'orderNumber', name: 'nameOrder', countryCode: 'countryCode', id: 'id' },
  filters: {
    countryId: (id: number) => condition('countryId = ?', id),
    countryCode: (code: string) => condition('countryCode = ?', code),
    ...placeFilters,
  },
} as const satisfies StoredList

/** docs/contract.md 4.11. */
export const counties = {
  table: 'counties',
  sortColumns: { orderNumber: 'orderNumber', name: 'nameOrder', cityId: 'cityId', id: 'id' },
  filters: { cityId: (id: number) => condition('cityId = ?', id), ...placeFilters },
} as const satisfies StoredList

/** docs/contract.md 4.12. A currency with exactly one rate is neither defined nor undefined. */
export const currencies = {
  table: 'currencies',
  sortColumns: {
    orderNumber: 'orderNumber',
    name: 'nameOrder',
    code: 'code',
    id: 'id',
    updatedAt: 'updatedAt',
    sellingTry: 'sellingTry',
    buyingTry: 'buyingTry',
  },
  filters: {
    codes: (codes: readonly string[]) => isAnyOf('code', codes),
    isDefined: (isDefined: boolean) =>
      condition(isDefined ? 'sellingTry > 0 AND buyingTry > 0' : 'sellingTry = 0 AND buyingTry = 0'),
  },
} as const satisfies StoredList

/** docs/contract.md 4.13. *Assumed*: `name` sorts by the English name in every language, like that of countries. */
export const unitsOfMeasure = {
  table: 'unitsOfMeasure',
  sortColumns: { orderNumber: 'orderNumber', name: 'nameEnOrder', code: 'code', id: 'id' },
  filters: {},
} as const satisfies StoredList

/** docs/contract.md 4.14. */
export const exportCodes = {
  table: 'exportCodes',
  sortColumns: { orderNumber: 'orderNumber', name: 'nameOrder', code: 'code', id: 'id' },
  filters: {},
} as const satisfies StoredList

/**
 * Returns the rows that a request asks for, and the total of all pages, both from the same snapshot. Ties are sorted by id;
 * *assumed*: ascending, regardless of the sort order.
 */
export function selectRows<List extends StoredList>(
  { db, organizationId }: Call,
  { table, isPrivate, sortColumns, filters }: List,
  request: ListRequest<List>,
): ListedRows<Row<List['table']>> {
  const { page, perPage, sortBy, sortOrder, ...values }: ListRequest<StoredList> & Record<string, unknown> = request
  const conditions = [
    ...(isPrivate ? [condition('organizationId = ?', organizationId)] : []),
    ...Object.entries(filters).flatMap(([name, filter]) =>
      values[name] === undefined ? [] : [filter(values[name] as never)],
    ),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`
  const inputs = conditions.flatMap((each) => each.values)
  const select = `SELECT * FROM ${table} ${where} ORDER BY ${sortColumns[sortBy]} ${sortOrder}, id`
  // The tables are STRICT, so a row has the types that its columns declare.
  const rowsOf = (sql: string, ...more: number[]) => db.prepare(sql).all(...inputs, ...more) as Row<List['table']>[]
  if (page === undefined || perPage === undefined) return { rows: rowsOf(select) }

  // For a page far past the end: SQLite refuses an offset that is not a safe integer.
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
  return inSnapshot(db, () => {
    const count = db.prepare(`SELECT count(*) AS total FROM ${table} ${where}`).get(...inputs)
    const rows = rowsOf(`${select} LIMIT ? OFFSET ?`, perPage, offset)
    return { rows, paging: { page, perPage, total: Number(count?.total) } }
  })
}

function condition(sql: string, ...values: SQLInputValue[]): Condition {
  return { sql, values }
}

/**
 * Makes the condition that a column has one of these values. A URL has room for fewer values than SQLite allows placeholders,
 * 32,766. A subquery over `json_each` would need one placeholder, but SQLite 3.53.4 sometimes crashes when it prepares such a
 * subquery in an IN.
 */
function isAnyOf(column: string, values: readonly SQLInputValue[]): Condition {
  return condition(`${column} IN (${values.map(() => '?').join(', ')})`, ...values)
}

/**
 * Matches invoices by a search. A single value must equal the id or be part of the number. With a comma, one of the
 * values must equal the id or the number. Uses `instr` instead of LIKE, so that `%` and `_` are plain text. *Assumed*:
 * numbers are compared case-sensitively; blanks around the values of a list, and empty values, are ignored.
 */
function matchesInvoice(search: string): Condition {
  if (!search.includes(',')) return condition('CAST(id AS TEXT) = ? OR instr(number, ?) > 0', search, search)
  const values = splitList(search)
  const marks = values.map(() => '?').join(', ')
  return condition(`CAST(id AS TEXT) IN (${marks}) OR number IN (${marks})`, ...values, ...values)
}

/** Matches countries whose id equals the search, or one of whose columns contains it. */
function matchesCountry(search: string, columns: readonly string[]): Condition {
  const contains = columns.map((column) => `instr(${column}, ?) > 0`)
  const folded = columns.map(() => foldText(search))
  return condition(['CAST(id AS TEXT) = ?', ...contains].join(' OR '), search, ...folded)
}

function startOf(day: string): string {
  return `${day}T00:00:00.000Z`
}

function endOf(day: string): string {
  return `${day}T23:59:59.999Z`
}
