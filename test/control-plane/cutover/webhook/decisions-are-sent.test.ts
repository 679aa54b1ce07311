import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { signatureOf } from '../../../../src/control-plane/cutover/webhook/send-message.ts'
import { startHttpServer } from '../../../support/http-server.ts'
import { callLegacy } from '../../../support/legacy-client.ts'
import { until } from '../../../support/start-gateway.ts'
import { clientsBetween, QUICK, rolloutOf, startCutoverBed } from '../support/cutover-bed.ts'
import { messageOf } from './receivers.ts'

const SOON = { interval: 10 }
const SECRET = 'sixteen-letters-'
const [first = ''] = clientsBetween(0, 1, 1)

interface Told {
  readonly id: string
  readonly event: string
  readonly operation: string
  readonly from: string
  readonly to: string
}

it('each move of a plan is sent once, in order, signed', async () => {
  const receiver = await startHttpServer((_, response) => response.end())
  const bed = await startCutoverBed(rolloutOf({ steps: [5, 50, 100], ...QUICK }))
  const webhook = { url: new URL(`${receiver.url}/hook`), secret: SECRET }
  const gateway = await bed.start({ webhook })
  await expect
    .poll(async () => {
      await gateway.ask(first)
      return receiver.received.length
    }, SOON)
    .toBe(4)
  const told = receiver.received.map(({ body }) => JSON.parse(body) as Told)
  expect(told.map(({ event, operation, from, to }) => [event, operation, from, to])).toEqual([
    ['advanced', 'invoice-list', 'waiting at 0 %', 'running at 5 %'],
    ['advanced', 'invoice-list', 'running at 5 %', 'running at 50 %'],
    ['advanced', 'invoice-list', 'running at 50 %', 'running at 100 %'],
    ['done', 'invoice-list', 'running at 100 %', 'done at 100 %'],
  ])
  expect(Object.keys(told[0] ?? {}).toSorted()).toEqual(['at', 'event', 'from', 'id', 'operation', 'text', 'to', 'why'])
  for (const { headers, body } of receiver.received) {
    expect(headers['x-signature']).toBe(signatureOf(Buffer.from(body), SECRET))
  }
  await expect
    .poll(async () => (await callLegacy(gateway.adminUrl, { path: '/metrics' })).text)
    .toMatch(/^legacy_gateway_webhook_messages_total\{outcome="delivered"\} 4$/m)
  expect((await callLegacy(gateway.adminUrl, { path: '/metrics' })).text).toMatch(
    /^legacy_gateway_webhook_oldest_seconds 0$/m,
  )
})

it('calls and decisions do not wait for a receiver that hangs, and the gateway stops all the same', async () => {
  const receiver = await startHttpServer(() => undefined)
  const bed = await startCutoverBed(rolloutOf({ steps: [5, 100], ...QUICK }))
  const gateway = await bed.start({ webhook: { url: new URL(receiver.url), secret: SECRET } })
  await expect
    .poll(async () => {
      await gateway.ask(first)
      return gateway.state()
    }, SOON)
    .toBe('done')
  await until(() => receiver.received.length > 0)
  await gateway.close()
  expect(new Set(receiver.received.map((request) => messageOf(request).operation))).toEqual(new Set(['invoice-list']))
})

it('without WEBHOOK_URL no message is kept for a receiver that is set later', async () => {
  const bed = await startCutoverBed(rolloutOf({ steps: [5, 100], ...QUICK }))
  const gateway = await bed.start()
  await expect
    .poll(async () => {
      await gateway.ask(first)
      return gateway.state()
    }, SOON)
    .toBe('done')
  await gateway.close()
  const db = new DatabaseSync(bed.stateDb, { timeout: 10_000 })
  expect(db.prepare('SELECT count(*) AS entries FROM audit').get()).not.toEqual({ entries: 0 })
  expect(db.prepare('SELECT * FROM outbox').all()).toEqual([])
  db.close()
})
