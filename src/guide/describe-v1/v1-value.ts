import type { Type } from '../../mapping/type.ts'
import type { V1Value } from '../../mapping/v1-facts.ts'
import type { Schema } from '../describe/describe-type.ts'

/** docs/contract.md 2.2: v1's timestamps are in UTC, with milliseconds. */
const V1_TIMESTAMP = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'

const SCHEMAS: Readonly<Record<Type | 'date', Schema & { readonly type: string }>> = {
  int: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  bool: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time', pattern: V1_TIMESTAMP },
  date: { type: 'string', format: 'date' },
  object: { type: 'object' },
  array: { type: 'array', items: {} },
  'array of string': { type: 'array', items: { type: 'string' } },
}

/** Returns the schema of a type in v1; any value where the contract does not show it. */
export function schemaOfV1Type(type: Type | 'date' | undefined, nullable = false): Schema {
  if (type === undefined) return {}
  const schema = SCHEMAS[type]
  return nullable ? { ...schema, type: [schema.type, 'null'] } : schema
}

/** Returns the schema of a parameter in a v1 query. An empty value is never valid (docs/contract.md 8.5). */
export function schemaInV1Query(value: V1Value): Schema {
  const { type, default: byDefault, oneAndZero } = value
  const withDefault = byDefault === undefined ? {} : { default: byDefault }
  if (oneAndZero === true) return { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }], ...withDefault }
  return { ...schemaOfV1Type(type), ...limitsOf(value), ...withDefault }
}

/** Returns the constraints on a value, besides its type. */
export function limitsOf({ low, high, shortest, longest, values, anyCase, isList, notEmpty }: V1Value): Schema {
  if (isList === true) return { minLength: shortest, pattern: listPattern(shortest ?? 1, longest) }
  return {
    ...(low === undefined ? {} : { minimum: low }),
    ...(high === undefined ? {} : { maximum: high }),
    ...(shortest === undefined ? {} : { minLength: shortest }),
    ...(longest === undefined ? {} : { maxLength: longest }),
    ...(notEmpty === true ? { minItems: 1 } : {}),
    ...(values === undefined ? {} : anyCase === true ? inAnyCase(values) : { enum: values }),
  }
}

const listPattern = (shortest: number, longest: number | undefined): string => {
  const one = `[^,]{${shortest},${longest ?? ''}}`
  return `^${one}(?:,${one})*$`
}

/** Lists the values, for generated clients, and allows every spelling of them. */
const inAnyCase = (values: readonly (string | number)[]): Schema => ({
  anyOf: [{ enum: values }, { pattern: `^(?:${values.map((value) => spellings(String(value))).join('|')})$` }],
})

const spellings = (value: string): string =>
  value.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
