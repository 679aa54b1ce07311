import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operationsOf } from '../../src/sandbox/faces/build-face.ts'
import { describeV1Face } from '../../src/sandbox/faces/describe-v1-face.ts'
import { done, operation as operationOfTable } from '../../src/sandbox/faces/service-operation.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { bodyOf, pathOf, queryOf } from '../../src/sandbox/validation/validate-request.ts'
import { ask, demo, type ErrorBody, logIn, startInMemory } from './sandbox-client.ts'

const schema = z.record(z.string(), z.unknown())
const content = z.strictObject({ 'application/json': z.strictObject({ schema }) })
const reference = z.strictObject({ $ref: z.string() })
const parameter = z.strictObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  schema,
})
const response = z.strictObject({ description: z.string().min(1), content })
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z]+(-[a-z]+)+$/),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.union([reference, parameter])),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^([1-5]\d\d|2XX)$/), z.union([reference, response])),
})

/** The parts of OpenAPI 3.1 that the description uses, and no others: a misspelled member fails. */
const openApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), summary: z.string() }),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })),
  security: z.tuple([z.strictObject({ token: z.tuple([]) })]),
  paths: z.record(z.string().startsWith('/api/v1/'), z.partialRecord(z.enum(['get', 'post']), operation)),
  components: z.strictObject({
    securitySchemes: z.strictObject({
      token: z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer'), description: z.string() }),
    }),
    parameters: z.record(z.string(), parameter),
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), response),
  }),
})

let sandbox: Sandbox
let text: string
let description: z.infer<typeof openApi>
beforeAll(async () => {
  sandbox = await startInMemory()
  const reply = await ask<unknown>(sandbox, '/openapi.json')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('Content-Type')).toBe('application/json')
  text = reply.text
  description = openApi.parse(reply.body)
})
afterAll(() => sandbox.close())

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ name: `${method.toUpperCase()} ${path}`, ...found })),
  )

function operationOf(name: string) {
  const found = operations().find((each) => each.name === name)
  if (found === undefined) throw new Error(`${name} is not described`)
  return found
}

function parametersOf(name: string) {
  const { parameters } = operationOf(name)
  return new Map(parameters.flatMap((each) => ('name' in each ? [[each.name, each] as const] : [])))
}

describe('the description', () => {
  test('has no dangling references', () => {
    const references = Array.from(text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g))
    expect(references).toHaveLength(text.split('"$ref"').length - 1)
    const { components } = description
    for (const [, kind = '', name = ''] of references) {
      expect(Object.keys(components[kind as keyof typeof components])).toContain(name)
    }
  })

  test('has an operation id for each operation', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('can be read by anybody, and not written', async () => {
    const reply = await ask<ErrorBody>(sandbox, '/openapi.json', { method: 'POST' })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('Allow')).toBe('GET')
    expect(reply.body.code).toBe('METHOD_NOT_ALLOWED')
  })
})

test('exactly the endpoints are described', () => {
  expect(
    operations()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(
    operationsOf('v1')
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  )
})

const endpoints = operationsOf('v1').map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }))

/** The members that an endpoint takes at this place. */
const shapeAt = (place: string, { takes }: (typeof endpoints)[number]['endpoint']) =>
  takes.place === place ? takes.schema.shape : {}

describe('every endpoint', () => {
  test('has every parameter that is validated, at its place, and Accept-Language', () => {
    for (const { name, endpoint } of endpoints) {
      const described = Array.from(parametersOf(name).values(), (each) => `${each.in} ${each.name}`)
      const validated = [
        ...Object.keys(shapeAt('path', endpoint)).map((each) => `path ${each}`),
        ...Object.keys(shapeAt('query', endpoint)).map((each) => `query ${each}`),
      ]
      expect(described, name).toEqual(validated)
      expect(operationOf(name).parameters).toContainEqual({ $ref: '#/components/parameters/AcceptLanguage' })
      const inPath = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, each]) => `path ${each}`)
      expect(described.filter((each) => each.startsWith('path '))).toEqual(inPath)
    }
  })

  test('has the body that is validated', () => {
    for (const { name, endpoint } of endpoints) {
      const { requestBody } = operationOf(name)
      expect(requestBody === undefined, name).toBe(endpoint.takes.place !== 'body')
      const members = requestBody?.content['application/json'].schema.properties ?? {}
      expect(Object.keys(members)).toEqual(Object.keys(shapeAt('body', endpoint)))
    }
  })

  test('says whether a token is needed, and answers in the success envelope or with the errors of the contract', () => {
    for (const { name, endpoint } of endpoints) {
      const { security, responses } = operationOf(name)
      expect(security, name).toEqual(endpoint.needsToken ? undefined : [])
      if (endpoint.needsToken) expect(responses).toHaveProperty('401')
      const success = Object.entries(responses).flatMap(([status, answer]) =>
        status.startsWith('2') && 'content' in answer ? [answer.content['application/json'].schema] : [],
      )
      expect(success).toHaveLength(1)
      expect(success[0]).toMatchObject({ properties: { success: { const: true }, message: { type: 'string' } } })
      expect(responses).toMatchObject({
        422: { $ref: '#/components/responses/ValidationFailed' },
        503: { $ref: '#/components/responses/Unavailable' },
      })
    }
  })
})

test('the parameters of a list state everything that the contract states', () => {
  const parameters = parametersOf('GET /api/v1/shared/currencies')
  const schemas = Object.fromEntries(Array.from(parameters, ([name, { schema }]) => [name, schema]))
  expect(schemas).toEqual({
    page: { type: 'integer', minimum: 1, default: 1 },
    perPage: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    sortBy: {
      type: 'string',
      enum: ['orderNumber', 'name', 'code', 'id', 'updatedAt', 'sellingTry', 'buyingTry'],
      default: 'orderNumber',
    },
    sortOrder: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
    codes: { type: 'string', minLength: 1, description: 'Codes of at most 3 characters each, separated by commas' },
    isDefined: { type: 'string', enum: ['true', 'false'] },
  })
  expect(Array.from(parameters.values(), ({ required }) => required)).toEqual(Array(6).fill(false))
  expect(parametersOf('GET /api/v1/finance/invoices').get('perPage')?.schema).toMatchObject({ default: 25 })
})

test('the credentials are required', () => {
  const { requestBody, responses } = operationOf('POST /api/v1/auth/application')
  expect(requestBody?.content['application/json'].schema).toMatchObject({ required: ['clientId', 'secretKey'] })
  expect(responses).toMatchObject({ 401: { $ref: '#/components/responses/Unauthorized' } })
})

test('the items of every list match their description', async () => {
  const token = await logIn(sandbox, demo)
  for (const endpoint of operationsOf('v1').filter(({ item }) => item !== undefined)) {
    const { body } = await ask<{ items: object[] }>(sandbox, `${endpoint.path}?perPage=200`, { token })
    const strict = z.array(endpoint.item?.strict() ?? z.never()).min(10)
    expect(() => strict.parse(body.items)).not.toThrow()
    const success = operationOf(`GET ${endpoint.path}`).responses['200']
    expect(success).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              items: { items: { type: 'object', required: Object.keys(body.items[0] ?? {}) } },
              meta: { $ref: '#/components/schemas/Meta' },
            },
          },
        },
      },
    })
  }
})

test('an operation that is added is described with its path, its query or its body', () => {
  const thing = z.object({ id: z.string().meta({ type: 'integer' }) })
  const isDry = z.object({ dry: z.string().transform(Boolean).default(false) })
  const name = z.object({ name: z.string().max(5), piece: z.int().optional() })
  const added = [
    { method: 'POST', path: '/api/v1/things/{id}/use', takes: pathOf(thing) },
    { method: 'GET', path: '/api/v1/things', takes: queryOf(isDry) },
    { method: 'POST', path: '/api/v1/things', takes: bodyOf(name) },
  ] as const
  const acceptLanguage = { $ref: '#/components/parameters/AcceptLanguage' }
  const described = describeV1Face(
    added.map((v1) => {
      const { legacy, ...rest } = operationOfTable({
        id: 'thing',
        says: 'Uses a thing.',
        message: '',
        legacy: v1,
        answer: () => done,
      })
      return { ...rest, ...legacy, legacy }
    }),
  )
  expect(openApi.parse(described).paths).toMatchObject({
    '/api/v1/things/{id}/use': {
      post: {
        operationId: 'post-things-id-use',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }, acceptLanguage],
        responses: { 400: {}, 401: {}, 422: {}, 503: {} },
      },
    },
    '/api/v1/things': {
      get: {
        parameters: [
          { name: 'dry', in: 'query', required: false, schema: { type: 'string', default: false } },
          acceptLanguage,
        ],
        responses: { 401: {}, 422: {}, 503: {} },
      },
      post: {
        parameters: [acceptLanguage],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { name: { type: 'string', maxLength: 5 }, piece: { type: 'integer' } },
                required: ['name'],
              },
            },
          },
        },
        responses: { 400: {}, 401: {}, 413: {}, 422: {}, 503: {} },
      },
    },
  })
})
