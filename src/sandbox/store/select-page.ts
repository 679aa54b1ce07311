import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { inSnapshot } from './rows.ts'

/** A part of a WHERE clause, with the values of its placeholders. */
export interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

export interface PageRequest<SortBy extends string> {
  /** From 1. */
  readonly page: number
  readonly perPage: number
  readonly sortBy: SortBy
  readonly sortOrder: 'asc' | 'desc'
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The number of rows on all pages together. */
  readonly total: number
}

export function condition(sql: string, ...values: SQLInputValue[]): Condition {
  return { sql, values }
}

/**
 * Makes the condition that a column has one of these values. A URL has room for fewer values than SQLite allows placeholders,
 * 32,766. A subquery over `json_each` would need one placeholder, but SQLite 3.53.4 sometimes crashes when it prepares such a
 * subquery in an IN.
 */
export function isAnyOf(column: string, values: readonly SQLInputValue[]): Condition {
  return condition(`${column} IN (${values.map(() => '?').join(', ')})`, ...values)
}

/** Makes the condition for a filter. Returns undefined if the filter is not given. */
export function when<T>(value: T | undefined, make: (value: T) => Condition): Condition | undefined {
  return value === undefined ? undefined : make(value)
}

/**
 * Returns one page of the rows that match all conditions, and their total, both from the same snapshot. Ties are sorted
 * by id; *assumed*: ascending, regardless of the sort order. `sortColumns` gives the column for each value of sortBy. `Row`
 * must name columns of the table as they are declared.
 */
export function selectPage<Row, SortBy extends string>(
  db: DatabaseSync,
  table: string,
  conditions: readonly (Condition | undefined)[],
  sortColumns: Readonly<Record<SortBy, string>>,
  { page, perPage, sortBy, sortOrder }: PageRequest<SortBy>,
): Page<Row> {
  const wanted = conditions.filter((each) => each !== undefined)
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.map((each) => `(${each.sql})`).join(' AND ')}`
  const values = wanted.flatMap((each) => each.values)

  // For a page far past the end: SQLite refuses an offset that is not a safe integer.
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
  const count = db.prepare(`SELECT count(*) AS total FROM ${table} ${where}`)
  const select = db.prepare(
    `SELECT * FROM ${table} ${where} ORDER BY ${sortColumns[sortBy]} ${sortOrder}, id LIMIT ? OFFSET ?`,
  )
  const { total, rows } = inSnapshot(db, () => ({
    total: Number(count.get(...values)?.total),
    rows: select.all(...values, perPage, offset),
  }))

  // The tables are STRICT, so a row has the types that its columns declare.
  return { rows: rows as unknown as Row[], total }
}
