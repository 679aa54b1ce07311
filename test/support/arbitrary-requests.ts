import fc from 'fast-check'
import { changed, damaged, valuesOf } from './arbitrary-values.ts'
import { GOOD_BODIES } from './good-bodies.ts'
import type { OpenapiDocument } from './openapi-document.ts'

/** A request near those that a description has. */
export interface NearRequest {
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Tokens that clients may have. */
export interface Tokens {
  readonly good: readonly string[]
  readonly bad: readonly string[]
}

const languages = fc.constantFrom(undefined, 'en', 'en-US,en;q=0.9', 'tr', 'EN', 'de', '', ' en', 'x'.repeat(500), '*')
const types = fc.constantFrom(
  ...[
    undefined,
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data; boundary=x',
  ],
  ...['application/x-www-form-urlencoded', '', 'a/b', ';'],
)
const codings = fc.constantFrom(
  undefined,
  undefined,
  'gzip',
  'br',
  'br;q=0.1, gzip',
  'identity;q=0',
  '*;q=0',
  'deflate',
  ';',
)

function headersOf({ good, bad }: Tokens): fc.Arbitrary<Record<string, string>> {
  const token = fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 8 }, fc.constantFrom(...bad))
  const scheme = fc.oneof(
    { arbitrary: fc.constant('Bearer '), weight: 12 },
    fc.constantFrom('bearer ', 'Basic ', '', 'Bearer\t'),
  )
  const authorization = fc.option(
    fc.tuple(scheme, token).map(([name, text]) => name + text),
    { freq: 12, nil: undefined },
  )
  const rare = (values: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> =>
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, values)
  return fc
    .record({
      authorization,
      'accept-language': languages,
      'content-type': types,
      'accept-encoding': codings,
      'content-encoding': rare(fc.constantFrom('identity', 'gzip', '')),
      'if-none-match': rare(fc.constantFrom('*', '"x"', 'W/"x", "y"', '"')),
      'x-request-id': rare(fc.constantFrom('r-1', 'a b', 'x'.repeat(200), '')),
      'x-forwarded-for': rare(fc.constantFrom('192.0.2.1', 'unknown', ',,')),
      traceparent: rare(fc.constantFrom(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, '00-x')),
      cookie: rare(fc.constant('a=1')),
    })
    .map((all) =>
      Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    )
}

/** Requests of every operation of a description, and some that are nearly one. */
export function nearRequests(document: OpenapiDocument, tokens: Tokens): fc.Arbitrary<NearRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  )
  const headers = headersOf(tokens)
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

/** The whole list of cities is long: it is mostly asked for by country. */
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
