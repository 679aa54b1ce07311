import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const MB = 1024 ** 2

test('a packed body that unpacks to more than MAX_BODY_BYTES takes no more memory than one that is accepted, and gives it back', async () => {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([], { perPage: 25 }))))
  const gateway = await startGateway(v1.url, { settings: { memoryBytes: 48 * MB } })
  const bomb = gzipSync(Buffer.alloc(50 * MB, ' '))
  const call = { path: '/api/invoice/list', body: bomb, headers: { 'content-encoding': 'gzip' } }
  const before = process.memoryUsage().rss
  for (let round = 0; round < 2; round++) {
    const replies = await Promise.all(Array.from({ length: 20 }, () => gateway.call(call)))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(413))
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MB)
  const good = { ...call, body: gzipSync(`{"x":"${' '.repeat(900_000)}"}`) }
  expect((await gateway.call(good)).status).toBe(200)
})
