import { expect, test } from 'vitest'
import type { Readiness } from '../../src/observe/readiness.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { deadUrl } from '../support/raw-server.ts'
import { servingAt, startService } from '../support/service-process.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startGateway, until } from '../support/start-gateway.ts'
import { v1Record } from '../support/v1-bodies.ts'

async function readyz(adminUrl: string): Promise<Readiness & { readonly code: number }> {
  const { status, text } = await callLegacy(adminUrl, { path: '/readyz' })
  return { code: status, ...(JSON.parse(text) as Readiness) }
}

const closed = (upstream: string, ...lanes: readonly string[]) => lanes.map((lane) => ({ upstream, lane, open: false }))

test('a gateway that can answer calls says so, and what it looked at', async () => {
  const sides = await startSideBySide({ operations: {} })
  expect(await readyz(sides.adminUrl)).toEqual({
    ...{ code: 200, status: 'ready', v1: 'well', goingDown: false },
    breakers: [...closed('v1', 'reads', 'others'), ...closed('legacy', 'reads', 'others', 'logins')],
  })
})

test('without a v1 it is not ready, and says that v1 is down, and for which calls it is given up', async () => {
  const gateway = await startGateway(await deadUrl())
  const admin = await gateway.openAdmin()
  for (let call = 0; call < 12; call++) await gateway.call({ path: '/auth/application', body: '{}' })
  const { code, status, v1, breakers } = await readyz(admin)
  expect({ code, status, v1 }).toEqual({ code: 503, status: 'not ready', v1: 'down' })
  expect(breakers).toEqual([...closed('v1', 'reads'), { upstream: 'v1', lane: 'others', open: true }])
})

test('while it is told to stop it is not ready, though v1 is well', async () => {
  const v1 = await startHttpServer((_, response) => {
    setTimeout(() => response.end(JSON.stringify(v1Record({ token: 't' }))), 600)
  })
  const gateway = startService('serve', { V1_BASE_URL: v1.url })
  const { legacy, admin } = await servingAt(gateway)
  expect(await readyz(admin)).toMatchObject({ code: 200, goingDown: false })
  const call = fetch(`${legacy}/auth/application`, { method: 'POST', body: '{}' })
  await until(() => v1.received.some(({ target }) => target.includes('/auth/')))
  gateway.child.kill('SIGTERM')
  await until(() => gateway.output().includes('"msg":"stopping"'))
  expect(await readyz(admin)).toMatchObject({ code: 503, status: 'not ready', v1: 'well', goingDown: true })
  expect((await call).status).toBe(200)
  expect(await gateway.exit).toBe(0)
})
