import type { Accepted } from '../../mapping/reader.ts'
import type { Type } from '../../mapping/type.ts'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>

/** The contract, Conventions: legacy timestamps carry an offset of zero and no milliseconds. */
const LEGACY_TIMESTAMP = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$'

const SCHEMAS: Readonly<Record<Type, Schema & { readonly type: string }>> = {
  int: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  bool: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time', pattern: LEGACY_TIMESTAMP },
  object: { type: 'object' },
  array: { type: 'array' },
  'array of string': { type: 'array', items: { type: 'string' } },
}

/** The schema of a member on the legacy side. A type that the contract does not show constrains nothing. */
export function schemaOfType(type: Type | undefined, nullable = false): Schema {
  if (type === undefined) return {}
  const schema = SCHEMAS[type]
  return nullable ? { ...schema, type: [schema.type, 'null'] } : schema
}

/** What a parameter takes in the query of a legacy call, where every value is text. */
export function schemaInQuery({ type, low, high, values }: Accepted): Schema {
  if (values !== undefined) return { type: 'string', enum: values }
  return { ...(type === 'int' || type === 'bool' ? schemaOfType(type) : { type: 'string' }), ...range(low, high) }
}

/** What a parameter takes in the body of a legacy call: a number or a boolean as its text too, and null, which is not sent. */
export function schemaInBody({ type, low, high, values }: Accepted): Schema {
  if (values !== undefined) return { enum: [...values, null] }
  if (type === undefined) return { type: ['string', 'number', 'boolean', 'null'] }
  if (type === 'int') return { type: ['integer', 'string', 'null'], ...range(low, high) }
  if (type === 'bool') return { type: ['boolean', 'integer', 'string', 'null'] }
  return { type: ['string', 'null'] }
}

const range = (low: number | undefined, high: number | undefined): Schema => ({
  ...(low === undefined ? {} : { minimum: low }),
  ...(high === undefined ? {} : { maximum: high }),
})
