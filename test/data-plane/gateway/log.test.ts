import { expect, test } from 'vitest'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Error, v1Page, v1Record } from '../../support/v1-bodies.ts'
import { standInForV1, V1_URL } from '../../support/v1-stand-in.ts'

const SECRETS = ['s3cret', 'tok-1', 'tok-2', 'Yılmaz', 'Ay%C5%9Fe', 'Ayşe', '10000000146', 'sid=77']

test('a call is one line, with what an operator needs', async () => {
  const v1 = standInForV1(() => ({ body: v1Page([{ id: 1 }], { perPage: 25 }) }))
  const gateway = await startGateway(v1.url)
  await gateway.call({ path: '/api/invoice/list', body: '{}', headers: { 'x-request-id': 'r-1' } })
  expect(gateway.log).toHaveLength(1)
  expect(gateway.log[0]).toMatchObject({
    level: 30,
    requestId: 'r-1',
    method: 'POST',
    path: '/api/invoice/list',
    peer: '127.0.0.1',
    client: 'unidentified',
    operation: 'invoice-list',
    status: 200,
    v1Status: 200,
    v1Calls: 1,
  })
  expect(gateway.log[0]?.ms).toBeGreaterThan(0)
  expect(gateway.log[0]?.v1Ms).toBeGreaterThan(0)
})

test.each([
  [
    'success',
    () => ({ body: { ...v1Page([{ id: 1, lastName: 'Yılmaz' }], { perPage: 25 }), ...v1Record({ token: 'tok-2' }) } }),
  ],
  ['refusal', () => v1Error(400, 'NO', 'Yılmaz 10000000146')],
  [
    'validation',
    () => ({ status: 422, body: { success: false, code: 'V', errors: [{ path: 'Yılmaz', message: 'tok-2' }] } }),
  ],
  ['failure', () => ({ status: 500, body: 'Yılmaz tok-2' })],
  ['malformed answer', () => ({ body: '{"success":true,"items":[{"lastName":"Yılmaz"' })],
])('nothing of a token, a query, a body or a person is logged on %s', async (name, answer) => {
  const v1 = standInForV1(answer)
  const gateway = await startGateway(v1.url)
  const headers = { authorization: 'Bearer tok-1', cookie: 'sid=77' }
  await gateway.call({ path: '/auth/application', headers, body: '{"clientId":"Yılmaz","secretKey":"s3cret"}' })
  await gateway.call({
    path: '/api/invoice/list?name=Ay%C5%9Fe',
    headers,
    body: '{"search":"Yılmaz","Ayşe":1,"page":1}',
  })
  await gateway.call({ path: '/api/invoice/list', headers, body: '{"dateAtBetween":{"startAt":"Yılmaz"}}' })
  await gateway.call({ path: '/api/invoice/list', headers, body: '{"search": Yılmaz 10000000146' })
  await gateway.call({ path: '/country/all?search=Ay%C5%9Fe&x=10000000146', headers })
  await gateway.call({ path: '/nothing?search=Ay%C5%9Fe', headers })
  expect(gateway.log).toHaveLength(6)
  // As on all pages, the client of a login that v1 accepted has its name, and one whose token v1 accepted a hash.
  const text = JSON.stringify(gateway.log.map(({ client: _, ...others }) => others))
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([])
  const clients = gateway.log.map(({ client }) => client)
  for (const client of clients) expect(client).toMatch(/^(?:unidentified|Yılmaz|[\w-]{22})$/)
  expect(clients.includes('Yılmaz')).toBe(name === 'success')
})

test('no path makes a line longer than its limit', async () => {
  const gateway = await startGateway(V1_URL)
  await gateway.call({ path: `/${'x'.repeat(10_000)}` })
  expect(JSON.stringify(gateway.log[0]).length).toBeLessThan(1_000)
})

test('a failure of v1 is a warning that says what failed and why', async () => {
  const v1 = standInForV1(() => ({ status: 503 }))
  const gateway = await startGateway(v1.url)
  await gateway.call({ path: '/country/all' })
  expect(gateway.log[0]).toMatchObject({ level: 40, failure: 'unavailable', v1Status: 503, reason: 'v1 answered 503' })
})

test('a mistake of a client is not a warning', async () => {
  const gateway = await startGateway(V1_URL)
  await gateway.call({ path: '/api/invoice/list', body: '[7]' })
  await gateway.call({ path: '/nothing' })
  expect(gateway.log.map(({ level }) => level)).toEqual([30, 30])
})

test('a list that takes several calls of v1 is one line that counts them', async () => {
  const v1 = standInForV1(({ path }) => {
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page'))
    const rows = Array.from({ length: page === 3 ? 1 : 200 }, (_, index) => ({ id: page * 1_000 + index }))
    return { body: v1Page(rows, { page, total: 401, pageCount: 3 }) }
  })
  const gateway = await startGateway(v1.url)
  await gateway.call({ path: '/country/all' })
  expect(gateway.log).toHaveLength(1)
  expect(gateway.log[0]).toMatchObject({ status: 200, v1Calls: 3 })
})
