import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { v1Facts } from '../../../mappings/v1/facts.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { callOf, calls, described, parameterOf, problemsOf, v1 } from './described.ts'

const SHIPMENT = '#/components/schemas/PackageShipment'

describe('the OpenAPI description of v1', () => {
  it('has every v1 call that replaces a legacy one, under the same id', () => {
    expect(calls.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`)).toEqual(
      operations.flatMap(({ id, v1: route }) => (route === undefined ? [] : [`${id} ${route.method} ${route.path}`])),
    )
  })

  it('has facts of operations only that are there', () => {
    expect(Object.keys(v1Facts).toSorted()).toEqual(calls.map(({ operationId }) => operationId).toSorted())
  })

  it.each([
    ['invoice-list', 'page', { type: 'integer', minimum: 1, default: 1 }],
    ['invoice-list', 'perPage', { type: 'integer', minimum: 1, maximum: 200, default: 25 }],
    ['unit-list', 'perPage', { type: 'integer', minimum: 1, maximum: 200, default: 50 }],
    ['invoice-list', 'search', { type: 'string', minLength: 1, maxLength: 255 }],
    ['invoice-list', 'number', { type: 'string', minLength: 1, maxLength: 16 }],
    ['invoice-list', 'statusId', { type: 'integer', enum: [1, 2, 3] }],
    ['invoice-list', 'isPaid', { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }] }],
    ['invoice-list', 'dateFrom', { type: 'string', format: 'date' }],
    ['country-list', 'code', { type: 'string', minLength: 1, maxLength: 8 }],
    ['country-list', 'isGuarantee', { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }] }],
    ['currency-list', 'isDefined', { type: 'boolean' }],
    ['city-list', 'ids', {}],
    ['city-list', 'nameExact', {}],
    ['county-list', 'namePrefix', {}],
    ['currency-list', 'codes', { type: 'string', minLength: 1, pattern: '^[^,]{1,3}(?:,[^,]{1,3})*$' }],
  ])('%s: %s is as the contract has it', (id, name, schema) => {
    expect(parameterOf(id, name).schema).toEqual(schema)
  })

  it('lists the values of sortBy where the contract does, and says where it does not', () => {
    expect(parameterOf('currency-list', 'sortBy').schema).toMatchObject({
      enum: ['orderNumber', 'name', 'code', 'id', 'updatedAt', 'sellingTry', 'buyingTry'],
      default: 'orderNumber',
    })
    expect(parameterOf('city-list', 'sortBy')).toMatchObject({
      schema: { type: 'string', minLength: 1 },
      'x-basis': 'assumed',
      description: expect.stringContaining('The contract shows orderNumber only.'),
    })
  })

  it.each([
    ['country-list', 'search', 'In v1, it matches Turkish names too.'],
    ['invoice-list', 'statusId', 'Legacy also accepted 4.'],
    ['invoice-list', 'perPage', 'The contract does not show legacy’s limit.'],
    ['currency-list', 'sortBy', 'In legacy, sellingTry is `sellingRateTry`, and buyingTry is `buyingRateTry`.'],
    ['invoice-list', 'number', ''],
  ])('%s: %s has the same name in legacy, and its description says how the values differ', (id, name, differs) => {
    const { description = '' } = parameterOf(id, name)
    expect(description).toContain(`Legacy has the same name for it.${differs === '' ? '' : ` ${differs}`}`)
    expect(description).not.toContain('The same in legacy')
  })

  it('takes asc and desc in any case', () => {
    const { schema } = parameterOf('invoice-list', 'sortOrder')
    expect(['asc', 'DESC', 'Asc', 'up', 'ascdesc'].map((order) => problemsOf(schema, order) === null)).toEqual([
      ...[true, true, true, false, false],
    ])
  })

  it('answers a creation with 201, and any success where the contract shows no status', () => {
    const success = calls.map(({ operationId, responses }) => [
      operationId,
      Object.keys(responses).find((one) => one.startsWith('2')),
    ])
    expect(success.filter(([, status]) => status === '201').map(([id]) => id)).toEqual([
      'document',
      'package',
      'import-create',
    ])
    expect(success.filter(([, status]) => status === '200').map(([id]) => id)).toEqual([
      'validate-destination',
      'import-complete',
    ])
    expect(success.filter(([, status]) => status === '2XX')).toHaveLength(9)
  })

  it('needs no token for the login and the countries', () => {
    const without = calls.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId)
    expect(without).toEqual(['auth', 'country-list'])
    expect(callOf('country-list').responses).not.toHaveProperty('401')
  })

  it('has the whole Shipment for both kinds, not only what legacy has of it', () => {
    for (const id of ['document', 'package']) {
      expect(JSON.stringify(callOf(id).responses['201'])).toContain(`"data":{"$ref":"${SHIPMENT}"}`)
    }
    expect(v1.components.schemas.PackageShipment).toMatchObject({
      properties: { customsAccountZipCode: {}, exportCode: {} },
    })
    expect(v1.components.schemas.PackageShipment).not.toHaveProperty('properties.orderData')
  })

  it('has members under their v1 names, with those that only v1 has', () => {
    expect(v1.components.schemas.InvoiceListItem).toMatchObject({
      properties: { organizationId: { type: 'integer' }, currencyCode: { type: 'string' }, number: { maxLength: 16 } },
    })
    expect(v1.components.schemas.Country).toMatchObject({
      properties: { tax: { properties: { maxValidPrice: { type: 'number' } } }, flags: { properties: { w20: {} } } },
    })
    expect(v1.components.schemas.ProductOfARequest).not.toHaveProperty('properties.unitOfMeasure')
  })

  it('requires nothing of requests and records, since the contract does not say so', () => {
    const { Meta: _, Error: __, ...records } = v1.components.schemas
    for (const record of Object.values(records)) expect(record).not.toHaveProperty('required')
  })

  it('refuses no packages and no products, and null where v1 does', () => {
    const packages = callOf('package').requestBody?.content['application/json'].schema
    expect(problemsOf(packages, { packages: [], products: [{}] })).toContain(
      'packages must NOT have fewer than 1 items',
    )
    const price = callOf('price').requestBody?.content['application/json'].schema
    expect(problemsOf(price, { city: null, zipCode: null, date: null })).toBeNull()
    expect(problemsOf(price, { carrierId: null })).toContain('carrierId')
  })

  it('names the codes of errors', () => {
    const { responses } = callOf('package')
    expect(responses['400']).toMatchObject({ description: expect.stringContaining('CARRIER_IS_NOT_FOUND; ') })
    expect(callOf('auth').responses['401']).toMatchObject({
      description: expect.stringMatching(/^CLIENT_ID_OR_SECRET_INVALID/),
    })
    for (const call of calls) expect(Object.keys(call.responses)).toEqual(expect.arrayContaining(['422', '503']))
  })

  it('has valid examples, and no credentials', () => {
    for (const { own, requestBody, responses } of calls) {
      for (const { schema, example } of own) if (example !== undefined) expect(problemsOf(schema, example)).toBeNull()
      const bodies = [requestBody, ...Object.values(responses)].flatMap((one) =>
        one !== undefined && 'content' in one ? [one.content['application/json']] : [],
      )
      for (const { schema, example } of bodies)
        if (example !== undefined) expect(problemsOf(schema, example)).toBeNull()
    }
    expect(JSON.stringify(described())).not.toMatch(/demo-(client|secret)/)
  })

  it('is on the admin port, at the public address of v1', async () => {
    const settings = { v1PublicUrl: new URL('https://api.example.com/') }
    const admin = await (await startGateway('http://127.0.0.1:9', { settings })).openAdmin()
    const served = await (await fetch(`${admin}/openapi-v1.json`)).json()
    expect(served).toEqual(described('https://api.example.com'))
    expect(served).toMatchObject({ servers: [{ url: 'https://api.example.com' }] })
  })
})

/** Facts that no gateway knows: who owns v1, and under what terms it may be used. */
const UNKNOWN = ['info-contact', 'info-license']
const source = JSON.stringify(described('http://127.0.0.1:8082'))

it('Spectral finds nothing wrong with it (spectral:oas)', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, 'recommended']] }))
  const found = await linter.run(JSON.parse(source) as Record<string, unknown>)
  expect(found.map(({ code }) => code)).toContain('info-contact')
  const problems = found.map(({ code, message, path }) => ({ rule: String(code), message, path }))
  expect(problems.filter(({ rule }) => !UNKNOWN.includes(rule))).toEqual([])
})

it('Redocly finds nothing wrong with it (recommended)', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: '/openapi-v1.json', config })
  expect(found.map(({ ruleId }) => ruleId)).toContain('info-license')
  const problems = found.map(({ ruleId, message, location: [at] }) => ({ rule: ruleId, message, at: at?.pointer }))
  expect(problems.filter(({ rule }) => !UNKNOWN.includes(rule))).toEqual([])
})
