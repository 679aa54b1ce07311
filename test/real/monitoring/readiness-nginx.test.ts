import { describe, expect, test } from 'vitest'
import { nginxVersion, runNginx } from '../../bench/peers/run-nginx.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { deadUrl } from '../../support/raw-server.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const hasNginx = (await nginxVersion()) !== undefined
const name = hasNginx ? 'behind nginx' : 'behind nginx (skipped: it is not installed)'

/** The answer of `/readyz` with nginx in front of both services. */
async function readyzBehind(location: string): Promise<object> {
  const nginx = await runNginx({ http: (port) => `server { listen 127.0.0.1:${port}; location / { ${location} } }` })
  closeAtEnd(nginx.stop)
  const gateway = await startGateway(nginx.url, { legacyUrl: nginx.url })
  const { status, text } = await callLegacy(await gateway.openAdmin(), { path: '/readyz' })
  return { code: status, ...(JSON.parse(text) as object) }
}

describe.skipIf(!hasNginx)(name, () => {
  test('a v1 that answers is ready', async () => {
    const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([]))))
    expect(await readyzBehind(`proxy_pass ${v1.url};`)).toMatchObject({ code: 200, v1: 'well', legacy: 'well' })
  })

  test.each([
    ['its own page', 'default_type text/html; return 200 "<h1>Welcome to nginx!</h1>";', 'well'],
    ['a redirect to another address', 'return 301 https://www.example.com$request_uri;', 'well'],
    ['a 404 for everything', 'return 404;', 'well'],
    ['a 429 of its own', 'return 429;', 'well'],
    ['a page for maintenance', 'return 503;', 'down'],
  ])('v1 is down when nginx answers %s', async (_, location, legacy) => {
    expect(await readyzBehind(location)).toMatchObject({ code: 200, status: 'ready', v1: 'down', legacy })
  })

  test('both services are down when nginx cannot reach them', async () => {
    expect(await readyzBehind(`proxy_pass ${await deadUrl()};`)).toMatchObject({
      code: 200,
      v1: 'down',
      legacy: 'down',
    })
  })
})
