import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { MOST_OF_LANE } from '../../../src/data-plane/upstream/guard.ts'
import { http, type RawServer, startRawServer } from '../../support/raw-server.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

/** A v1 that answers with the caller's own token, often out of order. */
async function echo(): Promise<RawServer> {
  const server = await startRawServer((socket, number) => {
    const token = /authorization: Bearer (\w+)/i.exec(server.requests[number - 1] ?? '')?.[1]
    const body = JSON.stringify(v1Page([{ id: 1, company: token }], { perPage: 25 }))
    setTimeout(() => socket.write(http(200, body)), number % 10)
  })
  return server
}

test('three hundred callers at once are all served, each with its own answer', async () => {
  const v1 = await echo()
  const gateway = await startGateway(v1.url)
  const tokens = Array.from({ length: 300 }, (_, index) => `token${index}`)
  const replies = await Promise.all(
    tokens.map((token) =>
      gateway.call({ path: '/api/invoice/list', headers: { authorization: `Bearer ${token}` }, body: '{}' }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(tokens.map(() => 200))
  const companies = replies.map(({ text }) => (JSON.parse(text) as { data: { company: string }[] }).data[0]?.company)
  expect(companies).toEqual(tokens)
  expect(v1.connections()).toBeLessThanOrEqual(MOST_OF_LANE)
})

test('good and bad calls at once do not mix', async () => {
  const v1 = await echo()
  const gateway = await startGateway(v1.url)
  const bodies = ['{}', '[7]', '{"perPage":0}', '{"statusId":4}', '{"search":"x","unknown":1}']
  const calls = Array.from({ length: 100 }, (_, index) => bodies[index % bodies.length] ?? '')
  const replies = await Promise.all(calls.map((body) => gateway.call({ path: '/api/invoice/list', body })))
  const outcomes = replies.map(({ status, headers }) => `${status} ${headers['x-gateway-dropped'] ?? ''}`)
  expect(outcomes).toEqual(calls.map((_, index) => ['200 ', '400 ', '400 ', '200 ', '200 unknown'][index % 5]))
  expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(100)
})

test('calls on one kept connection are answered one after another', async () => {
  const v1 = await echo()
  const gateway = await startGateway(v1.url)
  const { hostname, port } = new URL(gateway.url)
  const pool = new Pool(`http://${hostname}:${port}`, { connections: 1 })
  const statuses = await Promise.all(
    ['{}', '[7]', '{"page":0}', '[]', '{"page":"1"}'].map(async (body) => {
      const answer = await pool.request({ method: 'POST', path: '/api/invoice/list', body })
      await answer.body.dump()
      return answer.statusCode
    }),
  )
  await pool.close()
  expect(statuses).toEqual([200, 400, 400, 200, 200])
})
