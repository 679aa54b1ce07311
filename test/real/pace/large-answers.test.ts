import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const COMPANY = 'ş'.repeat(50_000)

test('a client that reads slowly gets a large answer intact, although others are answered meanwhile', async () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, company: `${id} ${COMPANY}` }))
  const page = JSON.stringify(v1Page(rows, { perPage: 200 }))
  const v1 = await startHttpServer((_, response) => response.end(page))
  const gateway = await startGateway(v1.url)
  const { hostname, port } = new URL(gateway.url)
  const body = '{"perPage":200}'
  const client = connect(Number(port), hostname)
  closeAtEnd(() => client.destroy())
  client.write(
    `POST /api/invoice/list HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const chunks: Buffer[] = []
  for await (const chunk of client) {
    chunks.push(chunk as Buffer)
    // Memory that was released too early would hold their answers now.
    if (chunks.length === 1) await Promise.all([1, 2].map(() => gateway.call({ path: '/api/invoice/list', body })))
  }
  const text = Buffer.concat(chunks).toString()
  const answer = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { readonly data: typeof rows }
  expect(answer.data.every(({ company }, id) => company === `${id} ${COMPANY}`)).toBe(true)
  expect(answer.data).toHaveLength(200)
})

test.each(['announced', 'chunked'])(
  'large answers that do not fit into the memory at once wait for it: %s',
  async (how) => {
    const rows = Array.from({ length: 9 }, (_, id) => ({ id, company: 'x'.repeat(100_000) }))
    const page = Buffer.from(JSON.stringify(v1Page(rows, { perPage: 9 })))
    const v1 = await startHttpServer((_, response) => {
      if (how === 'announced') response.setHeader('content-length', page.length)
      response.flushHeaders()
      response.end(page)
    })
    const gateway = await startGateway(v1.url, { settings: { memoryBytes: 16 * 1024 ** 2 } })
    const calls = Array.from({ length: 60 }, () => gateway.call({ path: '/api/invoice/list', body: '{"perPage":9}' }))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  },
)
