import { describe, expect, it } from 'vitest'
import { comparedHeaders } from '../../src/exchange/compared-headers.ts'

const base = new URL('http://legacy.internal:8080/old')

describe('of an answer’s headers', () => {
  it('those that programs read are compared, and no others', () => {
    expect(
      comparedHeaders({
        ...{ 'content-type': 'Application/JSON; charset=utf-8', 'retry-after': '120', location: '/a' },
        ...{ 'x-request-id': 'r', deprecation: '@0', link: '<x>', 'x-gateway-dropped': 'a', date: 'now' },
      }),
    ).toEqual({ 'content-type': 'application/json', 'retry-after': 'present', location: '/a' })
    expect(comparedHeaders({})).toEqual({})
  })

  it.each([
    ['Bearer', 'bearer'],
    ['Bearer realm="a, Basic b", error="x"', 'bearer'],
    ['Digest qop="auth", nonce = "n", Basic realm="x"', 'basic, digest'],
    ['Negotiate, NTLM', 'negotiate, ntlm'],
    ['Negotiate YWJj==', 'negotiate'],
  ])('the schemes are compared: %s', (challenges, schemes) => {
    expect(comparedHeaders({ 'www-authenticate': challenges })).toEqual({ 'www-authenticate': schemes })
    expect(comparedHeaders({ 'www-authenticate': [challenges] })).toEqual({ 'www-authenticate': schemes })
  })

  it('the names of cookies are compared, and no value is kept, not even of one without a name', () => {
    const set = ['session=4711; Path=/; HttpOnly', 'a =1', 'session=4712', 'alone']
    expect(comparedHeaders({ 'set-cookie': set })).toEqual({ 'set-cookie': 'a, session' })
  })

  it.each([
    ['http://legacy.internal:8080/old/api/x?y=1#z', '/api/x?y=1#z'],
    ['//legacy.internal:8080/old/api/x', '/api/x'],
    ['/old/api/x', '/api/x'],
    ['/old', '/'],
    ['/older/x', '/older/x'],
    ['http://legacy.internal/old/x', 'http://legacy.internal/old/x'],
    ['https://elsewhere.example/old/x', 'https://elsewhere.example/old/x'],
    ['next', 'next'],
    ['http://[', 'http://['],
  ])('a place within the service is compared from its root: %s is %s', (location, from) => {
    expect(comparedHeaders({ location }, base)).toEqual({ location: from })
  })

  it('no text is longer than 512 characters', () => {
    const long = 'x'.repeat(10_000)
    const all = comparedHeaders({
      ...{ 'content-type': long, 'www-authenticate': long, location: long },
      'set-cookie': Array.from({ length: 1_000 }, (_, at) => `${at}${long}=1`),
    })
    for (const text of Object.values(all)) expect(text.length).toBeLessThanOrEqual(512)
  })

  it('texts that differ only behind 512 characters are different', () => {
    const of = (end: string) => comparedHeaders({ location: `https://elsewhere.example/${'x'.repeat(600)}${end}` })
    expect(of('a')).not.toEqual(of('b'))
    expect(of('a')).toEqual(of('a'))
  })
})
