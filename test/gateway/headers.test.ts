import { describe, expect, test } from 'vitest'
import { startGateway } from '../support/start-gateway.ts'
import { v1Error, v1Page } from '../support/v1-bodies.ts'
import { standInForV1, V1_URL } from '../support/v1-stand-in.ts'

const list = { path: '/api/invoice/list', headers: { authorization: 'Bearer t' } }
const emptyPage = { body: v1Page([], { perPage: 25 }) }

describe('all headers of an answer together', () => {
  test.each([
    ['short', (index: number) => `f${index}`],
    ['long', (index: number) => `${index}`.padEnd(900, 'x')],
    ['Turkish', (index: number) => `ş${index}`.padEnd(200, 'ğ')],
  ])('stay under 8 KB when thousands of members with %s names are dropped', async (_, name) => {
    const v1 = standInForV1(() => emptyPage)
    const gateway = await startGateway(v1.url, { settings: { maxBodyBytes: 10_000_000 } })
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [name(index), 1])))
    const reply = await gateway.call({ ...list, body })
    expect(reply.status).toBe(200)
    expect(reply.headerBytes).toBeLessThan(8_192)
    expect(reply.headers['x-gateway-dropped']).toMatch(/\+\d+$/)
  })

  test.each([
    ['code', v1Error(409, 'A'.repeat(10_000))],
    ['Retry-After', { ...v1Error(429, 'SLOW'), headers: { 'retry-after': '9'.repeat(10_000) } }],
  ])('stay under 8 KB whatever the %s of v1', async (name, answer) => {
    const v1 = standInForV1(() => answer)
    const reply = await (await startGateway(v1.url)).call({ ...list, body: '{}' })
    if (name === 'code') expect(reply.headerBytes).toBeLessThan(8_192)
    expect([409, 429]).toContain(reply.status)
  })

  test.each(['www-authenticate', 'retry-after'])('stay under 8 KB whatever the %s of v1 says', async (name) => {
    const v1 = standInForV1(() => ({
      ...v1Error(401, 'NO'),
      headers: { [name]: `Bearer realm="${'r'.repeat(10_000)}"` },
    }))
    const reply = await (await startGateway(v1.url)).call({ ...list, body: '{}' })
    expect(reply.headerBytes).toBeLessThan(8_192)
  })
})

describe('the headers of every answer', () => {
  const sunset = new Date('2027-06-30T12:00:00Z')

  test.each([
    [200, { ...list, body: '{}' }],
    [400, { ...list, body: '[7]' }],
    [404, { path: '/nothing' }],
    [405, { path: '/api/invoice/list' }],
  ])('say that the interface is deprecated, and when it ends: %i', async (status, call) => {
    const v1 = standInForV1(() => emptyPage)
    const reply = await (await startGateway(v1.url, { settings: { sunset } })).call(call)
    expect(reply.status).toBe(status)
    expect(reply.headers.deprecation).toMatch(/^@\d+$/)
    expect(reply.headers.sunset).toBe('Wed, 30 Jun 2027 12:00:00 GMT')
    expect(reply.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })

  test('have an id of the call that v1 and the log have too', async () => {
    const v1 = standInForV1(() => emptyPage)
    const gateway = await startGateway(v1.url)
    const reply = await gateway.call({ ...list, body: '{}' })
    expect(v1.asked[0]?.headers['x-request-id']).toBe(reply.headers['x-request-id'])
    expect(gateway.log[0]?.requestId).toBe(reply.headers['x-request-id'])
  })

  test.each(['a b', 'x'.repeat(129), 'ş', 'a,b', '<x>'])(
    'have a new id in place of one that is no token: %s',
    async (id) => {
      const gateway = await startGateway(V1_URL)
      const reply = await gateway.call({
        path: '/nothing',
        headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
      })
      expect(reply.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    },
  )
})
