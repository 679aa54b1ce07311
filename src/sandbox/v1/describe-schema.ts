import { z } from 'zod'

/** Returns the JSON Schema of a request's or an answer's schema. */
export function describeSchema(schema: z.ZodObject): z.core.JSONSchema.BaseSchema {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema: { _zod }, jsonSchema }) {
      // Zod leaves out a default that has the type of the value (a number) rather than that of the input (text).
      if (_zod.def.type === 'default') jsonSchema.default = (_zod.def as z.core.$ZodDefaultDef).defaultValue
      // Zod also writes formats as patterns, and int as the range of safe integers, which readers do not need.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return described
}
