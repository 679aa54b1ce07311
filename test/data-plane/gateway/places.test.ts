import { beforeAll, describe, expect, test } from 'vitest'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

/** The status with which v1 answers. */
let status = 200
let v1: HttpServer
beforeAll(async () => {
  v1 = await startHttpServer((_, response) => response.writeHead(status).end(JSON.stringify(v1Page([]))))
})

describe('with a base path', () => {
  let gateway: StartedGateway
  beforeAll(async () => {
    gateway = await startGateway(v1.url, { settings: { basePath: '/old' } })
  })

  test('v1 is called without it', async () => {
    await gateway.call({ path: '/old/country/all' })
    expect(v1.received.at(-1)?.target).toBe('/api/v1/public/shared/countries?page=1&perPage=200')
  })

  test.each([
    ['/old/country/all', 200],
    ['/old/country/all?code=TR', 200],
    ['/country/all', 404],
    ['/old', 404],
    ['/old/', 404],
    ['/OLD/country/all', 404],
    ['/old//country/all', 404],
    ['/old/old/country/all', 404],
    ['/old/../country/all', 404],
  ])('%s is answered %i', async (path, expected) => {
    expect((await gateway.call({ path })).status).toBe(expected)
  })
})

test.each(['/prefix', '/prefix/', '/a/b'])(
  'a path of the v1 base URL such as %s comes before every path of v1',
  async (prefix) => {
    const gateway = await startGateway(v1.url + prefix, {
      settings: { v1PublicUrl: new URL(`http://v1.test${prefix}`) },
    })
    const reply = await gateway.call({ path: '/country/all' })
    const path = `${prefix.replace(/\/$/, '')}/api/v1/public/shared/countries`
    expect(v1.received.at(-1)?.target).toBe(`${path}?page=1&perPage=200`)
    expect(reply.headers.link).toBe(`<http://v1.test${path}>; rel="successor-version"`)
  },
)

describe('the admin port', () => {
  test.each([200, 401, 404, 503])('is ready, healthy and alive, whatever v1 answers: %i', async (answered) => {
    status = answered
    const asked = v1.received.length
    const gateway = await startGateway(v1.url)
    const adminUrl = await gateway.openAdmin()
    for (const path of ['/readyz', '/healthz', '/livez']) {
      expect((await callLegacy(adminUrl, { path })).status, path).toBe(200)
    }
    expect(v1.received).toHaveLength(asked + 1)
    status = 200
  })

  test('requires its token for everything but the health checks', async () => {
    const gateway = await startGateway(v1.url, { settings: { adminToken: 'a-long-admin-token' } })
    const adminUrl = await gateway.openAdmin()
    const ask = async (path: string, authorization = '') =>
      (await callLegacy(adminUrl, { path, headers: { authorization } })).status
    expect([await ask('/healthz'), await ask('/livez'), await ask('/readyz')]).toEqual([200, 200, 200])
    expect([await ask('/metrics'), await ask('/'), await ask('/x', 'Bearer a-long-admin-tokem')]).toEqual([
      401, 401, 401,
    ])
    expect(await ask('/nothing', 'Bearer a-long-admin-token')).toBe(404)
  })

  test('does not serve the legacy interface, nor the legacy port the admin paths', async () => {
    const gateway = await startGateway(v1.url)
    expect((await gateway.call({ path: '/healthz' })).status).toBe(404)
    expect((await callLegacy(await gateway.openAdmin(), { path: '/country/all' })).status).toBe(404)
  })
})
