import type { DatabaseSync } from 'node:sqlite'
import type { CountryRow } from './countries.ts'
import { foldText } from './fold-text.ts'
import { findRow, findRows } from './rows.ts'
import type { UnitOfMeasureRow } from './units-of-measure.ts'

/*
 * Finds single records of the reference lists, which requests and answers of shipments refer to.
 */

export interface NamedRow {
  id: number
  name: string
}

export interface CodedRow extends NamedRow {
  code: string
}

export interface CountyRow extends NamedRow {
  cityId: number
}

export function findCountry(db: DatabaseSync, id: number): CountryRow | undefined {
  return findRow(db, 'SELECT * FROM countries WHERE id = ?', id)
}

/** *Assumed*: codes of countries and units in a request are read case-insensitively. */
export function findCountryByCode(db: DatabaseSync, code: string): CountryRow | undefined {
  return findRow(db, 'SELECT * FROM countries WHERE code = ? COLLATE NOCASE', code)
}

export function findUnitOfMeasure(db: DatabaseSync, id: number): UnitOfMeasureRow | undefined {
  return findRow(db, 'SELECT * FROM unitsOfMeasure WHERE id = ?', id)
}

export function findUnitOfMeasureByCode(db: DatabaseSync, code: string): UnitOfMeasureRow | undefined {
  return findRow(db, 'SELECT * FROM unitsOfMeasure WHERE code = ? COLLATE NOCASE', code)
}

export function findCurrency(db: DatabaseSync, id: number): CodedRow | undefined {
  return findRow(db, 'SELECT id, code, name FROM currencies WHERE id = ?', id)
}

/** Returns the time when the rates of a currency were last set. */
export function findRatesTime(db: DatabaseSync, currencyId: number): string | undefined {
  return findRow<{ updatedAt: string }>(db, 'SELECT updatedAt FROM currencies WHERE id = ?', currencyId)?.updatedAt
}

export function findExportCode(db: DatabaseSync, id: number): CodedRow | undefined {
  return findRow(db, 'SELECT id, code, name FROM exportCodes WHERE id = ?', id)
}

/** Returns the id of the country of all sender addresses. The seed contains it. */
export function homeCountryId(db: DatabaseSync): number {
  return findCountryByCode(db, 'TR')?.id ?? 0
}

/** Finds a city in the country of sender addresses, the only country with counties. */
export function findHomeCity(db: DatabaseSync, id: number): NamedRow | undefined {
  return findRow(db, "SELECT id, name FROM cities WHERE id = ? AND countryCode = 'TR'", id)
}

export function findHomeCitiesNamed(db: DatabaseSync, name: string): NamedRow[] {
  const sql = "SELECT id, name FROM cities WHERE nameFolded = ? AND countryCode = 'TR' ORDER BY id"
  return findRows(db, sql, foldText(name))
}

export function findCounty(db: DatabaseSync, id: number): CountyRow | undefined {
  return findRow(db, 'SELECT id, name, cityId FROM counties WHERE id = ?', id)
}

export function findCountiesOf(db: DatabaseSync, cityId: number): NamedRow[] {
  return findRows(db, 'SELECT id, name FROM counties WHERE cityId = ? ORDER BY nameOrder, id', cityId)
}
