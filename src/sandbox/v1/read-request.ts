import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Language } from '../language.ts'
import type { Call } from './endpoint.ts'
import { type FieldError, payloadTooLarge, validationFailed } from './v1-error.ts'
import { describeIssue, messages } from './validation-messages.ts'

/** *Assumed* (contract, Limits: not shown). */
const maxBodyBytes = 4 * 1024 * 1024

/**
 * The query as the schema gives it; unknown parameters are ignored. Throws the 422 with the first violation of every
 * parameter. *Assumed*: a parameter given twice has no defined value, so it is a violation too.
 */
export function readQuery<Schema extends z.ZodObject>({ request, language }: Call, schema: Schema): z.output<Schema> {
  const parameters = new URL(request.url).searchParams
  const values = Array.from(new Set(parameters.keys()), (name): [string, string | string[]] => {
    const [first = '', ...more] = parameters.getAll(name)
    return [name, more.length === 0 ? first : [first, ...more]]
  })
  return validate(Object.fromEntries(values), schema, language)
}

/**
 * The JSON body as the schema gives it, whatever the Content-Type says; unknown members are ignored. Throws the 422 with
 * the first violation of every field, or, at the empty path, for a body that is not JSON or no object; the 413 for one
 * over 4 MiB.
 */
export async function readBody<Schema extends z.ZodObject>(
  { request, language }: Call,
  schema: Schema,
): Promise<z.output<Schema>> {
  return validate(parseObject(await readText(request), language), schema, language)
}

/** The body as text, refused with the 413 as soon as it is known to be too large, and then not read to its end. */
async function readText(request: HonoRequest): Promise<string> {
  if (Number(request.header('Content-Length')) > maxBodyBytes) throw payloadTooLarge()
  // Read piece by piece, because a chunked body does not announce its length.
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.raw.body?.getReader()
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    bytes += next.value.byteLength
    if (bytes > maxBodyBytes) throw payloadTooLarge()
    pieces.push(next.value)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

function parseObject(text: string, language: Language): object {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw validationFailed(language, [{ path: '', message: messages.jsonObject[language] }])
}

/** Undefined, which no JSON text stands for, when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function validate<Schema extends z.ZodObject>(input: unknown, schema: Schema, language: Language): z.output<Schema> {
  const result = schema.safeParse(input, { error: (issue) => describeIssue(issue, language) })
  if (result.success) return result.data
  throw validationFailed(language, firstOfEachField(result.error.issues))
}

function firstOfEachField(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const messageByPath = new Map<string, string>()
  for (const issue of issues) {
    const path = writePath(issue.path)
    if (!messageByPath.has(path)) messageByPath.set(path, issue.message)
  }
  return Array.from(messageByPath, ([path, message]) => ({ path, message }))
}

/** *Assumed*: members with dots and indices in brackets, `packages[0].length` (the contract shows single names only). */
function writePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`
    return written === '' ? String(key) : `${written}.${String(key)}`
  }, '')
}
