import { z } from 'zod'
import type { Message } from '../service.ts'
import { codesOf, messages, wholeNumberFrom } from './validation-messages.ts'

/*
 * Schemas of query parameters (docs/contract.md 4), and of the filters in legacy's bodies. Each checks the whole text that was
 * sent, and converts it into the value, without trimming or guessing. `meta` states the value's type for the description,
 * which would otherwise call it a string.
 */

/**
 * An integer in plain decimal notation: no sign, no leading zero, no exponent. At most 2^53 - 1, because larger numbers
 * are not exact.
 */
export function wholeNumber(minimum: number, maximum?: number) {
  return z
    .string()
    .refine((text) => isWholeNumber(text, minimum, maximum), { params: wholeNumberFrom(minimum, maximum) })
    .transform(Number)
    .meta({ type: 'integer', minimum, ...(maximum !== undefined && { maximum }) })
}

function isWholeNumber(text: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER): boolean {
  return /^(0|[1-9]\d*)$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
}

/** A string of 1 to `maximum` characters. */
export function text(maximum: number) {
  return z.string().min(1).max(maximum)
}

/** A search for one value, or for values separated by commas. *Assumed*: a search of only commas counts as empty. */
export function search() {
  return text(255).refine((sent) => !sent.includes(',') || splitList(sent).length > 0, { params: messages.empty })
}

/**
 * Ids, separated by commas. *Assumed* for this list and the next: blanks around values, and empty values, are ignored;
 * a list of only those counts as empty.
 */
export function ids() {
  const areIds = (values: readonly string[]) => values.every((value) => isWholeNumber(value, 1))
  return listOf(areIds, messages.ids, 'Ids, separated by commas').transform((values) => values.map(Number))
}

/** Codes of at most `maximum` characters each, separated by commas. */
export function codes(maximum: number) {
  const areCodes = (values: readonly string[]) => values.every((value) => value.length <= maximum)
  return listOf(areCodes, codesOf(maximum), `Codes of at most ${maximum} characters each, separated by commas`)
}

function listOf(isValid: (values: readonly string[]) => boolean, params: Message, description: string) {
  return z
    .string()
    .min(1)
    .refine((list) => splitList(list).length > 0, { params: messages.empty })
    .refine((list) => isValid(splitList(list)), { params })
    .meta({ description })
    .transform(splitList)
}

/** Splits a comma-separated list. Removes blanks around values, and leaves out empty values. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** A boolean, sent as true or false. */
export function bool() {
  return z.enum(['true', 'false']).transform((sent) => sent === 'true')
}

/** A boolean, sent as true, false, 1 or 0. */
export function flag() {
  return z.enum(['true', 'false', '1', '0']).transform((sent) => sent === 'true' || sent === '1')
}

/** asc or desc, in upper or lower case. Default: desc (docs/contract.md 8.5). */
export function sortOrder() {
  const orders = ['asc', 'desc'] as const
  return z.string().toLowerCase().pipe(z.enum(orders)).meta({ enum: orders }).default('desc')
}

const day = /^\d{4}-\d{2}-\d{2}$/
const time = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/i

/**
 * A date as YYYY-MM-DD, the only form that v1 accepts (docs/contract.md 6.8). *Assumed*: legacy also accepts an ISO 8601
 * timestamp, with a blank allowed instead of T, and uses its calendar date in UTC. A timestamp without an offset is in UTC.
 */
function dayOrTimestamp() {
  return z
    .string()
    .refine((sent) => readDay(sent) !== undefined, { params: messages.day })
    .transform((sent) => readDay(sent) ?? '')
}

function readDay(sent: string): string | undefined {
  if (day.test(sent)) return isRealDay(sent) ? sent : undefined
  const [, date, hours, minutes, seconds = '00', offset = 'Z'] = time.exec(sent) ?? []
  if (date === undefined || !isRealDay(date)) return undefined
  const [, sign, offsetHours, offsetMinutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  const zone = sign === undefined ? 'Z' : `${sign}${offsetHours}:${offsetMinutes}`
  const at = new Date(`${date}T${hours}:${minutes}:${seconds}${zone}`)
  if (Number.isNaN(at.getTime())) return undefined
  const [inUtc = ''] = at.toISOString().split('T')
  return day.test(inUtc) ? inUtc : undefined
}

/** Needed because `Date` reads the 30th of February as a day in March. */
function isRealDay(date: string): boolean {
  return z.iso.date().safeParse(date).success
}

/**
 * Converts the filters of a body into parameters, which are all text. *Assumed*: a filter that is null or an empty text, list
 * or object counts as missing; a number or a bool may be sent as text with the same meaning.
 */
export function asParameters(filters: object): Record<string, unknown> {
  const parameters = Object.entries(filters).map(([name, value]): [string, unknown] => [name, asParameter(value)])
  return Object.fromEntries(parameters.filter(([, value]) => value !== undefined))
}

function asParameter(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === '') return undefined
  if (typeof value !== 'object') return value
  return Object.keys(value).length === 0 ? undefined : value
}

/** A filter that consists of two days, such as `dateAtBetween`. */
export function dayRange() {
  const days = z.object({ startAt: dayOrTimestamp().optional(), endAt: dayOrTimestamp().optional() })
  const isObject = (sent: unknown) => typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  return z.preprocess((sent) => (isObject(sent) ? asParameters(sent as object) : sent), days)
}
