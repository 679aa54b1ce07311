import { describe, expect, it } from 'vitest'
import { mappingHash } from '../../src/control-plane/evidence/lineage.ts'
import { errorPathTranslator, sentValueOf } from '../../src/engine/error-path.ts'
import { requestTranslator } from '../../src/engine/translate-request.ts'
import { sampleOf } from '../../src/guide/examples/samples.ts'
import { explain } from '../../src/guide/lines/explain.ts'
import { basisInWords } from '../../src/guide/lines/explained-line.ts'
import { legacyBook } from '../../src/guide/openapi/legacy-schemas.ts'
import { NO_MEMBERS, v1Book } from '../../src/guide/openapi/v1-schemas.ts'
import { uncertainLines } from '../../src/guide/reference/describe-operation.ts'
import { asString } from '../../src/mapping/conversions.ts'
import { constant, joined } from '../../src/mapping/filled-lines.ts'
import { bareList, type Operation, operation, post } from '../../src/mapping/operation.ts'
import { body } from '../../src/mapping/request.ts'
import {
  type CorrectedBasis,
  converted,
  from,
  ifAbsent,
  inRow,
  list,
  lost,
  object,
  type Rule,
  type Shape,
  same,
  shape,
} from '../../src/mapping/shape.ts'

const corrected = (rule: Rule, basis: Partial<CorrectedBasis> = {}): Rule => ({
  ...rule,
  basis: { kind: 'corrected', why: 'the first week', by: 'platform', replaces: 'same()', ...basis },
})

const region = shape('Region', { id: same('int'), name: inRow(from('regionName', 'string')) })
const fee = shape('Fee', { currency: inRow(same('string'), 1), area: inRow(converted(asString, 'size.area')) })
const city = shape('City', {
  region: object(region),
  fees: list(fee, 'costs'),
  label: joined([{ path: 'code' }, { text: ' ' }, { path: 'place.zip' }]),
  type: constant('city'),
  note: ifAbsent('null', same('string')),
  plate: corrected(from('plateCode', 'string')),
  gone: corrected(lost('v1 does not know it')),
})

const using = (request: Shape, response: Shape): Operation =>
  operation('made-up', {
    says: 'Made up.',
    legacy: post('/made/up'),
    v1: post('/api/v1/made-up'),
    request: body(request),
    response: bareList(response),
    effect: 'read',
    authorization: 'none',
  })

const nothing = shape('Nothing', {})

describe('the explanation of lines that reach beyond their object', () => {
  const lines = explain(using(nothing, city)).filter(({ part }) => part === 'answer')
  const line = (legacy: string) => lines.find((one) => one.legacy === legacy && one.change !== 'passed on')

  it('names the v1 path from the root of the answer', () => {
    expect(line('[].region.name')).toMatchObject({ v1: 'items[].regionName', change: 'renamed' })
    expect(line('[].fees[].currency')).toMatchObject({ v1: 'items[].currency', change: 'renamed' })
    expect(line('[].fees[].area')).toMatchObject({ v1: 'items[].costs[].size.area', change: 'converted' })
    expect(line('[].label')?.says).toBe(
      'put together from items[].code and " " and items[].place.zip; null if a value is missing',
    )
    expect(line('[].type')).toMatchObject({ v1: null, change: 'filled in', says: 'always "city"' })
    expect(line('[].note')).toMatchObject({ v1: 'items[].note', says: 'null where v1 has no such member' })
  })

  it('counts a corrected line as lost where it says that v1 has nothing', () => {
    expect(uncertainLines(using(nothing, city)).lost).toBe(1)
  })

  it('says why a line is corrected, by whom, and in place of what', () => {
    expect(line('[].plate')).toMatchObject({
      basis: 'corrected',
      reason: 'the first week',
      by: 'platform',
      replaces: 'same()',
    })
    expect(line('[].gone')).toMatchObject({
      basis: 'corrected',
      change: 'lost',
      reason: 'v1 does not know it',
      by: 'platform',
    })
    const plate = line('[].plate')
    expect(plate && basisInWords(plate)).toBe('corrected: the first week; by platform; in place of: same()')
  })
})

it('OpenAPI describes such members where each side has them', () => {
  const [legacy, v1] = [legacyBook(), v1Book()]
  legacy.refer(city, 'answer')
  v1.refer(city, NO_MEMBERS)
  expect(legacy.schemas()).toMatchObject({
    City: {
      properties: { type: { const: 'city' }, label: { type: ['string', 'null'] }, plate: { 'x-basis': 'corrected' } },
      propertyNames: { not: { enum: expect.arrayContaining(['regionName', 'costs', 'plateCode']) } },
    },
    Region: { properties: { name: { type: 'string' } } },
  })
  const { City, Region, Fee } = v1.schemas() as Record<string, { readonly properties: object }>
  expect(Object.keys(City?.properties ?? {}).sort()).toEqual(['costs', 'note', 'plateCode', 'region', 'regionName'])
  expect([Region, Fee].map((schema) => Object.keys(schema?.properties ?? {}))).toEqual([['id'], []])
})

it('a sample of v1 has every member that a line reads', () => {
  expect(sampleOf(city, 'v1')).toEqual({
    region: { id: 1 },
    regionName: 'region name',
    costs: [{ size: { area: 12.5 } }],
    currency: 'currency',
    code: 'code',
    place: { zip: 'zip' },
    note: 'note',
    plateCode: 'plate code',
  })
})

describe('a request with such lines', () => {
  const request = shape('Request', { region: object(region), fees: list(fee, 'costs'), size: converted(asString) })
  const made = using(request, nothing)

  it('has its errors at the legacy members', () => {
    const legacyPath = errorPathTranslator(made)
    expect(legacyPath('regionName')).toBe('region.name')
    expect(legacyPath('region.id')).toBe('region.id')
    expect(legacyPath('region.other')).toBe('region.other')
    expect(legacyPath('currency')).toBe('fees[0].currency')
    expect(legacyPath('costs[2].size.area')).toBe('fees[2].area')
    expect(legacyPath('costs.1')).toBe('fees[1]')
  })

  it('is sent, and the values in its errors are legacy’s', () => {
    const sent = Buffer.from('{"region":{"name":"A"},"fees":[{"currency":"TRY","area":"1.50"}],"size":"2"}')
    const { call } = requestTranslator(made)({ query: '', body: sent })
    expect(call && JSON.parse(Buffer.from(call.body ?? []).toString())).toEqual({
      regionName: 'A',
      currency: 'TRY',
      costs: [{ size: { area: 1.5 } }],
      size: 2,
    })
    expect(call && sentValueOf(made)?.('costs[0].size.area', call)).toBe('"1.50"')
  })
})

it('the hash of a mapping changes with a correction, not with what is said about it', () => {
  const hashOf = (rule: Rule): string => mappingHash(using(nothing, shape('Row', { plate: rule })))
  const plate = hashOf(corrected(from('plateCode')))
  expect(hashOf(corrected(from('plateCode'), { why: 'x', by: undefined, replaces: 'lost' }))).toBe(plate)
  const others = [
    from('plateCode'),
    corrected(from('code')),
    corrected(inRow(from('plateCode'))),
    corrected(constant(1)),
    corrected(constant(2)),
  ]
  const absent = (['null', 'missing'] as const).map((shows) => ifAbsent(shows, from('plateCode')))
  const converters = [converted(asString, 'plateCode')]
  const hashes = [plate, ...[...others, ...absent, ...converters].map(hashOf)]
  expect(new Set(hashes).size).toBe(hashes.length)
})
