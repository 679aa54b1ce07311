import { z } from 'zod'
import { rolloutFile } from '../control-plane/rollout/rollout.ts'
import { correctionsFile } from '../mapping/corrections/parse-corrections.ts'

/** Returns the JSON Schema (draft 2020-12) of ROLLOUT_FILE. What depends on more than one member, only the parser checks. */
export const rolloutSchema = (ids: readonly string[]): object =>
  describedAs(
    'The rollout file (ROLLOUT_FILE): who answers each operation, and what is compared',
    rolloutFile(ids, () => []),
  )

/** Returns the JSON Schema (draft 2020-12) of MAPPING_FILE. What depends on the mappings, only `correct` checks. */
export const mappingSchema = (ids: readonly string[]): object =>
  describedAs('Corrections of the mappings (MAPPING_FILE)', correctionsFile(z.enum(ids)))

function describedAs(title: string, schema: z.ZodType): object {
  const { $schema, ...members } = schemaOf(schema)
  return { $schema, title, ...members }
}

/** Describes what may be written, before any default is filled in. */
const schemaOf = (schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      // It is said of lists that the gateway does not change, which no one who writes the file can make use of.
      delete jsonSchema.readOnly
      // A check of names before a record (`withoutProto`) hides what the record may hold.
      if (def.type !== 'pipe' || def.in._zod.def.type !== 'unknown') return
      const { $schema: _, ...within } = schemaOf(def.out)
      Object.assign(jsonSchema, within)
    },
  })
