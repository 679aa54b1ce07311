import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { serveAdmin } from '../../src/control-plane/admin/serve-admin.ts'
import { meaningOf } from '../../src/data-plane/gateway/errors/v1-refusal.ts'
import { alone } from '../support/dashboard-sources.ts'
import { readCase, situationsOf } from '../support/golden-case.ts'
import { problemsOf, resolve } from '../support/json-schema.ts'
import {
  type OpenapiDocument,
  openapiDocument,
  operationAt,
  referencesIn,
  responseOf,
  schemasIn,
} from '../support/openapi-document.ts'
import { startConfigured } from '../support/start-configured.ts'
import { startGateway } from '../support/start-gateway.ts'

const NO_V1 = 'http://127.0.0.1:9'
const TOKEN = 'an-admin-token-that-is-long'
const cases = join(import.meta.dirname, '../cases')

/** Golden exchanges in which v1 breaks its contract: its answer is passed on, and differs from the description. */
const BROKEN_PROMISES = [
  'country-list/digits-and-escapes-stay-byte-for-byte',
  'country-list/null-objects-give-null-members',
  'country-list/rows-of-another-type-pass',
  'currency-list/rates-that-are-null',
  'document/digits-stay-byte-for-byte',
  'document/null-objects-stay-null',
  'invoice-list/members-of-another-type-pass',
  'invoice-list/null-members-stay-null',
  'package/nothing-in-place-of-objects',
]

const golden = operations
  .flatMap(({ id }) => situationsOf(join(cases, id)).map((situation) => ({ id, situation })))
  .map(({ id, situation }) => ({ name: `${id}/${situation}`, ...readCase(join(cases, id), situation) }))

let served: OpenapiDocument

beforeAll(async () => {
  const admin = await (await startGateway(NO_V1)).openAdmin()
  served = openapiDocument(await (await fetch(`${admin}/openapi.json`)).json())
})

type Exchange = (typeof golden)[number]

/** The description of a golden call; undefined when its method or path is unknown. */
const described = ({ legacy: { method, path } }: Exchange) => operationAt(served, method, path.split('?')[0] ?? '')

/** The description of its answer; undefined when it has none for that status. */
function describedAnswer(exchange: Exchange) {
  const operation = described(exchange)
  return operation === undefined ? undefined : responseOf(operation, exchange.answer.status, served)
}

/** The JSON of its answer; undefined when it has none, or the case states only some of its members. */
function bodyOf({ answer: { body, text } }: Exchange): unknown {
  if (text === undefined) return body
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

describe('/openapi.json on the admin port', () => {
  it('has every operation at its path, under its id', () => {
    const described = Object.entries(served.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(described).toEqual(operations.map(({ id, legacy }) => `${id} ${legacy.method} ${legacy.path}`))
  })

  it('has the version of the gateway', () => {
    expect(served.info.version).toBe(packageJson.version)
  })

  it('names the legacy address with its path prefix, and again with a variable for users behind a proxy', async () => {
    const gateway = await startGateway(NO_V1, { settings: { basePath: '/old/api' } })
    const prefixed = openapiDocument(await (await fetch(`${await gateway.openAdmin()}/openapi.json`)).json())
    expect(prefixed.servers).toMatchObject([
      { url: `${gateway.url}/old/api` },
      { url: '{origin}/old/api', variables: { origin: { default: gateway.url } } },
    ])
    expect(prefixed.paths).toEqual(served.paths)
    const [first] = prefixed.servers
    const answer = await fetch(`${first?.url}/auth/application`, { method: 'POST', body: '[]' })
    expect(answer.headers.has('deprecation')).toBe(true)
  })

  it('names the machine as the request does when the legacy interface listens on every address', async () => {
    const { legacyUrl, adminUrl } = await startConfigured({ HOST: '0.0.0.0', V1_BASE_URL: NO_V1 })
    const asked = await fetch(`${adminUrl.replace('127.0.0.1', 'localhost')}/openapi.json`)
    const { servers } = openapiDocument(await asked.json())
    expect(servers[0]?.url).toBe(`http://localhost:${new URL(legacyUrl).port}`)
  })

  it('is missing until the address of the legacy interface is known', async () => {
    const app = serveAdmin({
      ...{
        token: undefined,
        routes: [],
        experiments: async () => ({ operations: [] }),
        replicas: () => alone,
        openapi: () => undefined,
        documents: {},
      },
      state: async () => ({}) as never,
      metrics: async () => ({ contentType: 'text/plain', text: '' }),
      middleware: (_, next) => next(),
      flush: async () => undefined,
      decide: async () => undefined,
      onError: (error) => expect.unreachable(error.message),
    })
    const headers = { host: 'localhost' }
    expect((await app.request('http://localhost/openapi.json', { headers })).status).toBe(503)
  })

  it('needs the admin token if there is one', async () => {
    const admin = await (await startGateway(NO_V1, { settings: { adminToken: TOKEN } })).openAdmin()
    expect((await fetch(`${admin}/openapi.json`)).status).toBe(401)
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await fetch(`${admin}/openapi.json`, { headers })).status).toBe(200)
  })

  it('has no dangling references, and no unused components', () => {
    const references = new Set(referencesIn(served))
    expect(references.size).toBeGreaterThan(50)
    for (const reference of references) expect(resolve(reference, served), reference).toBeDefined()
    const { securitySchemes: _, ...collected } = served.components
    const names = Object.entries(collected).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    )
    expect(names.filter((name) => !references.has(name))).toEqual([])
  })

  it('uses only keywords that these tests can check', () => {
    const schemas = schemasIn(served)
    expect(schemas.length).toBeGreaterThan(200)
    for (const schema of schemas) for (const value of [null, {}, [], '', 0]) problemsOf(value, schema, served)
  })

  it('has every status of the table of errors, at every operation that v1 serves', () => {
    const statuses = Array.from({ length: 300 }, (_, index) => 300 + index)
    const legacy = new Set(
      statuses.flatMap((status) =>
        [true, false].map((hasCode) => {
          const meaning = meaningOf(status, hasCode)
          return String('status' in meaning ? meaning.status : 500)
        }),
      ),
    )
    for (const { legacy: route, v1 } of operations) {
      if (v1 === undefined) continue
      const responses = Object.keys(operationAt(served, route.method, route.path)?.responses ?? {})
      expect(responses, route.path).toEqual(expect.arrayContaining([...legacy]))
    }
  })

  it('says which operations need no token, and has a tag for each', () => {
    const all = Object.values(served.paths).flatMap((methods) => Object.values(methods))
    expect(all.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId)).toEqual([
      'auth',
      'country-list',
    ])
    const tags = served.tags.map(({ name }) => name)
    expect(all.flatMap(({ tags: own }) => own).filter((tag) => !tags.includes(tag))).toEqual([])
  })
})

describe('the schemas', () => {
  const objects = () =>
    schemasIn(served)
      .map((schema) => schema as Readonly<Record<string, unknown>>)
      .filter(({ type }) => type === 'object')

  it('say for every object whether it may have other members, and which are required', () => {
    expect(objects().length).toBeGreaterThan(50)
    for (const { additionalProperties, properties = {}, required = [] } of objects()) {
      expect(additionalProperties).toBeTypeOf('boolean')
      expect(Object.keys(properties as object)).toEqual(expect.arrayContaining(required as unknown[]))
    }
  })

  it('require every count of a page, and have nothing beside a reference', () => {
    expect(served.components.schemas.Pagination).toMatchObject({
      required: ['count', 'page', 'perPage', 'lastPage'],
      additionalProperties: false,
    })
    const beside = schemasIn(served).filter((schema) => Object.hasOwn(schema as object, '$ref'))
    const names = new Set(beside.flatMap((schema) => Object.keys(schema as object)))
    expect([...names].sort()).toEqual(['$ref', 'description', 'x-basis'])
  })

  it('have whole numbers for ids, in parameters too', () => {
    const parameters = Object.values(served.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) =>
        operation.parameters.flatMap((one) => ('name' in one ? [one] : [])),
      ),
    )
    const ids = parameters.filter(({ name }) => /^id$|Id$/.test(name))
    expect(ids.map(({ name }) => name)).toEqual(['id', 'countryId', 'cityId'])
    for (const { schema } of ids) expect(schema).toEqual({ type: 'integer' })
  })
})

describe('the golden exchanges', () => {
  const kept = golden.filter(({ name }) => !BROKEN_PROMISES.includes(name))

  it('are answered as described, status and body', () => {
    const answered = kept.filter((exchange) => described(exchange) !== undefined)
    expect(answered.length).toBeGreaterThan(300)
    for (const exchange of answered) {
      const response = describedAnswer(exchange)
      expect(response, `${exchange.name}: ${exchange.answer.status}`).toBeDefined()
      const schema = response?.content?.['application/json'].schema
      const body = bodyOf(exchange)
      if (body !== undefined) expect(problemsOf(body, schema, served), exchange.name).toEqual([])
    }
  })

  it('are answered with described headers', () => {
    for (const exchange of kept) {
      const headers = describedAnswer(exchange)?.headers ?? {}
      const names = [...Object.keys(headers).map((name) => name.toLowerCase()), 'content-type']
      const sent = Object.entries(exchange.answer.headers).flatMap(([name, value]) => (value === null ? [] : [name]))
      if (described(exchange) !== undefined) expect(names, exchange.name).toEqual(expect.arrayContaining(sent))
    }
  })

  it('have requests as described, if they are accepted', () => {
    const accepted = kept.filter(({ answer }) => answer.status < 400)
    for (const exchange of accepted) {
      const schema = described(exchange)?.requestBody?.content['application/json'].schema
      const { body } = exchange.legacy
      if (schema !== undefined && body !== undefined) {
        expect(problemsOf(body, schema, served), exchange.name).toEqual([])
      }
    }
  })

  it.each(BROKEN_PROMISES)('%s differs from the description, because v1 differs from its contract', (name) => {
    const exchange = golden.find((one) => one.name === name)
    if (exchange === undefined) throw new Error(`${name} is not there`)
    const schema = describedAnswer(exchange)?.content?.['application/json'].schema
    expect(problemsOf(bodyOf(exchange), schema, served)).not.toEqual([])
  })
})
