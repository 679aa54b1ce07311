import { describe, expect, it } from 'vitest'
import { usageExamples } from '../../../src/control-plane/usage/usage-examples.ts'
import { redactor } from '../../../src/exchange/redactor.ts'

describe('the last successful call of a client’s operation', () => {
  const request = (body: string, query = '') => ({
    ...{ method: 'POST', path: '/a', query, headers: {}, body: Buffer.from(body) },
  })

  it('is kept redacted, with its digits', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    examples.keep('shop', { id: 'a' }, request('{"page":1.50,"email":"ada@example.com"}', 'phone=%2B905551112233&id=7'))
    const kept = examples.of('shop', 'a')
    expect(kept).toMatchObject({ method: 'POST', path: '/a', language: 'tr' })
    expect(kept?.body).toMatch(/^\{"page":1\.50,"email":"(?!ada)/)
    expect(kept?.query).toMatch(/^phone=(?!%2B905551112233).*&id=7$/)
    expect([examples.of('shop', 'b'), examples.of('other', 'a')]).toEqual([undefined, undefined])
  })

  it('of a login holds placeholders for the credentials, and nothing else', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    const login = { client: 'clientId', secret: 'secretKey', token: 'token' }
    examples.keep(
      'shop',
      { id: 'a', login },
      request('{"clientId":"me","secretKey":"s3cret","pin":"1234"}', 'pin=1234'),
    )
    expect(examples.of('shop', 'a')).toMatchObject({
      query: '',
      body: '{"clientId":"<clientId>","secretKey":"<secretKey>"}',
    })
  })

  it('is not kept when it is large, and all together take 4 MB at most', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    examples.keep('shop', { id: 'a' }, request(JSON.stringify({ page: 'x'.repeat(5_000) })))
    expect(examples.of('shop', 'a')).toBeUndefined()
    for (let n = 0; n < 2_000; n++)
      examples.keep(`${n}`, { id: 'a' }, request(JSON.stringify({ page: 'x'.repeat(4_000) })))
    const kept = Array.from({ length: 2_000 }, (_, n) => examples.of(`${n}`, 'a')).filter((one) => one !== undefined)
    expect(kept.length).toBeGreaterThan(100)
    expect(kept.length * 8_000).toBeLessThan(4 * 1024 * 1024)
    expect(examples.of('1999', 'a')).toBeDefined()
  })
})
