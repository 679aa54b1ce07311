import type { z } from 'zod'
import type { Language } from '../language.ts'
import { parseObject, readBytes } from '../validation/read-object.ts'
import { type Rules, type Validated, validate } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'
import type { Call } from './endpoint.ts'
import { payloadTooLarge, validationFailed } from './v1-error.ts'

/** Reads the variable parts of the path by a schema. Throws the 422 with the first violation of each part. */
export function readParams<Schema extends z.ZodObject>({ request, language }: Call, schema: Schema): z.output<Schema> {
  return orRefuse(validate(request.param(), schema, language), language)
}

/**
 * Reads the query by a schema. Ignores unknown parameters. Throws the 422 with the first violation of each parameter.
 * *Assumed*: a repeated parameter is a violation too. Its value is a list here, which no schema of a parameter accepts.
 */
export function readQuery<Schema extends z.ZodObject>({ request, language }: Call, schema: Schema): z.output<Schema> {
  const values = new Map<string, string | string[]>()
  for (const [name, value] of new URL(request.url).searchParams) values.set(name, values.has(name) ? [value] : value)
  return orRefuse(validate(Object.fromEntries(values), schema, language), language)
}

/**
 * Reads the JSON body by a schema, regardless of the Content-Type. Ignores unknown members. Throws the 422 with the first
 * violation of each field, by the schema and then by the rules; or at the empty path if the body is not a JSON object
 * in UTF-8. Throws the 413 for a body over 4 MiB.
 */
export async function readBody<Schema extends z.ZodObject>(
  { request, language }: Call,
  schema: Schema,
  rules?: Rules<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const bytes = await readBytes(request)
  if (bytes === undefined) throw payloadTooLarge()
  const object = parseObject(decode(bytes))
  if (object === undefined) throw validationFailed(language, [{ path: '', message: messages.jsonObject[language] }])
  return orRefuse(validate(object, schema, language, rules), language)
}

/**
 * Decodes UTF-8, and skips a byte order mark. For other bytes, returns a text that is not JSON, so that nothing is
 * stored that was never sent.
 */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

function orRefuse<Data>(validated: Validated<Data>, language: Language): Data {
  if ('errors' in validated) throw validationFailed(language, validated.errors)
  return validated.data
}
