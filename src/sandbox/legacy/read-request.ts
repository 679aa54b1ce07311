import type { z } from 'zod'
import type { Language } from '../language.ts'
import type { Call } from '../service.ts'
import { parseObject, readBytes } from '../validation/read-object.ts'
import { type Rules, type Validated, validate } from '../validation/validate.ts'
import { bodyUnreadable, payloadTooLarge, validationFailed } from './legacy-error.ts'

/**
 * The query as the schema gives it. Unknown and empty parameters are ignored (v1 refuses empty ones, docs/contract.md 8.5);
 * *assumed*: of a parameter given twice the last counts. Throws the 400 with the first violation of each.
 */
export function readQuery<Schema extends z.ZodObject>({ request, language }: Call, schema: Schema): z.output<Schema> {
  const sent = Array.from(new URL(request.url).searchParams).filter(([, value]) => value !== '')
  return orRefuse(validate(Object.fromEntries(sent), schema, language), language)
}

/**
 * The JSON body as the schema gives it, whatever the Content-Type says; unknown members are ignored. Throws the 400 with the
 * first violation of every field, or, at the empty path, for a body that is not a JSON object in UTF-8; the 413.
 */
export async function readBody<Schema extends z.ZodObject>(
  call: Call,
  schema: Schema,
  rules?: Rules<z.output<Schema>>,
): Promise<z.output<Schema>> {
  return orRefuse(validate(await readObject(call), schema, call.language, rules), call.language)
}

/** *Assumed*: no body at all, and an empty array, as PHP writes an empty object, leave out all filters. */
const NO_FILTERS = /^(?:[ \t\r\n]*\[[ \t\r\n]*\][ \t\r\n]*)?$/

/** The filters of a list. */
export async function readFilters<Schema extends z.ZodObject>(call: Call, schema: Schema): Promise<z.output<Schema>> {
  const sent = await readObject(call, (text) => (NO_FILTERS.test(text) ? '{}' : text))
  return orRefuse(validate(asParameters(sent), schema, call.language), call.language)
}

async function readObject({ request, language }: Call, meant = (text: string) => text): Promise<object> {
  const bytes = await readBytes(request)
  if (bytes === undefined) throw payloadTooLarge(language)
  const object = parseObject(meant(decode(bytes)))
  if (object === undefined) throw bodyUnreadable(language)
  return object
}

/** What is not UTF-8 gives a text that is not JSON; a byte order mark is no JSON either (RFC 8259, section 8.1). */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return '?'
  }
}

/**
 * *Assumed*: a filter that is null or empty, as text, list or object, is one that is not there; a number or a bool can be
 * written as text and means the same. So filters are read as the parameters of a query are, which are all text.
 */
function asParameters(filters: object): Record<string, unknown> {
  const parameters = Object.entries(filters).map(([name, value]): [string, unknown] => [name, asParameter(value)])
  return Object.fromEntries(parameters.filter(([, value]) => value !== undefined))
}

function asParameter(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === '') return undefined
  if (typeof value !== 'object') return value
  return Object.keys(value).length === 0 ? undefined : value
}

/** A filter of filters, as `dateAtBetween`. */
export function asRange(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? asParameters(value) : value
}

function orRefuse<Data>(validated: Validated<Data>, language: Language): Data {
  if ('errors' in validated) throw validationFailed(language, validated.errors)
  return validated.data
}
