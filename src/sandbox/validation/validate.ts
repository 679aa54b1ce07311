import type { z } from 'zod'
import type { Language } from '../language.ts'
import { type Sound, soundPart } from './sound-part.ts'
import { describeIssue, type Message } from './validation-messages.ts'

/** What is told of a field that is not valid. */
export interface FieldError {
  /** The field as `a.b[0].c`; empty for the body as a whole. */
  readonly path: string
  readonly message: string
}

/** What a rule finds wrong with a field that has the right type by itself. */
export interface Violation {
  /** As `a.b[0].c`. */
  readonly path: string
  readonly message: Message
}

/**
 * The rules of a body that its schema cannot state, as that a country exists. They see what is sound of the body when the
 * schema found violations, so that all are reported at once; with none, they see the whole body.
 */
export type Rules<Body> = (body: Sound<Body>) => readonly Violation[]

export type Validated<Data> = { readonly data: Data } | { readonly errors: readonly FieldError[] }

/** The input as the schema gives it, or the first violation of every field, of the schema's and then of the rules'. */
export function validate<Schema extends z.ZodObject>(
  input: unknown,
  schema: Schema,
  language: Language,
  rules: Rules<z.output<Schema>> = () => [],
): Validated<z.output<Schema>> {
  const result = schema.safeParse(input, { error: (issue) => describeIssue(issue, language) })
  const issues = result.error?.issues ?? []
  // What the schema finds nothing wrong with has the types of its output: the schemas of bodies with rules convert nothing.
  const sound = soundPart(
    input,
    issues.map(({ path }) => path),
  ) as Sound<z.output<Schema>>
  const errors = [
    ...issues.map((issue) => ({ path: writePath(issue.path), message: issue.message })),
    ...rules(sound).map(({ path, message }) => ({ path, message: message[language] })),
  ]
  return result.success && errors.length === 0 ? { data: result.data } : { errors: firstOfEachField(errors) }
}

function firstOfEachField(errors: readonly FieldError[]): FieldError[] {
  const messageByPath = new Map<string, string>()
  for (const { path, message } of errors) {
    if (!messageByPath.has(path)) messageByPath.set(path, message)
  }
  return Array.from(messageByPath, ([path, message]) => ({ path, message }))
}

/** *Assumed*: members with dots and indices in brackets, `packages[0].length` (docs/contract.md 9.2 has single names only). */
function writePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`
    return written === '' ? String(key) : `${written}.${String(key)}`
  }, '')
}
