import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { redactor } from '../../src/exchange/redactor.ts'
import type { LookedAt } from '../../src/usage/look-at.ts'
import { NOTHING_SEEN } from '../../src/usage/usage.ts'
import { usageExamples } from '../../src/usage/usage-examples.ts'
import { watchUsage } from '../../src/usage/watch-usage.ts'

const exchange = (caller: string, other: Partial<Exchange> = {}, body = ''): Exchange => ({
  ...{
    operation: 'a',
    at: new Date(0),
    answeredBy: 'v1',
    isCached: false,
    client: undefined,
    caller,
    size: 0,
    status: 200,
  },
  ...{ failure: undefined, countedClient: caller, facts: () => [], rolloutClient: () => caller },
  answer: async () => ({ status: 200, body: Buffer.from('{}'), failure: undefined, milliseconds: 1 }),
  request: { method: 'POST', path: '/a', query: '', headers: {}, body: Buffer.from(body) },
  credentials: { v1: undefined, legacy: undefined, isOurs: false },
  ...other,
})

function bed() {
  const seen: { readonly client: string; readonly call: LookedAt }[] = []
  const look = () => NOTHING_SEEN
  const watch = watchUsage({
    looks: new Map([
      ['a', look],
      ['b', look],
    ]),
    onSeen: ({ countedClient }, _, call) => void seen.push({ client: countedClient, call }),
  })
  /** Calls of one second, as many as it wants. Returns how many were looked at. */
  const calls = async (callers: readonly string[], other: Partial<Exchange> = {}): Promise<number> => {
    const before = seen.length
    for (const caller of callers) {
      if (watch.wants(other.operation ?? 'a', caller)) watch.take(exchange(caller, other))
    }
    await watch.idle()
    return seen.length - before
  }
  return { watch, seen, calls }
}
const times = (count: number, caller = 'shop'): readonly string[] => Array.from({ length: count }, () => caller)

describe('of a client and operation', () => {
  it('the first hundred calls of a day are looked at, then one a second', async () => {
    const { watch, calls } = bed()
    watch.nextSecond(1)
    expect(await calls(times(150))).toBe(100)
    expect(await calls(times(20), { operation: 'b' })).toBe(20)
    for (let n = 0; n < 3; n++) {
      watch.nextSecond(1)
      expect(await calls(times(20))).toBe(1)
    }
    watch.nextSecond(2)
    expect(await calls(times(30))).toBe(30)
  })

  it('no call is looked at that nobody wanted but a recording, once they have been', async () => {
    const { watch, seen } = bed()
    for (const caller of times(150)) watch.take(exchange(caller))
    await watch.idle()
    expect(seen.length).toBe(100)
  })
})

describe('of all clients', () => {
  it('at most 200 calls a second are looked at, and 20 of those that no service accepted', async () => {
    const { watch, calls } = bed()
    const many = Array.from({ length: 1_000 }, (_, n) => `Bearer ${n} signed`)
    expect(await calls(many, { countedClient: 'unidentified' })).toBe(20)
    expect(await calls(many)).toBe(180)
    watch.nextSecond(1)
    expect(await calls(many)).toBe(200)
  })

  it('large bodies are not parsed, and large requests not looked at', async () => {
    const { seen, calls } = bed()
    const large = Buffer.alloc(256 * 1024 + 1)
    const answer = async () => ({ status: 200, body: large, failure: undefined, milliseconds: 1 })
    expect(await calls(['one'], { answer })).toBe(1)
    expect(seen[0]?.call.answer).toEqual({ status: 200, body: undefined })
    const request = { method: 'POST', path: '/a', query: '', headers: {}, body: large }
    expect(await calls(['two'], { request })).toBe(0)
    expect(await calls(['three'], { size: 9 * 1024 * 1024 })).toBe(0)
    expect(await calls(['four'], { answer: () => Promise.reject(new Error('broken')) })).toBe(0)
    expect(await calls(['five'])).toBe(1)
  })
})

describe('the last successful call of a client’s operation', () => {
  const request = (body: string, query = '') =>
    exchange('', {}, body).request && { ...exchange('', {}, body).request, query }

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
