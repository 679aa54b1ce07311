import { expect, it } from 'vitest'
import { BodyCapture } from '../../../src/data-plane/gateway/body-capture.ts'
import { MemoryBudget } from '../../../src/data-plane/upstream/memory-budget.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { startGateway } from '../../support/start-gateway.ts'

const MB = 1024 * 1024

it('a call that only usage wanted does not count as a comparison skipped for lack of memory', async () => {
  const charges = await startHttpServer((_, response) => response.end(Buffer.alloc(2 * MB, ' ')))
  const gateway = await startGateway(charges.url, { legacyUrl: charges.url, settings: { memoryBytes: 3 * MB } })
  const admin = await gateway.openAdmin()
  const { status, text } = await gateway.call({ path: '/api/transaction/charge/list', body: '{}' })
  expect([status, text.length]).toEqual([200, 2 * MB])
  const metrics = await (await fetch(`${admin}/metrics`)).text()
  expect(metrics).toContain('legacy_gateway_memory_refused_total{what="comparison"} 0')
  expect(metrics).toContain('legacy_gateway_memory_used_bytes 0')
})

it('usage looks at a call without its answer if that is too large', async () => {
  const large = Buffer.from(JSON.stringify({ data: [{ amount: 1, note: ' '.repeat(MB) }] }))
  const charges = await startHttpServer((_, response) => response.end(large))
  const gateway = await startGateway(charges.url, { legacyUrl: charges.url })
  const admin = await gateway.openAdmin()
  await gateway.call({ path: '/api/transaction/charge/list', body: '{}' })
  const seen = async (): Promise<unknown> => {
    const { clients } = JSON.parse(await (await fetch(`${admin}/clients`)).text())
    return clients[0]?.operations['charge-list']?.seen
  }
  await expect.poll(seen).toBe(1)
})

it('a body that is larger than wanted is not captured', () => {
  const memory = new MemoryBudget(100 * MB)
  const capture = new BodyCapture(memory, { mostBytes: 8 * MB, isMissed: false })
  for (let n = 0; n < 20; n++) capture.answer.add(Buffer.alloc(MB))
  expect([capture.answer.isLost, memory.used]).toEqual([true, 8 * MB])
  capture.letGo()
  expect(memory.used).toBe(0)
})
