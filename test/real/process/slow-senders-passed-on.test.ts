import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { servingAt, startService } from '../../support/service-process.ts'
import { startSlowSenders, waysToBeSlow } from '../../support/slow-senders.ts'
import { until } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

/** More than there are connections to the legacy service. */
const SENDERS = 150
const CHARGES = '/api/transaction/charge/list'

/** The real process: what ends it would end the tests too. */
async function startServing(legacyUrl: string) {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([], { perPage: 25 }))))
  const gateway = startService('serve', { V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacyUrl, SERVE: 'v1' })
  onTestFinished(() => {
    gateway.child.kill('SIGKILL')
  })
  return { gateway, ...(await servingAt(gateway)) }
}

describe.each(waysToBeSlow(`POST ${CHARGES}`))('many clients whose calls are passed on, each slow $where', (way) => {
  const testBodies = way.where === 'in its headers' ? test : test
  testBodies('keep nobody from being answered, and arrive only when they are whole', async () => {
    const legacy = await startHttpServer((_, response) => response.end('{}'))
    const { legacy: url } = await startServing(legacy.url)
    const senders = await startSlowSenders(url, SENDERS, way)
    onTestFinished(() => senders.stop())
    await wait(1_200)
    const statusOf = (path: string) => callLegacy(url, { path, body: '{}' }).then(({ status }) => status)
    for (const path of ['/api/invoice/list', CHARGES, '/some/where']) {
      expect(await Promise.race([statusOf(path), wait(2_000, `no answer: ${path}`)])).toBe(200)
    }
    expect(legacy.received).toHaveLength(2)
    senders.finish()
    await until(() => legacy.received.length === 2 + SENDERS)
  })
})

test('clients that hang up before they get a connection to the legacy service break no other call', async () => {
  const legacy = await startHttpServer((_, response) => response.end('{}'))
  const { gateway, legacy: url, admin } = await startServing(legacy.url)
  const [, inItsBody] = waysToBeSlow(`POST ${CHARGES}`)
  const senders = await startSlowSenders(url, SENDERS, inItsBody)
  await wait(500)
  senders.stop()
  expect(await Promise.race([gateway.exit, wait(1_000, 'it runs')])).toBe('it runs')
  expect((await callLegacy(admin, { path: '/healthz' })).status).toBe(200)
})
