import { describe, expect, test } from 'vitest'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { standInForV1 } from '../support/v1-stand-in.ts'

async function listing(body: string) {
  const v1 = standInForV1(() => ({ body: v1Page([], { perPage: 25 }) }))
  const gateway = await startGateway(v1.url)
  const reply = await gateway.call({ path: '/api/invoice/list', body })
  const query = Object.fromEntries(new URLSearchParams(v1.asked[0]?.path.split('?')[1]))
  return { reply, query }
}

const DEPTH = 200_000

describe('a body that is deep', () => {
  test.each([
    ['arrays', `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`],
    ['objects', `${'{"a":'.repeat(DEPTH / 4)}1${'}'.repeat(DEPTH / 4)}`],
  ])('of %s is walked without recursion', async (_, value) => {
    const { reply } = await listing(`{"x":${value},"page":1}`)
    expect(reply).toMatchObject({ status: 200, headers: { 'x-gateway-dropped': 'x' } })
  })

  test('and never closed is not JSON', async () => {
    expect((await listing(`{"x":${'['.repeat(DEPTH)}`)).reply.status).toBe(400)
  })

  test('is read from v1 too', async () => {
    const deep = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`
    const bodies = [
      `{"success":true,"x":${deep},"items":[${deep}],"meta":{"page":1,"perPage":25,"total":1,"pageCount":1}}`,
      `{"success":false,"code":"V","message":"No.","errors":${deep}}`,
    ]
    const v1 = standInForV1((_, number) => ({ status: number === 1 ? 200 : 422, body: bodies[number - 1] ?? '' }))
    const gateway = await startGateway(v1.url)
    const call = { path: '/api/invoice/list', body: '{}' }
    expect([(await gateway.call(call)).status, (await gateway.call(call)).status]).toEqual([200, 400])
  })
})

describe('the last of two equal filters counts, as with JSON.parse', () => {
  test.each([
    ['{"isPayment":true,"isPayment":false}', { isPaid: 'false' }],
    ['{"isPayment":true,"isPayment":null}', {}],
    ['{"isPayment":null,"isPayment":true}', { isPaid: 'true' }],
    ['{"dateAtBetween":null,"dateAtBetween":{"startAt":"2025-01-01"}}', { dateFrom: '2025-01-01' }],
  ])('%s', async (body, expected) => {
    const { query } = await listing(body)
    expect(query).toEqual({ page: '1', perPage: '25', ...expected })
  })

  test.each([
    ['{"dateAtBetween":{"startAt":"2025-01-01"},"dateAtBetween":null}', {}],
    ['{"dateAtBetween":{"startAt":"2025-01-01"},"dateAtBetween":{"endAt":"2025-01-31"}}', { dateTo: '2025-01-31' }],
    ['{"dateAtBetween":"x","dateAtBetween":{"endAt":"2025-01-31"}}', { dateTo: '2025-01-31' }],
  ])('%s', async (body, expected) => {
    const { query } = await listing(body)
    expect(query).toEqual({ page: '1', perPage: '25', ...expected })
  })
})
