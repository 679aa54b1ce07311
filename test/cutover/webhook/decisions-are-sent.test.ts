import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { signatureOf } from '../../../src/cutover/webhook/sign.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { stateFolder } from '../../support/comparing-process.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { logOf, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { clientsBetween, QUICK, rolloutOf, startCutoverBed } from '../support/cutover-bed.ts'
import { messageOf } from './receivers.ts'

const SECRET = 'sixteen-letters-'
/** Processes start slowly on a busy machine. */
const PATIENT = { timeout: 60_000 }
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
    })
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
    })
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
    })
    .toBe('done')
  await gateway.close()
  const db = new DatabaseSync(join(bed.folder, 'state.db'), { timeout: 10_000 })
  expect(db.prepare('SELECT count(*) AS entries FROM audit').get()).not.toEqual({ entries: 0 })
  expect(db.prepare('SELECT * FROM outbox').all()).toEqual([])
  db.close()
})

it('a process that is killed before the receiver has answered sends again after its restart: the same id, and nothing is lost', {
  timeout: 150_000,
}, async () => {
  let isAlive = false
  const receiver = await startHttpServer((_, response) => {
    if (isAlive) response.end()
  })
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const folder = stateFolder()
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify(rolloutOf({ steps: [100], ...QUICK })))
  const start = () =>
    startService('serve', {
      ...{ V1_BASE_URL: sandbox.v1Url, LEGACY_BASE_URL: sandbox.legacyUrl ?? '' },
      ...{ TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'), DRAIN_MS: '0' },
      ...{ ROLLOUT_FILE: rolloutFile, STATE_DB: join(folder, 'state.db') },
      ...{ WEBHOOK_URL: `${receiver.url}/hooks/path-secret?key=query-secret`, WEBHOOK_SECRET: SECRET },
    })
  const killed = start()
  await expect.poll(() => receiver.received.length, PATIENT).toBe(1)
  killed.child.kill('SIGKILL')
  await killed.exit
  isAlive = true
  const second = start()
  const { admin } = await servingAt(second)
  await expect.poll(() => receiver.received.length, PATIENT).toBeGreaterThan(1)
  const [before, after] = receiver.received
  expect(after?.body).toBe(before?.body)
  expect(JSON.parse(before?.body ?? '')).toMatchObject({ event: 'advanced', to: 'running at 100 %' })
  const { text } = await callLegacy(admin, { path: '/metrics' })
  second.child.kill('SIGTERM')
  expect(await second.exit).toBe(0)
  const everything = [killed.output(), second.output(), killed.errors(), second.errors(), text].join('\n')
  expect(logOf(second).length).toBeGreaterThan(0)
  for (const secret of ['path-secret', 'query-secret', SECRET]) expect(everything).not.toContain(secret)
  expect(readFileSync(join(folder, 'state.db')).includes('path-secret')).toBe(false)
})
