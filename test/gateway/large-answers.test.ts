import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'

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
