import fc from 'fast-check'

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

/** Headers of clients, valid and odd ones. */
export function headersWith({ good, bad }: Tokens): fc.Arbitrary<Record<string, string>> {
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
