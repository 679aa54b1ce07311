import type { z } from 'zod'
import { components, errorsOf, successOf } from './describe-answers.ts'
import { describeSchema } from './describe-schema.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * Returns the OpenAPI 3.1 description of these endpoints. It is generated from the schemas that they validate with, so it
 * has every parameter that they read, and states exactly what they check.
 */
export function describeV1(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: describeEndpoint(endpoint) }
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

function describeEndpoint(endpoint: Endpoint): object {
  const { path, method, says, needsToken, params, query, body } = endpoint
  const name = path.replace('/api/v1/', '')
  return {
    operationId: `${method.toLowerCase()}-${name.replaceAll(/\W+/g, '-').replace(/-$/, '')}`,
    tags: [name.split('/')[0]],
    summary: says,
    ...(!needsToken && { security: [] }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), acceptLanguage],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: describeSchema(body) } } },
    }),
    responses: { ...successOf(endpoint), ...errorsOf(endpoint) },
  }
}

const acceptLanguage = { $ref: '#/components/parameters/AcceptLanguage' }

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): object[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = describeSchema(schema)
  return Object.entries(properties).map(([name, parameter]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: parameter,
  }))
}
