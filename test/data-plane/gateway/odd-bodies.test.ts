import { beforeAll, describe, expect, test } from 'vitest'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const LIST = '/api/invoice/list'
/** What v1 answers, in order, in place of an empty page. */
const answers: { readonly status: number; readonly body: string }[] = []

let v1: HttpServer
let gateway: StartedGateway
beforeAll(async () => {
  v1 = await startHttpServer((_, response) => {
    const { status, body } = answers.shift() ?? { status: 200, body: JSON.stringify(v1Page([], { perPage: 25 })) }
    response.writeHead(status).end(body)
  })
  gateway = await startGateway(v1.url)
})

async function listing(body: string) {
  const before = v1.received.length
  const reply = await gateway.call({ path: LIST, body })
  const query = Object.fromEntries(new URLSearchParams(v1.received[before]?.target.split('?')[1]))
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
    answers.push(...bodies.map((body, index) => ({ status: index === 0 ? 200 : 422, body })))
    const call = { path: LIST, body: '{}' }
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
