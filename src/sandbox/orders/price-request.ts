import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { centimetres, count, kilograms, list, optionalText, recordId } from '../validation/body-fields.ts'
import { mustBeServed } from '../validation/field-rules.ts'
import type { Rules } from '../validation/validate.ts'

/** A row of `packages`. *Assumed*: the measures are those of a package shipment, and may be 0 like a document's. */
export const pricedPackage = z.object({
  length: centimetres(0),
  size: centimetres(0),
  height: centimetres(0),
  weight: kilograms(),
  piece: count(100).nullish(),
})

/** Builds the schema of `packages` with rows of this schema. */
export function pricedPackages<Row extends z.ZodObject>(row: Row) {
  return list(row, 1, 100)
}

/**
 * docs/contract.md 4.2 names city, zipCode, date, piece, carrierId and packages. *Assumed*: countryId, and which fields
 * are required. Only city, zipCode, date and piece may be null.
 */
export const priceRequest = z.object({
  countryId: recordId(),
  city: optionalText(100),
  zipCode: optionalText(20),
  date: z.iso.date().nullish(),
  carrierId: recordId().optional(),
  packages: pricedPackages(pricedPackage),
})

export function priceRules(db: DatabaseSync): Rules<{ countryId: number }> {
  return ({ countryId }) => mustBeServed(db, 'countryId', countryId)
}
