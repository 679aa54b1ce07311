import { z } from 'zod'
import { splitList } from '../store/split-list.ts'
import type { Rule } from './validation-messages.ts'

/*
 * The schemas of query parameters (docs/contract.md 4). Each checks the whole text that was sent, and converts it into
 * the value, without trimming or guessing. `meta` states the value's type for the description, which would otherwise
 * call it a string.
 */

/**
 * An integer in plain decimal notation: no sign, no leading zero, no exponent. At most 2^53 - 1, because larger numbers
 * are not exact.
 */
export function wholeNumber(minimum: number, maximum?: number) {
  const params: Rule = { rule: 'wholeNumber', minimum, ...(maximum !== undefined && { maximum }) }
  const { rule, ...bounds } = params
  return z
    .string()
    .refine((text) => isWholeNumber(text, minimum, maximum), { params })
    .transform(Number)
    .meta({ type: 'integer', ...bounds })
}

function isWholeNumber(text: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER): boolean {
  return /^(0|[1-9]\d*)$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
}

/** A string of `minimum` to `maximum` characters. */
export function text(minimum: number, maximum: number) {
  return z.string().min(minimum).max(maximum)
}

/**
 * Ids, separated by commas. *Assumed* for this list and the next: blanks around values, and empty values, are ignored;
 * a list of only those counts as empty.
 */
export function ids() {
  const params: Rule = { rule: 'ids' }
  return listOf(
    (values) => values.every((value) => isWholeNumber(value, 1)),
    params,
    'Ids, separated by commas',
  ).transform((values) => values.map(Number))
}

/** Codes of at most `maximum` characters each, separated by commas. */
export function codes(maximum: number) {
  const params: Rule = { rule: 'codes', maximum }
  const description = `Codes of at most ${maximum} characters each, separated by commas`
  return listOf((values) => values.every((value) => value.length <= maximum), params, description)
}

function listOf(isValid: (values: readonly string[]) => boolean, params: Rule, description: string) {
  const noValues: Rule = { rule: 'empty' }
  return z
    .string()
    .min(1)
    .refine((list) => splitList(list).length > 0, { params: noValues })
    .refine((list) => isValid(splitList(list)), { params })
    .meta({ description })
    .transform(splitList)
}

/** A boolean, sent as true or false. */
export function bool() {
  return z.enum(['true', 'false']).transform((sent) => sent === 'true')
}

/** A boolean, sent as true, false, 1 or 0. */
export function flag() {
  return z.enum(['true', 'false', '1', '0']).transform((sent) => sent === 'true' || sent === '1')
}

/** A calendar day, `YYYY-MM-DD`. */
export function date() {
  return z.iso.date()
}

/** asc or desc, in upper or lower case. Default: desc (docs/contract.md 8.5). */
export function sortOrder() {
  const orders = ['asc', 'desc'] as const
  return z.string().toLowerCase().pipe(z.enum(orders)).meta({ enum: orders }).default('desc')
}

/** The parameters of every paginated list (docs/contract.md 11.1). */
export function pagination({ perPage }: { perPage: number }) {
  return {
    page: wholeNumber(1).default(1),
    perPage: wholeNumber(1, 200).default(perPage),
  }
}
