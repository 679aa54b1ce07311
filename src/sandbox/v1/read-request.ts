import type { z } from 'zod'
import type { Language } from '../language.ts'
import { parseObject, readBytes } from '../validation/read-object.ts'
import { type Rules, type Validated, validate } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'
import type { Call } from './endpoint.ts'
import { payloadTooLarge, validationFailed } from './v1-error.ts'

/** The parts of the path that vary, as the schema gives them. Throws the 422 with the first violation of each. */
export function readParams<Schema extends z.ZodObject>({ request, language }: Call, schema: Schema): z.output<Schema> {
  return orRefuse(validate(request.param(), schema, language), language)
}

/**
 * The query as the schema gives it; unknown parameters are ignored. Throws the 422 with the first violation of every
 * parameter. *Assumed*: a parameter given twice has no defined value, so it is a violation too: a list, which no text is.
 */
export function readQuery<Schema extends z.ZodObject>({ request, language }: Call, schema: Schema): z.output<Schema> {
  const values = new Map<string, string | string[]>()
  for (const [name, value] of new URL(request.url).searchParams) values.set(name, values.has(name) ? [value] : value)
  return orRefuse(validate(Object.fromEntries(values), schema, language), language)
}

/**
 * The JSON body as the schema gives it, whatever the Content-Type says; unknown members are ignored. Throws the 422 with
 * the first violation of every field, of the schema's and then of the rules', or, at the empty path, for a body that is
 * not JSON in UTF-8 or no object; the 413 for one over 4 MiB.
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

/** What is not UTF-8 gives a text that is not JSON, so that nothing is stored that was never sent. A byte order mark is skipped. */
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
