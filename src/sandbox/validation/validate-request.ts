import type { z } from 'zod'
import type { Call, Message } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { messageFor, messages } from './validation-messages.ts'

/** A violation as reported to the client. */
export interface FieldError {
  /** The field as `a.b[0].c`; empty for the body as a whole. */
  readonly path: string
  readonly message: string
}

/** A violation that a rule found. The field itself has the right type. */
interface Violation {
  readonly path: string
  readonly message: Message
}

/**
 * The rules of a body that its schema cannot state, for instance that a country exists. If the schema found violations,
 * the rules get the valid part of the body, so that all violations are reported at once. Otherwise they get the whole
 * body.
 */
export type Rules<Body> = (body: Sound<Body>) => readonly Violation[]

/** A value without its invalid parts: any member may be missing, and any item undefined. */
export type Sound<T> = T extends readonly (infer Item)[]
  ? (Sound<Item> | undefined)[]
  : T extends object
    ? { [Member in keyof T]?: Sound<T[Member]> | undefined }
    : T

/** What the requests for an operation contain in one face: where it is, and how it is validated and read. */
export interface RequestForm<Input> {
  /** `filters` is a JSON body that a list reads like a query. */
  readonly place: 'path' | 'query' | 'body' | 'filters'
  readonly schema: z.ZodObject
  /** Returns the input of the operation. Throws VALIDATION_FAILED. */
  read(sent: unknown, call: Call): Input
}

/** The variable parts of the path. */
export function pathOf<Schema extends z.ZodObject>(schema: Schema): RequestForm<z.output<Schema>> {
  return { place: 'path', schema, read: (sent, call) => validate(sent, schema, call) }
}

export function queryOf<Schema extends z.ZodObject>(schema: Schema): RequestForm<z.output<Schema>> {
  return { ...pathOf(schema), place: 'query' }
}

export function filtersOf<Schema extends z.ZodObject>(schema: Schema): RequestForm<z.output<Schema>> {
  return { ...pathOf(schema), place: 'filters' }
}

/** A JSON body. `rulesFor` makes its rules for a call. */
export function bodyOf<Schema extends z.ZodObject>(
  schema: Schema,
  rulesFor?: (call: Call) => Rules<z.output<Schema>>,
): RequestForm<z.output<Schema>> {
  return { place: 'body', schema, read: (sent, call) => validate(sent, schema, call, rulesFor?.(call)) }
}

/** A request whose valid contents become the input of the operation by `convert`. */
export function converted<Sent, Input>(form: RequestForm<Sent>, convert: (sent: Sent) => Input): RequestForm<Input> {
  return { ...form, read: (sent, call) => convert(form.read(sent, call)) }
}

/** Returns a violation unless the rule is met. */
export function unless(isMet: boolean, path: string, message: Message): Violation[] {
  return isMet ? [] : [{ path, message }]
}

/** The record that a field refers to must exist. A field that is missing or not valid is not checked. */
export function mustExist<Key>(
  path: string,
  key: Key | null | undefined,
  find: (key: Key) => object | undefined,
): Violation[] {
  return key === undefined || key === null ? [] : unless(find(key) !== undefined, path, messages.unknown)
}

/**
 * Returns the input as the schema outputs it. Throws VALIDATION_FAILED with the first violation of each field, by the schema
 * and then by the rules.
 */
function validate<Schema extends z.ZodObject>(
  input: unknown,
  schema: Schema,
  { language }: Call,
  rules: Rules<z.output<Schema>> = () => [],
): z.output<Schema> {
  const result = schema.safeParse(input, { error: (issue) => messageFor(issue)[language] })
  const issues = result.error?.issues ?? []
  // The valid part has the types of the schema's output, because schemas of bodies with rules convert nothing.
  const sound = soundPart(
    input,
    issues.map(({ path }) => path),
  ) as Sound<z.output<Schema>>
  const errors = [
    ...issues.map((issue) => ({ path: writePath(issue.path), message: issue.message })),
    ...rules(sound).map(({ path, message }) => ({ path, message: message[language] })),
  ]
  if (result.success && errors.length === 0) return result.data
  throw new ServiceError('VALIDATION_FAILED', { violations: firstOfEachField(errors) })
}

function firstOfEachField(errors: readonly FieldError[]): FieldError[] {
  const messageByPath = new Map<string, string>()
  for (const { path, message } of errors) {
    if (!messageByPath.has(path)) messageByPath.set(path, message)
  }
  return Array.from(messageByPath, ([path, message]) => ({ path, message }))
}

type Path = readonly PropertyKey[]

/**
 * Returns the input without the values at these paths, so that further rules can check the rest of an invalid request.
 * Items keep their indices. Returns undefined if one of the paths is empty, which means the whole input.
 */
export function soundPart(input: unknown, faults: readonly Path[]): unknown {
  if (faults.some((path) => path.length === 0)) return undefined
  if (faults.length === 0 || typeof input !== 'object' || input === null) return input
  const faultsWithin = Map.groupBy(faults, ([member]) => String(member))
  const partOf = (member: string, value: unknown) =>
    soundPart(
      value,
      (faultsWithin.get(member) ?? []).map(([, ...rest]) => rest),
    )
  if (Array.isArray(input)) return input.map((item, index) => partOf(String(index), item))
  return Object.fromEntries(Object.entries(input).map(([member, value]) => [member, partOf(member, value)]))
}

/**
 * *Assumed*: members with dots and indices in brackets, `packages[0].length` (docs/contract.md 9.2 has single names
 * only).
 */
function writePath(path: Path): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`
    return written === '' ? String(key) : `${written}.${String(key)}`
  }, '')
}

/** Returns the paths of all members that are null, as `a.b[0].c`. The object may be as deep as JSON can be. */
export function nullMembers(object: object): readonly string[] {
  const values: [path: string, value: unknown][] = [['', object]]
  const paths: string[] = []
  // The list grows while this loop reads it.
  for (const [path, value] of values) {
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      const member = path === '' ? name : `${path}.${name}`
      if (inner === null && !isList) paths.push(member)
      else values.push([isList ? `${path}[${name}]` : member, inner])
    }
  }
  return paths
}
