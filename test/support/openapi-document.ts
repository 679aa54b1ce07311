import { z } from 'zod'
import { resolve } from './json-schema.ts'

const content = z.object({ 'application/json': z.object({ schema: z.unknown(), example: z.unknown().optional() }) })

const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.object({ $ref: z.string() })).optional(),
  content: content.optional(),
})

const parameter = z.object({
  name: z.string(),
  in: z.enum(['query', 'header']),
  schema: z.unknown(),
  example: z.unknown().optional(),
})

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).min(1),
  summary: z.string(),
  deprecated: z.literal(true),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), parameter])),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^([1-5]\d\d|default)$/), z.union([z.object({ $ref: z.string() }), response])),
})

const document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(
    z.object({ url: z.string(), variables: z.record(z.string(), z.object({ default: z.string() })).optional() }),
  ),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post']), operation)),
  components: z.object({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), z.unknown()),
    responses: z.record(z.string(), response),
    headers: z.record(z.string(), z.object({ required: z.boolean(), description: z.string() })),
    parameters: z.record(z.string(), parameter),
    securitySchemes: z.record(z.string(), z.object({ type: z.literal('http'), scheme: z.literal('bearer') })),
  }),
})

export type OpenapiDocument = z.output<typeof document>
type DescribedOperation = z.output<typeof operation>

/** Reads a description, which must be valid OpenAPI 3.1. */
export const openapiDocument = (value: unknown): OpenapiDocument => document.parse(value)

/** The operation of a method and a path without its query, if there is one. */
export function operationAt({ paths }: OpenapiDocument, method: string, path: string): DescribedOperation | undefined {
  return new Map<string, DescribedOperation>(Object.entries(paths[path] ?? {})).get(method.toLowerCase())
}

/** The described answer of an operation with a status. */
export function responseOf(described: DescribedOperation, status: number, at: OpenapiDocument) {
  const found = described.responses[status] ?? described.responses.default
  return found !== undefined && '$ref' in found ? response.parse(resolve(found.$ref, at)) : found
}

/** Every reference in a description. */
export function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  )
}

/** Every schema in a description, with those nested in it. */
export function schemasIn({ paths, components }: OpenapiDocument): readonly unknown[] {
  const outer = (value: unknown): readonly unknown[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([name, member]) => (name === 'schema' ? [member] : outer(member)))
  return [...outer(paths), ...outer(components), ...Object.values(components.schemas)].flatMap(withInner)
}

const inner = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
  not: z.unknown().optional(),
})

function withInner(schema: unknown): readonly unknown[] {
  const { properties, items, anyOf, not } = inner.parse(schema)
  const within = [...Object.values(properties), items, ...anyOf, not].filter((one) => one !== undefined)
  return [schema, ...within.flatMap(withInner)]
}
