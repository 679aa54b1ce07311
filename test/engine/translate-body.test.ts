import { describe, expect, it } from 'vitest'
import { requestTranslator } from '../../src/engine/translate-request.ts'
import { noContent, operation, post, record } from '../../src/mapping/operation.ts'
import { body, bodyParameters, query, type RequestMapping } from '../../src/mapping/request.ts'
import { from, same, shape } from '../../src/mapping/shape.ts'

const requesting = (request: RequestMapping) =>
  requestTranslator(
    operation('made-up', {
      says: 'Made up.',
      legacy: post('/made/up'),
      v1: post('/api/v1/made-up'),
      request,
      response: request.kind === 'body' ? record(shape('Nothing', {})) : noContent(204),
      effect: 'write',
      authorization: 'none',
    }),
  )

describe('a body of parameters', () => {
  it('is required by default', () => {
    const strict = requesting(bodyParameters({ a: query() }))
    expect(strict({ query: 'a=1', body: Buffer.alloc(0) }).violations).toMatchObject([
      { path: '', message: 'body-missing' },
    ])
    expect(strict({ query: 'a=1', body: Buffer.from('{"a":2}') }).call).toMatchObject({ query: 'a=2' })
  })

  it.each(['[]', ' [\r\n\t] '])('may be %j, as PHP writes an empty object, if it is optional', (text) => {
    const lenient = requesting(bodyParameters({ a: query() }, { emptyBody: 'an empty object' }))
    const none = lenient({ query: '', body: Buffer.alloc(0) })
    expect(none.call).toBeDefined()
    expect(lenient({ query: '', body: Buffer.from(text) })).toEqual(none)
    expect(requesting(bodyParameters({ a: query() }))({ query: '', body: Buffer.from(text) }).violations).toMatchObject(
      [{ path: '', message: 'body-not-an-object' }],
    )
  })
})

describe.each([
  ['of parameters', bodyParameters({ a: query() }, { emptyBody: 'an empty object' })],
  ['that is sent', body(shape('Body', { a: from('b') }))],
  ['that is sent without nulls', body(shape('Body', { a: from('b') }), { nulls: 'not sent' })],
])('a body %s', (_, request) => {
  const send = requesting(request)
  const refused = (bytes: Uint8Array) => {
    const { call, violations } = send({ query: '', body: bytes })
    expect(call).toBeUndefined()
    return violations
  }

  it.each(['[{}]', '[[]]', '[null]', '"a"', '7', 'true', 'null', '""'])('is refused when it is %s', (text) => {
    expect(refused(Buffer.from(text))).toMatchObject([{ path: '', message: 'body-not-an-object' }])
  })

  it.each([
    ['{"a":1', '6'],
    ['{"a":1}}', '7'],
    ['a=1', '0'],
    ['{xa":1}', '1'],
    ['{"a":1,xa":1}', '7'],
    ['[1', '2'],
    ['[', '1'],
    ['[]]', '2'],
    ['[],', '2'],
    ['   ', '3'],
    ['\ufeff{}', '0'],
  ])('is refused when it is not JSON: %j', (text, position) => {
    expect(refused(Buffer.from(text))).toEqual([{ path: '', message: 'body-not-json', with: { position } }])
  })

  it('is refused when it is not UTF-8', () => {
    expect(refused(Buffer.from('{"a":"\xff"}', 'latin1'))).toMatchObject([{ path: '', message: 'body-not-utf8' }])
  })
})

describe('a body that is sent', () => {
  it.each(['[]', ' [] '])('is refused when it is %j', (text) => {
    const send = requesting(body(shape('Body', { a: from('b') })))
    expect(send({ query: '', body: Buffer.from(text) }).violations).toMatchObject([
      { path: '', message: 'body-not-an-object' },
    ])
  })

  it('is rewritten, with its nulls or without', () => {
    const parts = shape('Body', { a: from('b'), c: same() }, { closed: true })
    const input = { query: '', body: Buffer.from('{"a":{"x":null},"c":null,"d":null,"e":1}') }
    const withNulls = requesting(body(parts))(input)
    expect(String(withNulls.call?.body)).toBe('{"b":{"x":null},"c":null}')
    expect([...withNulls.dropped]).toEqual(['d', 'e'])
    const without = requesting(body(parts, { nulls: 'not sent' }))(input)
    expect(String(without.call?.body)).toBe('{"b":{}}')
    expect([...without.dropped]).toEqual(['e'])
  })
})
