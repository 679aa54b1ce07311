import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Experiments } from '../../../src/control-plane/admin/dashboard/sources.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { servingAt, startService } from '../../support/service-process.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'
import { makeFolder } from '../start-program.ts'

const SOON = { interval: 50, timeout: 30_000 }

test('a v1 that asks for less at a login, which one thread sends, gets no comparison from the other', async () => {
  const json = { 'content-type': 'application/json' }
  let isWell = true
  const legacy = await startHttpServer(({ target }, response) =>
    response.writeHead(200, json).end(target.includes('auth') ? '{"token":"l"}' : '[{"id":1}]'),
  )
  const v1 = await startHttpServer(({ target, headers }, response) => {
    if (headers['x-gateway-purpose'] === 'health') response.writeHead(200, json).end(JSON.stringify(v1Page([])))
    else if (!target.includes('auth')) response.writeHead(200, json).end(JSON.stringify(v1Page([{ id: 1 }])))
    else if (isWell) response.writeHead(200, json).end(JSON.stringify(v1Record({ token: 'v' })))
    else response.writeHead(429, { ...json, 'retry-after': '60' }).end('{"success":false,"code":"NO","message":"x"}')
  })
  const rolloutFile = join(makeFolder(), 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { '*': { serve: 'legacy', shadow: 1 } } }))
  const gateway = startService('serve', {
    ...{ V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacy.url, ROLLOUT_FILE: rolloutFile, DRAIN_MS: '0' },
    ...{ TOKEN_KEY: Buffer.alloc(32, 1).toString('base64'), STATE_DB: ':memory:' },
  })
  const { legacy: url, admin } = await servingAt(gateway)
  const logIn = () => callLegacy(url, { path: '/auth/application', body: '{"clientId":"a","secretKey":"s"}' })
  const list = (code: string) => callLegacy(url, { method: 'GET', path: `/country/all?code=${code}` })
  const of = async (id: string) => {
    const { operations } = JSON.parse((await callLegacy(admin, { path: '/experiments' })).text) as Experiments
    return operations.find(({ operation }) => operation === id)
  }

  expect([(await logIn()).status, (await list('a')).status]).toEqual([200, 200])
  await expect.poll(async () => (await of('country-list'))?.totals.matched, SOON).toBe(1)
  isWell = false
  expect((await logIn()).status).toBe(200)
  await expect.poll(async () => (await of('auth'))?.unjudged, SOON).toEqual({ 'asked to slow down': 1 })
  expect((await list('b')).status).toBe(200)
  await expect.poll(async () => (await of('country-list'))?.unjudged, SOON).toEqual({ 'asked to slow down': 1 })
  const compared = v1.received.filter(({ headers }) => headers['x-gateway-purpose'] === 'compare')
  expect(compared.filter(({ target }) => target.includes('countries'))).toHaveLength(1)
}, 60_000)
