import { describe, expect, it } from 'vitest'
import { PromiseError } from '../../src/engine/rewrite/rewrite-plan.ts'
import { from, list, object, promised, same, shape } from '../../src/mapping/shape.ts'
import { toLegacy, toV1 } from './support/rewriting.ts'

describe('a promised member', () => {
  const token = shape('Token', { token: promised('string', same()), user: promised('object', from('owner')) })

  it('that v1 sends is answered', () => {
    expect(toLegacy(token, '{"owner":{},"token":"t"}')).toBe('{"user":{},"token":"t"}')
  })

  it.each(['{}', '{"token":"t"}', '{"token":null,"owner":{}}', '{"token":1,"owner":{}}', '{"token":"t","owner":[]}'])(
    'makes %s malformed',
    (json) => {
      expect(() => toLegacy(token, json)).toThrow(PromiseError)
    },
  )

  it('is not required from a client', () => {
    expect(toV1(token, '{"token":1}')).toBe('{"token":1}')
  })

  const nested = shape('Nested', { token: promised('string', from('auth.token')) })

  it('within an object is promised only if the object is sent', () => {
    expect(toLegacy(nested, '{"auth":{"token":"t"}}')).toBe('{"token":"t"}')
    expect(() => toLegacy(nested, '{"auth":{}}')).toThrow(PromiseError)
  })

  it.each(['{}', '{"auth":null}', '{"auth":"t"}'])('within an object makes %s malformed', (json) => {
    expect(() => toLegacy(nested, json)).toThrow(PromiseError)
  })
})

describe('a promised object or list', () => {
  const inner = shape('Inner', { key: promised('string', from('secret.key')) })
  const outer = shape('Outer', { one: object(inner), rows: promised('array', list(inner)) })

  it('has its own promises checked in every record', () => {
    expect(toLegacy(outer, '{"rows":[{"secret":{"key":"a"}},7],"one":null}')).toBe(
      '{"rows":[{"key":"a"},7],"one":null}',
    )
    expect(() => toLegacy(outer, '{"rows":[{"secret":{"key":"a"}},{}]}')).toThrow(PromiseError)
    expect(() => toLegacy(outer, '{"rows":[],"one":{"secret":{}}}')).toThrow(PromiseError)
    expect(() => toLegacy(outer, '{"rows":{}}')).toThrow(PromiseError)
  })

  it('is checked twice when it occurs twice', () => {
    expect(() => toLegacy(outer, '{"rows":[],"rows":null}')).toThrow(PromiseError)
  })
})
