import { z } from 'zod'
import type { Rule } from './validation-messages.ts'

/*
 * The kinds of fields that the bodies of shipments, prices and imports are made of. Nothing is converted or guessed: a
 * number sent as a string is a violation. *Assumed*: all bounds (docs/contract.md 13.6).
 */

const noBlank: Rule = { rule: 'empty' }

/**
 * A string, empty or not. *Assumed*: half a surrogate pair, which is no text and could not be stored as it was sent, is
 * refused.
 */
export function anyText(maximum: number) {
  return z
    .string()
    .max(maximum)
    .refine((sent) => sent.isWellFormed())
}

/** A string with something in it besides blanks. */
export function text(maximum: number) {
  return anyText(maximum)
    .refine((sent) => sent.trim() !== '', { params: noBlank })
    .meta({ minLength: 1 })
}

/** A string that can be left out. *Assumed*: an empty one, and, where docs/contract.md does not forbid it, null say so too. */
export function optionalText(maximum: number) {
  return anyText(maximum).nullish()
}

/** The id of a record. */
export function recordId() {
  return z.int().min(1)
}

/** A count of things, at least one. */
export function count(maximum: number) {
  return z.int().min(1).max(maximum)
}

/** A length in centimetres. */
export function centimetres(minimum: number) {
  return z.number().min(minimum).max(500)
}

/** A weight in kilograms, to the gram. */
export function kilograms() {
  return z.number().min(0.001).max(1000)
}

/** An amount of money, of which two decimals count. */
export function money() {
  return z.number().min(0).max(1_000_000_000)
}

/** An int whose values are not known (docs/contract.md 13.2), as `deliveryTaxType`. */
export function code() {
  return z.int().min(0).max(1_000_000)
}

/**
 * An array of at least `minimum` and at most `maximum` items. Its length is checked before its items, so that what is far
 * too long costs nothing; for a description both are stated in one place.
 */
export function list<Item extends z.ZodType>(item: Item, minimum: number, maximum: number) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input' })
  return z.array(z.unknown()).min(minimum).max(maximum).pipe(z.array(item)).meta({ items })
}
