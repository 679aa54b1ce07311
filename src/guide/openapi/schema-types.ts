import type { LegacyValues, Type } from '../../mapping/converter.ts'
import type { Accepted } from '../../mapping/reader.ts'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>

/** The part of a call that a shape is described for: what may be sent, or what is answered. */
export type Part = 'request' | 'answer'

/** docs/contract.md 2.2: legacy timestamps have an offset of zero and no milliseconds. */
const LEGACY_TIMESTAMP = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$'

const SCHEMAS: Readonly<Record<Type, Schema & { readonly type: string }>> = {
  int: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  bool: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time', pattern: LEGACY_TIMESTAMP },
  object: { type: 'object', additionalProperties: true },
  array: { type: 'array', items: {} },
  'array of string': { type: 'array', items: { type: 'string' } },
}

/** Returns the schema of a legacy member. A type that the contract does not show allows any value. */
export function schemaOfType(type: Type | undefined, nullable = false): Schema {
  if (type === undefined) return {}
  const schema = SCHEMAS[type]
  return nullable ? { ...schema, type: [schema.type, 'null'] } : schema
}

/**
 * Returns the schema of a converted member. A request may contain only the converter's values. An answer may contain
 * others that v1 added; the schema allows them, because a client generated from it must accept them.
 */
export function schemaOfConverted({ type, values, format }: LegacyValues, part: Part, nullable: boolean): Schema {
  const schema: Schema = { ...schemaOfType(type, nullable), ...(format === undefined ? {} : { format }) }
  if (values === undefined) return schema
  const listed = { ...schema, enum: nullable ? [...values, null] : values }
  return part === 'request' ? listed : { anyOf: [listed, schema] }
}

/** Returns the schema of a parameter in a legacy query, where every value is text. An empty one counts as not sent. */
export function schemaInQuery({ type, low, high, values, format }: Accepted): Schema {
  if (values !== undefined) return { anyOf: [{ type: 'string', enum: values }, { type: 'string' }] }
  if (type === 'bool') return { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }] }
  if (format !== undefined) return { type: 'string', format }
  return type === 'int' ? { type: 'integer', ...range(low, high) } : { type: 'string' }
}

/** Returns the schema of a parameter in a legacy body. A number or a boolean may also be sent as text. */
export function schemaInBody({ type, low, high, values, format }: Accepted): Schema {
  if (values !== undefined) return { anyOf: [{ type: 'string', enum: values }, {}] }
  if (type === 'date') return { type: 'string' }
  if (type === 'bool') return { type: ['boolean', 'integer', 'string'] }
  if (format !== undefined) return { type: ['number', 'string'], format }
  if (type !== 'int') return { type: ['string', 'number', 'boolean'] }
  // With a range, only digits are accepted as text.
  const digits = low === undefined ? {} : { pattern: '^\\d+$' }
  return { type: ['integer', 'string'], ...range(low, high), ...digits }
}

/** Adds the values that count as not sent. */
export const orNotSent = (schema: Schema): Schema => ({ anyOf: [schema, { $ref: '#/components/schemas/NotSent' }] })

/** The schema of values that count as not sent, for `components.schemas`. */
export const NOT_SENT: Readonly<Record<string, Schema>> = {
  NotSent: {
    description: 'Counts as not sent.',
    anyOf: [
      { type: 'null' },
      { type: 'string', enum: [''] },
      { type: 'array', items: {}, maxItems: 0 },
      { type: 'object', additionalProperties: false },
    ],
  },
}

const range = (low: number | undefined, high: number | undefined): Schema => ({
  ...(low === undefined ? {} : { minimum: low }),
  ...(high === undefined ? {} : { maximum: high }),
})
