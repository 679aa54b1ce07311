import { Ajv2020 } from 'ajv/dist/2020.js'

/** A value in a description, and the schema that it must match. Places are JSON pointers (RFC 6901). */
export interface ExampleAt {
  readonly place: string
  readonly schema: string
  readonly value: unknown
}

/** Every example of a body, of a parameter and of a schema. */
export function examplesIn(value: unknown, place = ''): readonly ExampleAt[] {
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value)
  const here = new Map<string, unknown>(members)
  const own =
    here.has('schema') && here.has('example')
      ? [{ place, schema: `${place}/schema`, value: here.get('example') }]
      : Array.isArray(here.get('examples'))
        ? (here.get('examples') as readonly unknown[]).map((one) => ({ place, schema: place, value: one }))
        : []
  const within = members.filter(([name]) => name !== 'example' && name !== 'examples')
  return [...own, ...within.flatMap(([name, member]) => examplesIn(member, `${place}/${escaped(name)}`))]
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The schema of the body of an operation's request. */
export const bodySchemaAt = (path: string): string =>
  `/paths/${escaped(path)}/post/requestBody/content/application~1json/schema`

/** Checks values by the schemas of a description, which are JSON Schema 2020-12. Returns the problems; null: none. */
export function exampleChecker(document: object): (schema: string, value: unknown) => string | null {
  // Formats are annotations in that draft; the patterns constrain values.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'openapi.json')
  return (schema, value) => {
    const validate = ajv.compile({ $ref: `openapi.json#${encodeURI(schema)}` })
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
}
