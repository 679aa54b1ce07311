import { describeSchema } from './describe-schema.ts'
import type { Endpoint } from './endpoint.ts'

/** The components that operations of the description refer to (docs/contract.md 2.4, 3 and 9). */
export const components = {
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
export function successOf({ method, item }: Endpoint): object {
  if (item === undefined) {
    const data = { type: 'object', description: 'The record, where there is one.' }
    const items = { type: 'array', items: { type: 'object' }, description: 'The list, where there is one.' }
    return { [method === 'GET' ? '200' : '2XX']: answer('Success.', envelope({ data, items }, [])) }
  }
  const items = { type: 'array', items: describeSchema(item) }
  const meta = { $ref: '#/components/schemas/Meta' }
  return { '200': answer('A page of the list.', envelope({ items, meta }, ['items', 'meta'])) }
}

/** Describes the errors of an endpoint. */
export function errorsOf({ path, needsToken, body, method }: Endpoint): object {
  const givesToken = path.startsWith('/api/v1/auth/')
  return {
    ...(method === 'POST' && !givesToken && { '400': reference('BusinessRuleBroken') }),
    ...((needsToken || givesToken) && { '401': reference('Unauthorized') }),
    ...(body && { '413': reference('PayloadTooLarge') }),
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
