import { z } from 'zod'

/** The JSON Schema of what is sent, or of what is answered. */
export function describeSchema(schema: z.ZodObject): z.core.JSONSchema.BaseSchema {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema: { _zod }, jsonSchema }) {
      // Zod leaves a default out where it is of the value's type, a number, and what is sent is text.
      if (_zod.def.type === 'default') jsonSchema.default = (_zod.def as z.core.$ZodDefaultDef).defaultValue
      // Zod writes formats out as patterns, and int as what a double can hold: nothing that a reader needs.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return described
}
