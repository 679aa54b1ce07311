import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Readiness } from '../../src/observe/readiness.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { deadUrl } from '../support/raw-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startConfigured } from '../support/start-configured.ts'
import { startGateway, until } from '../support/start-gateway.ts'
import { v1Error, v1Page, v1Record } from '../support/v1-bodies.ts'

async function readyz(adminUrl: string, path = '/readyz'): Promise<Readiness & { readonly code: number }> {
  const { status, text } = await callLegacy(adminUrl, { path })
  return { code: status, ...(JSON.parse(text) as Readiness) }
}

const closed = (upstream: string, ...lanes: readonly string[]) => lanes.map((lane) => ({ upstream, lane, open: false }))

/** A service that gives every call the same answer, and the admin port of a gateway in front of it. */
async function adminOver(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  const v1 = await startHttpServer((_, response) => response.writeHead(status, headers).end(body))
  return (await startGateway(v1.url)).openAdmin()
}

test('a gateway that can answer calls is ready, and lists what it checked', async () => {
  const sides = await startSideBySide({ operations: {} })
  for (const path of ['/readyz', '/readyz?strict']) {
    expect(await readyz(sides.adminUrl, path)).toEqual({
      ...{
        code: 200,
        status: 'ready',
        v1: 'well',
        legacy: 'well',
        goingDown: false,
        rollout: 'in effect',
        mapping: 'none',
      },
      breakers: [...closed('v1', 'reads', 'others'), ...closed('legacy', 'reads', 'others', 'logins')],
      services: { v1: sides.v1Url, legacy: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
      state: 'ok',
    })
  }
})

test('with v1 down the gateway is unready only when asked strictly; it names the lanes whose breaker is open', async () => {
  const v1 = await deadUrl()
  const gateway = await startGateway(`${v1}/prefix/`)
  const admin = await gateway.openAdmin()
  for (let call = 0; call < 12; call++) await gateway.call({ path: '/auth/application', body: '{}' })
  const breakers = [...closed('v1', 'reads'), { upstream: 'v1', lane: 'others', open: true }]
  const details = {
    services: { v1: `${v1}/prefix` },
    v1: 'down',
    why: { v1: 'connection refused' },
    goingDown: false,
    rollout: 'none',
    mapping: 'none',
    breakers,
    state: 'ok',
  }
  expect(await readyz(admin)).toEqual({ code: 200, status: 'ready', ...details })
  for (const path of ['/readyz?strict', '/readyz?strict=true', '/readyz?x&strict=1']) {
    expect(await readyz(admin, path), path).toEqual({ code: 503, status: 'not ready', ...details })
  }
  expect((await readyz(admin, '/readyz?strict=false')).code).toBe(200)
})

describe('v1 is well', () => {
  const page = JSON.stringify(v1Page([]))
  const error = JSON.stringify(v1Error(400, 'NO').body)
  test.each([
    ['a page', 200, page],
    ['a page after a byte order mark', 200, `\uFEFF${page}`],
    ['that a token is needed', 401, error],
    ['that the request is invalid', 422, error],
    ['that it is called too often', 429, error],
  ])('when it answers %s', async (_, status, body) => {
    expect(await readyz(await adminOver(status, body), '/readyz?strict')).toMatchObject({ code: 200, v1: 'well' })
  })
})

describe('v1 is down, even if something answers at its address,', () => {
  const page = JSON.stringify(v1Page([]))
  const html = '<!doctype html><title>Welcome</title>'
  test.each([
    ['HTML', 200, html],
    ['an empty answer', 200, ''],
    ['JSON of something else', 200, '{"status":"ok"}'],
    ['a list', 200, '[]'],
    ['null', 200, 'null'],
    ['a record where there should be a list', 200, JSON.stringify(v1Record({ id: 1 }))],
    ['a page with success: false', 200, page.replace('true', 'false')],
    ['a page without its counts', 200, page.replace('"meta"', '"atem"')],
    ['no content', 204, ''],
    ['a redirect', 302, page],
    ['a 404 everywhere', 404, '{"message":"no Route matched with those values"}'],
    ['a 404 in the words of v1', 404, JSON.stringify(v1Error(404, 'NOT_FOUND').body)],
    ['a 403 of a proxy', 403, html],
    ['a 429 of a proxy', 429, '{"message":"Too many requests"}'],
    ['a page as an error', 401, page],
    ['an error of v1 that says so', 503, JSON.stringify(v1Error(503, 'DEPENDENCY_UNAVAILABLE').body)],
    ['a page as a 500', 500, page],
  ])('when that answers %s', async (_, status, body) => {
    const admin = await adminOver(status, body, status === 302 ? { location: '/elsewhere' } : {})
    expect(await readyz(admin)).toMatchObject({ code: 200, status: 'ready', v1: 'down' })
    expect((await readyz(admin, '/readyz?strict')).code).toBe(503)
  })
})

test('an outage of v1 and its end are noticed within 5 seconds, without traffic', async () => {
  let isWell = true
  const v1 = await startHttpServer((_, response) => response.end(isWell ? JSON.stringify(v1Page([])) : '<html>'))
  const gateway = await startGateway(v1.url)
  const admin = await gateway.openAdmin()
  const expectWithin5s = async (health: string): Promise<void> => {
    const end = performance.now() + 5_000
    while ((await readyz(admin)).v1 !== health && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect((await readyz(admin)).v1).toBe(health)
  }
  await expectWithin5s('well')
  isWell = false
  await expectWithin5s('down')
  isWell = true
  await expectWithin5s('well')
  expect(v1.received.every(({ target }) => target === '/api/v1/public/shared/countries?perPage=1')).toBe(true)
  expect(v1.received.length).toBeLessThan(12)
})

test('a probe is answered within one second, even while both services hang', async () => {
  const hangs = await startHttpServer(() => undefined)
  const gateway = await startGateway(hangs.url, { legacyUrl: hangs.url })
  const admin = await gateway.openAdmin()
  for (let time = 0; time < 3; time++) {
    const started = performance.now()
    expect(await readyz(admin)).toMatchObject({ code: 200, v1: 'down', legacy: 'down' })
    expect(performance.now() - started).toBeLessThan(900)
  }
  expect(hangs.received).toHaveLength(2)
})

describe('the legacy service', () => {
  test.each([
    [200, 'well'],
    [404, 'well'],
    [500, 'well'],
    [302, 'well'],
    [502, 'down'],
    [503, 'down'],
    [504, 'down'],
  ])('that answers %i is %s', async (status, health) => {
    const legacy = await startHttpServer((_, response) => response.writeHead(status, { location: '/x' }).end('<html>'))
    const gateway = await startGateway(await deadUrl(), { legacyUrl: legacy.url })
    expect(await readyz(await gateway.openAdmin())).toMatchObject({ code: 200, legacy: health })
  })

  test('that is unreachable is down, which never makes the gateway unready', async () => {
    const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([]))))
    const gateway = await startGateway(v1.url, { legacyUrl: await deadUrl() })
    const admin = await gateway.openAdmin()
    expect(await readyz(admin, '/readyz?strict')).toMatchObject({ code: 200, v1: 'well', legacy: 'down' })
  })
})

test('a refused rollout file is reported without any of its content', async () => {
  const sides = await startSideBySide({ operations: {} })
  writeFileSync(sides.rolloutFile, '{"operations":{"no-such-operation":{"serve":"v1"}}}')
  await until(() => sides.gateway.log.some(({ msg }) => String(msg).startsWith('ROLLOUT_FILE is refused')))
  const { status, text } = await callLegacy(sides.adminUrl, { path: '/readyz?strict' })
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ status: 'ready', rollout: 'refused' })
  expect(text).not.toContain('no-such-operation')
})

test('a gateway that is stopping is alive but not ready, although v1 is well', async () => {
  let answerLogin = (): unknown => undefined
  const v1 = await startHttpServer(({ target }, response) => {
    if (target.includes('/countries')) response.end(JSON.stringify(v1Page([])))
    else answerLogin = () => response.end(JSON.stringify(v1Record({ token: 't' })))
  })
  const gateway = await startConfigured({ V1_BASE_URL: v1.url, SHUTDOWN_GRACE_MS: '10000' })
  const admin = gateway.adminUrl
  expect(await readyz(admin)).toMatchObject({ code: 200, goingDown: false })
  const call = fetch(`${gateway.legacyUrl}/auth/application`, { method: 'POST', body: '{}' })
  await until(() => v1.received.some(({ target }) => target.includes('/auth/')))
  const stopped = gateway.stop()
  expect(await readyz(admin)).toMatchObject({ code: 503, status: 'not ready', v1: 'well', goingDown: true })
  expect((await callLegacy(admin, { path: '/livez' })).status).toBe(200)
  answerLogin()
  expect((await call).status).toBe(200)
  await stopped
})
