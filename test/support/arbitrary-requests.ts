import fc from 'fast-check'
import { headersWith, type Tokens } from './arbitrary-headers.ts'
import { changed, damaged, valuesOf } from './arbitrary-values.ts'
import { GOOD_BODIES } from './good-bodies.ts'
import type { OpenapiDocument } from './openapi-document.ts'

/** A request that matches a description, or nearly so. */
export interface NearRequest {
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Requests of every operation of a description, and some that nearly match one. */
export function nearRequests(document: OpenapiDocument, tokens: Tokens): fc.Arbitrary<NearRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  )
  const headers = headersWith(tokens)
  const each = operations.map(({ method, path, described }) => {
    const schema = described.requestBody?.content['application/json'].schema
    const body =
      schema === undefined ? fc.constant(undefined) : bodyOf(valuesOf(schema, document), GOOD_BODIES[path] ?? [])
    const query = schema === undefined ? queryOf(described.parameters) : fc.constantFrom('', '', '?a=1')
    return fc.record({ method: near(method), path: nearPath(path), query, headers, body })
  })
  return fc.oneof(...each)
}

const near = (method: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(method), weight: 30 },
    fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  )

const nearPath = (path: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(path), weight: 20 },
    fc.constantFrom(
      `${path}/`,
      path.slice(0, -1),
      path.toUpperCase(),
      `/${path}`,
      `${path}x`,
      `${path}/../x`,
      '/',
      '/api/v1/x',
    ),
  )

function bodyOf(described: fc.Arbitrary<unknown>, good: readonly object[]): fc.Arbitrary<string | undefined> {
  const values =
    good.length === 0 ? described : fc.oneof(described, fc.constantFrom(...good), changed(fc.constantFrom(...good)))
  const texts = values.map((value) => JSON.stringify(value) ?? '')
  return fc.oneof(
    { arbitrary: texts, weight: 8 },
    { arbitrary: changed(described).map((value) => JSON.stringify(value) ?? ''), weight: 2 },
    { arbitrary: damaged(texts), weight: 2 },
    fc.constantFrom(undefined, '', '[]', 'null', '"x"'),
  )
}

/** The whole list of cities is long, so it is mostly requested by country. */
function queryOf(parameters: readonly object[]): fc.Arbitrary<string> {
  const names = parameters.flatMap((one) =>
    'in' in one && one.in === 'query' && 'name' in one ? [String(one.name)] : [],
  )
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '1',
      '57',
      '225',
      'asc',
      'DESC',
      'name',
      'orderNumber',
      'nothing',
      'TR',
      'de',
      'true',
      '0',
      '%zz',
      'İ',
    ),
    fc.string({ maxLength: 5 }),
  )
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names, 'page', 'unknown', ''), value), { maxLength: 3 })
  const country = names.includes('countryId')
    ? fc.constantFrom(...Array(20).fill('countryId=225'), '')
    : fc.constant('')
  return fc.tuple(pairs, country).map(([all, last]) => {
    const written = all.map(([name, text]) => `${name}=${encodeURI(text.toWellFormed()).replaceAll(/[#&+]/g, '')}`)
    const query = [...written, last].filter((part) => part !== '').join('&')
    return query === '' ? '' : `?${query}`
  })
}
