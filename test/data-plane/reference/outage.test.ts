import { expect, test } from 'vitest'
import { http, startRawServer } from '../../support/raw-server.ts'
import { startGateway } from '../../support/start-gateway.ts'

const TIMEOUT_MS = 1_000
const page = http(200, '{"success":true,"items":[{"id":1}],"meta":{"page":1,"perPage":200,"total":1,"pageCount":1}}')

test.concurrent.each([
  ['hangs', 'hang'],
  ['hangs up', 'end'],
  ['resets the connection', 'reset'],
] as const)('the last list is served within the time-out while v1 %s', async (_, how) => {
  const v1 = await startRawServer((socket, number) => {
    if (number === 1) socket.write(page)
    else if (how === 'end') socket.end()
    else if (how === 'reset') socket.resetAndDestroy()
  })
  const gateway = await startGateway(v1.url, { settings: { referenceTtlMs: 1, upstreamTimeoutMs: TIMEOUT_MS } })
  const first = await gateway.call({ path: '/country/all' })
  await new Promise((resolve) => setTimeout(resolve, 10))
  const started = performance.now()
  const second = await gateway.call({ path: '/country/all' })
  expect(performance.now() - started).toBeLessThan(10 * TIMEOUT_MS)
  expect(second).toMatchObject({ status: 200, text: first.text, headers: { etag: first.headers.etag } })

  // No call waits for a v1 that failed a moment ago.
  const again = performance.now()
  expect((await gateway.call({ path: '/country/all' })).status).toBe(200)
  expect(performance.now() - again).toBeLessThan(TIMEOUT_MS)
})
