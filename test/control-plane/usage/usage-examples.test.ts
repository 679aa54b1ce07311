import { describe, expect, it } from 'vitest'
import { NOTHING_SEEN } from '../../../src/control-plane/usage/usage.ts'
import { usageExamples } from '../../../src/control-plane/usage/usage-examples.ts'
import { redactor } from '../../../src/exchange/redactor.ts'

/** What a call shows that sends these members. */
const sent = (...names: readonly string[]) => ({
  ...NOTHING_SEEN,
  calls: 1,
  members: Object.fromEntries(names.map((name) => [name, 1])),
})

describe('the typical call of a client’s operation', () => {
  const request = (body: string, query = '') => ({
    ...{ method: 'POST', path: '/a', query, headers: {}, body: Buffer.from(body) },
  })

  it('is kept redacted, with its digits', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    examples.keep(
      'shop',
      { id: 'a' },
      request('{"page":1.50,"email":"ada@example.com"}', 'phone=%2B905551112233&id=7'),
      sent(),
    )
    const kept = examples.of('shop', 'a')
    expect(kept).toMatchObject({ method: 'POST', path: '/a', language: 'tr' })
    expect(kept?.body).toMatch(/^\{"page":1\.50,"email":"(?!ada)/)
    expect(kept?.query).toMatch(/^phone=(?!%2B905551112233).*&id=7$/)
    expect([examples.of('shop', 'b'), examples.of('other', 'a')]).toEqual([undefined, undefined])
  })

  it('is the last of those that have the most frequent members, and says how many these are', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    const keep = (body: Readonly<Record<string, unknown>>) =>
      examples.keep('shop', { id: 'a' }, request(JSON.stringify(body)), sent(...Object.keys(body)))
    for (const body of [{ page: 1 }, { page: 2, perPage: 9 }, { page: 3 }, { page: 4, statusId: 4 }]) keep(body)
    expect(examples.of('shop', 'a')).toMatchObject({ body: '{"page":3}', alike: 2, of: 4 })
    keep({ statusId: 1, page: 5 })
    expect(examples.of('shop', 'a')).toMatchObject({ body: '{"statusId":1,"page":5}', alike: 2, of: 5 })
  })

  it('tells apart what has a value, what is empty, and what the mapping does not know', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    const keep = (body: string, shown: object) =>
      examples.keep('shop', { id: 'a' }, request(body), { ...sent('page'), ...shown })
    keep('{"page":1}', {})
    keep('{"page":2}', {})
    keep('{"page":3,"search":""}', { empty: { search: 1 } })
    keep('{"page":4,"unknown":1}', { other: 1 })
    expect(examples.of('shop', 'a')).toMatchObject({ body: '{"page":2}', alike: 2, of: 4 })
  })

  it('is found among any number of others, and none is counted that had other members', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    const keep = (name: string) => examples.keep('shop', { id: 'a' }, request(`{"${name}":1}`), sent(name))
    for (let n = 0; n < 300; n++) {
      keep(`other${n}`)
      if (n > 100) keep('often')
    }
    const kept = examples.of('shop', 'a')
    expect(kept).toMatchObject({ body: '{"often":1}', of: 499 })
    expect(kept?.alike).toBeGreaterThan(150)
    expect(kept?.alike).toBeLessThan(200)
  })

  it('of a login holds placeholders for the credentials, and nothing else', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    const login = { client: 'clientId', secret: 'secretKey', token: 'token' }
    examples.keep(
      'shop',
      { id: 'a', login },
      request('{"clientId":"me","secretKey":"s3cret","pin":"1234"}', 'pin=1234'),
      sent(),
    )
    expect(examples.of('shop', 'a')).toMatchObject({
      query: '',
      body: '{"clientId":"<clientId>","secretKey":"<secretKey>"}',
    })
  })

  it('is not kept when it is large, and all together take 4 MB at most', () => {
    const examples = usageExamples(redactor(new Uint8Array(32)))
    examples.keep('shop', { id: 'a' }, request(JSON.stringify({ page: 'x'.repeat(5_000) })), sent('page'))
    expect(examples.of('shop', 'a')).toBeUndefined()
    for (let n = 0; n < 2_000; n++)
      examples.keep(`${n}`, { id: 'a' }, request(JSON.stringify({ page: 'x'.repeat(4_000) })), sent('page'))
    const kept = Array.from({ length: 2_000 }, (_, n) => examples.of(`${n}`, 'a')).filter((one) => one !== undefined)
    expect(kept.length).toBeGreaterThan(100)
    expect(kept.length * 8_000).toBeLessThan(4 * 1024 * 1024)
    expect(examples.of('1999', 'a')).toBeDefined()
  })
})
