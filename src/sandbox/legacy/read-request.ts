import type { z } from 'zod'
import type { Language } from '../language.ts'
import type { Call } from '../service.ts'
import { parseObject, readBytes } from '../validation/read-object.ts'
import { type Rules, type Validated, validate } from '../validation/validate.ts'
import { bodyUnreadable, payloadTooLarge, validationFailed } from './legacy-error.ts'

/**
 * Reads the query by a schema. Ignores unknown and empty parameters (v1 refuses empty ones, docs/contract.md 8.5).
 * *Assumed*: of a repeated parameter, the last value counts. Throws the 400 with the first violation of each parameter.
 */
export function readQuery<Schema extends z.ZodObject>({ request, language }: Call, schema: Schema): z.output<Schema> {
  const sent = Array.from(new URL(request.url).searchParams).filter(([, value]) => value !== '')
  return orRefuse(validate(Object.fromEntries(sent), schema, language), language)
}

/**
 * Reads the JSON body by a schema, regardless of the Content-Type. Ignores unknown members. Throws the 400 with the first
 * violation of each field, or at the empty path if the body is not a JSON object in UTF-8. Throws the 413 for a body
 * that is too large.
 */
export async function readBody<Schema extends z.ZodObject>(
  call: Call,
  schema: Schema,
  rules?: Rules<z.output<Schema>>,
): Promise<z.output<Schema>> {
  return orRefuse(validate(await readObject(call), schema, call.language, rules), call.language)
}

/** *Assumed*: a missing body and an empty array (which PHP writes for an empty object) mean no filters. */
const NO_FILTERS = /^(?:[ \t\r\n]*\[[ \t\r\n]*\][ \t\r\n]*)?$/

/** Reads the filters of a list. */
export async function readFilters<Schema extends z.ZodObject>(call: Call, schema: Schema): Promise<z.output<Schema>> {
  const sent = await readObject(call, (text) => (NO_FILTERS.test(text) ? '{}' : text))
  return orRefuse(validate(asParameters(sent), schema, call.language), call.language)
}

async function readObject({ request, language }: Call, prepare = (text: string) => text): Promise<object> {
  const bytes = await readBytes(request)
  if (bytes === undefined) throw payloadTooLarge(language)
  const object = parseObject(prepare(decode(bytes)))
  if (object === undefined) throw bodyUnreadable(language)
  return object
}

/**
 * Decodes UTF-8. Returns a text that is not JSON for other bytes. A byte order mark is not JSON either (RFC 8259
 * section 8.1).
 */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return '?'
  }
}

/**
 * Converts filters into query parameters, which are all text. *Assumed*: a filter that is null or an empty text, list
 * or object counts as missing; a number or a bool may be sent as text with the same meaning.
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

/** Converts a filter that consists of filters, such as `dateAtBetween`. */
export function asRange(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? asParameters(value) : value
}

function orRefuse<Data>(validated: Validated<Data>, language: Language): Data {
  if ('errors' in validated) throw validationFailed(language, validated.errors)
  return validated.data
}
