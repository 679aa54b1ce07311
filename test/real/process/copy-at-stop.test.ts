import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Experiments } from '../../../src/control-plane/admin/dashboard/sources.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { logOf, type ServiceProcess, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { wholeToken } from '../../support/whole-token.ts'
import { makeFolder } from '../start-program.ts'

const IMPORT = '/api/single/point/import'
const TOKEN = '{"success":true,"message":"","data":{"token":"t"}}'
const LOGIN = '{"clientId":"demo-client","secretKey":"demo-secret"}'
const STOPPED = 'dropped: the gateway stopped'
const ROLLOUT = {
  operations: { 'import-create': { serve: 'legacy', shadow: 1, shadowWrites: 'copy' } },
  // The copy may take as long as it likes.
  limits: { copyWritesPerSecond: 500, timeoutMs: 600_000 },
}

type Answer = (body: string) => void

/** A service that lets anybody log in, and holds the imports with these names until `answer` is called. */
async function startHolding(login: string, isHeld: (name: string) => boolean, created: (name: string) => string) {
  const held: (() => void)[] = []
  const names: string[] = []
  const { url } = await startHttpServer(({ target, body }, response: ServerResponse) => {
    const answer: Answer = (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    if (target.includes('/auth/')) return answer(login)
    const { name } = JSON.parse(body) as { readonly name: string }
    names.push(name)
    if (isHeld(name)) held.push(() => answer(created(name)))
    else answer(created(name))
  })
  return { url, names, held }
}

/** Services, of which the copy holds each write, and legacy the last one; and a gateway that has such a write of each, and four that wait. */
async function startHeld() {
  const legacy = await startHolding(
    '{"token":"t"}',
    (name) => name === 'late',
    (name) => JSON.stringify({ id: 1, name, shipmentId: 'G1', senderAddress: null, createdAt: null }),
  )
  const v1 = await startHolding(
    TOKEN,
    () => false,
    () => '{}',
  )
  const copy = await startHolding(
    TOKEN,
    () => true,
    (name) => JSON.stringify({ success: true, message: '', data: { id: 7, name, carrierShipmentId: 'G1' } }),
  )
  const folder = makeFolder({ 'rollout.json': JSON.stringify(ROLLOUT) })
  const start = async () => {
    const gateway = startService('serve', {
      ...{ V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacy.url, ROLLOUT_FILE: join(folder, 'rollout.json') },
      ...{ TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'), STATE_DB: join(folder, 'state.db') },
      ...{ V1_COPY_BASE_URL: copy.url, V1_COPY_CLIENT_ID: 'c', V1_COPY_SECRET_KEY: 's' },
      ...{ DRAIN_MS: '0', SHUTDOWN_GRACE_MS: '2000' },
    })
    const at = await servingAt(gateway)
    const post = (path: string, body: string, token?: string): Promise<Response> =>
      fetch(at.legacy + path, {
        ...{ method: 'POST', body },
        headers: { connection: 'close', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      })
    const token = await wholeToken(async () => ({ text: await (await post('/auth/application', LOGIN)).text() }))
    const write = async (name: string): Promise<number> => {
      const answer = await post(IMPORT, JSON.stringify({ name, shipmentId: 'G1' }), token)
      await answer.text()
      return answer.status
    }
    return { gateway, admin: at.admin, write }
  }
  const first = await start()
  for (const name of ['1', '2', '3', '4', '5']) expect(await first.write(name)).toBe(200)
  await until(() => copy.held.length === 1)
  const late = first.write('late')
  await until(() => legacy.held.length === 1)
  first.gateway.child.kill('SIGTERM')
  await until(() => logOf(first.gateway).some(({ msg }) => msg === 'stopping'))
  return { ...first, start, legacy, copy, late }
}

const importsAt = async (admin: string) =>
  ((await (await fetch(`${admin}/experiments`)).json()) as Experiments).operations.find(
    ({ operation }) => operation === 'import-create',
  )

const exitOf = ({ exit }: ServiceProcess): Promise<number | null> => exit

test('a gateway that is told to stop while the copy holds a write ends without its answer, answers all clients, and sends nothing again', async () => {
  const { gateway, legacy, copy, late, start } = await startHeld()
  legacy.held[0]?.()
  expect(await late).toBe(200)
  // The copy has answered nothing, and never will.
  expect(await exitOf(gateway)).toBe(0)
  expect(copy.names).toEqual(['1'])

  const again = await start()
  expect(await importsAt(again.admin)).toMatchObject({
    ...{ unjudged: { [STOPPED]: 6 }, verdict: 'insufficient data', differences: [] },
    totals: { requests: 6, matched: 0, skipped: 6 },
  })
  expect(await again.write('new')).toBe(200)
  await until(() => copy.held.length === 2)
  copy.held[1]?.()
  await expect.poll(async () => (await importsAt(again.admin))?.totals.matched).toBe(1)
  expect(copy.names).toEqual(['1', 'new'])
})

test('what the copy answers within the grace is compared and stored; what waited is sent once, or not at all', async () => {
  const { gateway, legacy, copy, late, start } = await startHeld()
  copy.held[0]?.()
  legacy.held[0]?.()
  expect(await late).toBe(200)
  expect(await exitOf(gateway)).toBe(0)
  // Until the last client has its answer, the next write may take the place of the one that was answered.
  const sent = [...copy.names]
  expect(sent).toEqual(['1', '2'].slice(0, sent.length))
  const { admin } = await start()
  expect(await importsAt(admin)).toMatchObject({
    ...{ unjudged: { [STOPPED]: 5 }, against: 'a copy' },
    totals: { requests: 6, matched: 1, skipped: 5 },
  })
  expect(copy.names).toEqual(sent)
})
