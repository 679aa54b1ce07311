import { z } from 'zod'
import { messages } from './validation-messages.ts'

/*
 * The schemas of fields in the bodies of shipments, prices and imports. Nothing is converted or guessed: a number sent
 * as a string is a violation. *Assumed*: all bounds (docs/contract.md 13.6).
 */

/**
 * A string, which may be empty. *Assumed*: a lone surrogate is refused, because it could not be stored as it was sent.
 */
export function anyText(maximum: number) {
  return z
    .string()
    .max(maximum)
    .refine((sent) => sent.isWellFormed())
}

/** A string that is not blank. */
export function text(maximum: number) {
  return anyText(maximum)
    .refine((sent) => sent.trim() !== '', { params: messages.empty })
    .meta({ minLength: 1 })
}

/**
 * An optional string. *Assumed*: an empty string counts as missing, and so does null where docs/contract.md does not
 * forbid it.
 */
export function optionalText(maximum: number) {
  return anyText(maximum).nullish()
}

/** The id of a record. */
export function recordId() {
  return z.int().min(1)
}

/** A count of at least one. */
export function count(maximum: number) {
  return z.int().min(1).max(maximum)
}

/** A length in centimetres. */
export function centimetres(minimum: number) {
  return z.number().min(minimum).max(500)
}

/** A weight in kilograms, of at least a gram. */
export function kilograms() {
  return z.number().min(0.001).max(1000)
}

/** An amount of money. Two decimals are used. */
export function money() {
  return z.number().min(0).max(1_000_000_000)
}

/** An integer whose values are not documented (docs/contract.md 13.2), such as `deliveryTaxType`. */
export function code() {
  return z.int().min(0).max(1_000_000)
}

/**
 * An array of `minimum` to `maximum` items. Checks the length before the items, so that an array that is far too long
 * costs nothing. A description states both in one place.
 */
export function list<Item extends z.ZodType>(item: Item, minimum: number, maximum: number) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input' })
  return z.array(z.unknown()).min(minimum).max(maximum).pipe(z.array(item)).meta({ items })
}
