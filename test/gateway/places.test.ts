import { describe, expect, test } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { standInForV1 } from '../support/v1-stand-in.ts'

const answer = () => ({ body: v1Page([]) })

describe('with a base path', () => {
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
  ])('%s is answered %i', async (path, status) => {
    const gateway = await startGateway(standInForV1(answer).url, { settings: { basePath: '/old' } })
    expect((await gateway.call({ path })).status).toBe(status)
  })

  test('v1 is called without it', async () => {
    const v1 = standInForV1(answer)
    const gateway = await startGateway(v1.url, { settings: { basePath: '/old' } })
    await gateway.call({ path: '/old/country/all' })
    expect(v1.asked[0]?.path).toBe('/api/v1/public/shared/countries?page=1&perPage=200')
  })
})

test.each(['/prefix', '/prefix/', '/a/b'])(
  'a path of the v1 base URL such as %s comes before every path of v1',
  async (prefix) => {
    const v1 = standInForV1(answer)
    const gateway = await startGateway(v1.url + prefix)
    const reply = await gateway.call({ path: '/country/all' })
    const path = `${prefix.replace(/\/$/, '')}/api/v1/public/shared/countries`
    expect(v1.asked[0]?.path).toMatch(new RegExp(`^${path}\\?`))
    expect(reply.headers.link).toBe(`<${v1.url}${path}>; rel="successor-version"`)
  },
)

describe('the admin port', () => {
  test.each([200, 401, 404, 503])('is ready, healthy and alive, whatever v1 answers: %i', async (status) => {
    const v1 = standInForV1(() => ({ ...answer(), status }))
    const gateway = await startGateway(v1.url)
    const adminUrl = await gateway.openAdmin()
    for (const path of ['/readyz', '/healthz', '/livez']) {
      expect((await callLegacy(adminUrl, { path })).status, path).toBe(200)
    }
    expect(v1.asked).toHaveLength(1)
  })

  test('requires its token for everything but the health checks', async () => {
    const gateway = await startGateway(standInForV1(answer).url, { settings: { adminToken: 'a-long-admin-token' } })
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
    const gateway = await startGateway(standInForV1(answer).url)
    expect((await gateway.call({ path: '/healthz' })).status).toBe(404)
    expect((await callLegacy(await gateway.openAdmin(), { path: '/country/all' })).status).toBe(404)
  })
})
