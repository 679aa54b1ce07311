import type { Type } from '../../mapping/converter.ts'
import type { Shape } from '../../mapping/shape.ts'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>

/** Collects the schemas of shapes: one for each shape and variant, such as the part of a call that it is described for. */
export interface SchemaBook<Variant> {
  /** Returns a reference to the schema of a shape. */
  refer(shape: Shape, variant: Variant): Schema
  /** Returns all schemas referred to so far, by name, for `components.schemas`. */
  schemas(): Readonly<Record<string, Schema>>
}

/** Creates an empty book. @param describe describes a shape, and may refer to those within it. */
export function schemaBook<Variant>(
  describe: (shape: Shape, variant: Variant, book: SchemaBook<Variant>) => Schema,
): SchemaBook<Variant> {
  const schemas = new Map<string, Schema>()
  const names = new Map<Shape, Map<Variant, string>>()
  const book: SchemaBook<Variant> = {
    refer(shape, variant) {
      const ofShape = names.get(shape) ?? new Map<Variant, string>()
      names.set(shape, ofShape)
      const existing = ofShape.get(variant)
      const name = existing ?? freeName(schemaName(shape.name), schemas)
      if (existing === undefined) {
        ofShape.set(variant, name)
        // Reserves the place before describing the inner shapes, so that they follow it.
        schemas.set(name, {})
        schemas.set(name, describe(shape, variant, book))
      }
      return { $ref: `#/components/schemas/${name}` }
    },
    schemas: () => Object.fromEntries(schemas),
  }
  return book
}

/** Turns the name of a shape into that of a schema: `id and slug` becomes `IdAndSlug`. */
const schemaName = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Returns a name that is not taken yet. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  return free
}

/** Timestamps differ: docs/contract.md 2.2. The contract rules out other members for no object of v1. */
const SIDES = {
  legacy: { timestamp: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$', object: { additionalProperties: true } },
  v1: { timestamp: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', object: {} },
} as const

const SCHEMAS: Readonly<Record<Type | 'date', Schema & { readonly type: string }>> = {
  int: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  bool: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  object: { type: 'object' },
  array: { type: 'array', items: {} },
  'array of string': { type: 'array', items: { type: 'string' } },
}

/** Returns the schema of a type on one side. A type that the contract does not show allows any value. */
export function schemaOfType(side: 'legacy' | 'v1', type: Type | 'date' | undefined, nullable = false): Schema {
  if (type === undefined) return {}
  const schema = SCHEMAS[type]
  return {
    ...schema,
    ...(type === 'timestamp' ? { pattern: SIDES[side].timestamp } : {}),
    ...(type === 'object' ? SIDES[side].object : {}),
    ...(nullable ? { type: [schema.type, 'null'] } : {}),
  }
}

/** Returns the schema of an object. */
export const objectSchema = (
  properties: readonly (readonly [name: string, schema: Schema])[],
  required: readonly string[],
  additionalProperties: boolean,
): Schema => ({
  type: 'object',
  ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  ...(required.length === 0 ? {} : { required }),
  additionalProperties,
})

/** Returns the schema of a list. */
export const listSchema = (items: Schema): Schema => ({ type: 'array', items })

/** Allows null too, if `nullable`. */
export const orNull = (schema: Schema, nullable: boolean): Schema =>
  nullable ? { anyOf: [schema, { type: 'null' }] } : schema

/** Describes a body in JSON, as OpenAPI's `content`. */
export const jsonContent = (schema: Schema, example?: unknown): Schema => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
