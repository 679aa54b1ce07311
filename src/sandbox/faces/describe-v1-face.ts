import { z } from 'zod'
import type { Endpoint, Operation } from './service-operation.ts'

type V1Operation = Operation & Endpoint

/**
 * Returns the OpenAPI 3.1 description of these operations. It is generated from the schemas that they validate with, so it
 * has every parameter that they read, and states exactly what they check.
 */
export function describeV1Face(operations: readonly V1Operation[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Shipping and invoicing service', version: '1', summary: 'The v1 interface.' },
    servers: [{ url: '/', description: 'Where this description is served' }],
    security: [{ token: [] }],
    paths,
    components,
  }
}

function describeOperation(operation: V1Operation): object {
  const { path, method, says, needsToken, takes } = operation
  const name = path.replace('/api/v1/', '')
  return {
    operationId: `${method.toLowerCase()}-${name.replaceAll(/\W+/g, '-').replace(/-$/, '')}`,
    tags: [name.split('/')[0]],
    summary: says,
    ...(!needsToken && { security: [] }),
    parameters: [...parametersOf(takes), { $ref: '#/components/parameters/AcceptLanguage' }],
    ...(takes.place === 'body' && {
      requestBody: { required: true, content: { 'application/json': { schema: describeSchema(takes.schema) } } },
    }),
    responses: { ...successOf(operation), ...errorsOf(operation) },
  }
}

function parametersOf({ place, schema }: Endpoint['takes']): object[] {
  if (place === 'body') return []
  const { properties = {}, required = [] } = describeSchema(schema)
  return Object.entries(properties).map(([name, parameter]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: parameter,
  }))
}

/** The components that operations of the description refer to (docs/contract.md 2.4, 3 and 9). */
const components = {
  securitySchemes: {
    token: { type: 'http', scheme: 'bearer', description: 'The data.token of POST /api/v1/auth/application.' },
  },
  parameters: {
    AcceptLanguage: {
      name: 'Accept-Language',
      in: 'header',
      required: false,
      description:
        'A value that starts with en selects English, anything else Turkish, for names and validation messages. All other messages are Turkish.',
      schema: { type: 'string', default: 'tr' },
    },
  },
  schemas: {
    Meta: closedObject({
      page: { type: 'integer' },
      perPage: { type: 'integer' },
      total: { type: 'integer' },
      pageCount: { type: 'integer' },
    }),
    Error: {
      type: 'object',
      properties: {
        success: { const: false },
        code: { type: 'string', description: 'The code by which programs tell errors apart.' },
        message: { type: 'string' },
        params: { type: 'object', description: 'The values to choose from instead.' },
        errors: {
          type: 'array',
          description: 'The first violation of every field.',
          items: closedObject({ path: { type: 'string' }, message: { type: 'string' } }),
        },
      },
      required: ['success', 'code', 'message'],
    },
  },
  responses: {
    BusinessRuleBroken: error('A business rule is broken; the code says which.'),
    Unauthorized: error('The client credentials or the token are not valid.'),
    PayloadTooLarge: error('The body is too large.'),
    ValidationFailed: error('VALIDATION_FAILED: the request is not valid; errors names every field.'),
    Unavailable: error('DEPENDENCY_UNAVAILABLE: the service is temporarily unavailable.'),
  },
}

/**
 * Describes the answer for success. For a write, the description leaves open whether it is a 200 or a 201, and whether
 * it has a record, a list or only a message.
 */
function successOf({ method, item }: V1Operation): object {
  if (item === undefined) {
    const data = { type: 'object', description: 'The record, where there is one.' }
    const items = { type: 'array', items: { type: 'object' }, description: 'The list, where there is one.' }
    return { [method === 'GET' ? '200' : '2XX']: answer('Success.', envelope({ data, items }, [])) }
  }
  const items = { type: 'array', items: describeSchema(item) }
  const meta = { $ref: '#/components/schemas/Meta' }
  return { '200': answer('A page of the list.', envelope({ items, meta }, ['items', 'meta'])) }
}

/** Describes the errors of an operation. */
function errorsOf({ path, needsToken, takes, method }: V1Operation): object {
  const givesToken = path.startsWith('/api/v1/auth/')
  return {
    ...(method === 'POST' && !givesToken && { '400': reference('BusinessRuleBroken') }),
    ...((needsToken || givesToken) && { '401': reference('Unauthorized') }),
    ...(takes.place === 'body' && { '413': reference('PayloadTooLarge') }),
    '422': reference('ValidationFailed'),
    '503': reference('Unavailable'),
  }
}

function reference(response: keyof typeof components.responses) {
  return { $ref: `#/components/responses/${response}` }
}

function error(description: string) {
  return answer(description, { $ref: '#/components/schemas/Error' })
}

function answer(description: string, schema: object) {
  return { description, content: { 'application/json': { schema } } }
}

function envelope(members: Record<string, object>, required: readonly string[]) {
  const message = { type: 'string', description: 'Turkish in every language.' }
  return {
    type: 'object',
    properties: { success: { const: true }, message, ...members },
    required: ['success', 'message', ...required],
  }
}

function closedObject(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Returns the JSON Schema of a request's or an answer's schema. */
function describeSchema(schema: z.ZodObject): z.core.JSONSchema.BaseSchema {
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
