import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy, sendBytes } from '../support/legacy-client.ts'
import { startConfigured } from '../support/start-configured.ts'
import { startGateway } from '../support/start-gateway.ts'

const TOKEN = 'a-token-of-the-admin'
const WITH_TOKEN = [
  ...[
    '/',
    '/traffic',
    '/side-by-side',
    '/side-by-side/invoice-list',
    '/explain',
    '/mappings',
    '/mappings/price',
    '/rollout',
    '/fleet',
  ],
  ...[
    '/metrics',
    '/experiments',
    '/replicas',
    '/dossier',
    '/openapi.json',
    '/postman.json',
    '/openapi-v1.json',
    '/schemas/rollout.json',
    '/schemas/mapping.json',
    '/assets/style.css',
    '/assets/plots.js',
    '/nothing',
  ],
]
/** Those that tell clients of another method which one is allowed. */
const CUTOVER = ['/cutover', '/cutover/invoice-list/stop', '/audit', '/brownouts', '/brownouts/end']
/** Spellings that some server takes for another path, starting with one that needs no token. */
const TRICKS = [
  ...[
    '/healthz/../metrics',
    '/healthz/..%2fmetrics',
    '/healthz//metrics',
    '/healthz/metrics',
    '//metrics',
    '/./metrics',
  ],
  ...[
    '/metrics/',
    '/METRICS',
    '/%6detrics',
    '/metrics?/healthz',
    '/metrics%3f/healthz',
    '/metrics;/healthz',
    '/healthz;',
  ],
  ...[
    'http://127.0.0.1/metrics',
    'http://x/healthz/../metrics',
    '/healthz\\..\\metrics',
    '/healthz/',
    '/livez/',
    '/readyz/x',
  ],
]

let admin: string
let publicUrl: string
let legacyGot: () => readonly string[]
beforeAll(async () => {
  const v1 = await startHttpServer((_, response) => response.end('{}'))
  const legacy = await startHttpServer((_, response) => response.end('of legacy'))
  const gateway = await startGateway(v1.url, { legacyUrl: legacy.url, settings: { adminToken: TOKEN } })
  publicUrl = gateway.url
  admin = await gateway.openAdmin()
  legacyGot = () => legacy.received.map(({ target }) => target)
})

describe('without its token the admin port', () => {
  test.each(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE'])('reveals nothing at any path by %s', async (method) => {
    const revealed = await thoseOf([...WITH_TOKEN, ...CUTOVER, '/evidence/reset', ...TRICKS], async (path) => {
      if (path === '/' && method === 'OPTIONS') return false
      const answer = await sendBytes(admin, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      const refused = method === 'TRACE' ? /^HTTP\/1\.1 40[05] / : /^HTTP\/1\.1 40[01] /
      return !refused.test(answer) || /legacy_gateway_|<html|"operations"|openapi/.test(answer)
    })
    expect(revealed).toEqual([])
  })

  test('answers OPTIONS / with a status that says whether to send calls', async () => {
    const answer = await sendBytes(admin, 'OPTIONS / HTTP/1.0\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe('')
  })

  test.each([
    ['/healthz', ['status']],
    ['/livez', ['status']],
    ['/readyz', ['status', 'v1', 'legacy', 'goingDown', 'rollout', 'mapping', 'breakers', 'state']],
  ])('reveals at %s only whether it and the services are well', async (path, members) => {
    const { text } = await callLegacy(admin, { path })
    expect(Object.keys(JSON.parse(text))).toEqual(members)
    expect(text).not.toMatch(/http|\d{4}|127\.|localhost/)
  })

  test('names the services at /readyz only to those who send the token', async () => {
    const { text } = await callLegacy(admin, { path: '/readyz', headers: { authorization: `Bearer ${TOKEN}` } })
    expect(JSON.parse(text)).toMatchObject({ services: { v1: expect.stringMatching(/^http/) } })
    const wrong = await callLegacy(admin, { path: '/readyz', headers: { authorization: `Bearer ${TOKEN}x` } })
    expect(wrong.text).not.toMatch(/http|127\./)
  })

  test('accepts the token in the Authorization header only', async () => {
    const headers = { cookie: `token=${TOKEN}`, 'x-admin-token': TOKEN, 'proxy-authorization': `Bearer ${TOKEN}` }
    const path = `/metrics?token=${TOKEN}&access_token=${TOKEN}`
    expect((await callLegacy(admin, { path, headers })).status).toBe(401)
  })
})

describe('with its token', () => {
  describe.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('by %s', (method) => {
    test('nothing can be changed at any path that pages and programs read', async () => {
      const accepted = await thoseOf(WITH_TOKEN, async (path) => {
        if ((path === '/explain' && method === 'POST') || (path === '/' && method === 'OPTIONS')) return false
        const headers = { authorization: `Bearer ${TOKEN}` }
        return (await callLegacy(admin, { method, path, headers, body: '{}' })).status !== 404
      })
      expect(accepted).toEqual([])
    })

    test('nothing can be changed at /cutover, /audit and /brownouts, which say that they take GET', async () => {
      const accepted = await thoseOf(['/cutover', '/audit', '/brownouts'], async (path) => {
        const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
        const answer = await callLegacy(admin, { method, path, headers, body: '{"by":"Ada","why":"so"}' })
        return answer.status !== 405 || answer.headers.allow !== 'GET, HEAD'
      })
      expect(accepted).toEqual([])
    })
  })
})

// The time that a comparison of texts takes would reveal how many characters are right.
test('the admin token is compared by digests of one length, in constant time', async () => {
  const { timingSafeEqual } = crypto
  const compared: (readonly [number, number])[] = []
  crypto.timingSafeEqual = (one, other) => {
    compared.push([one.byteLength, other.byteLength])
    return timingSafeEqual(one, other)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    crypto.timingSafeEqual = timingSafeEqual
    syncBuiltinESMExports()
  })
  vi.resetModules()
  const { adminToken } = await import('../../src/control-plane/admin/admin-access.ts')
  const { Hono } = await import('hono')
  const app = new Hono().use(adminToken(TOKEN)).get('/', (c) => c.text('in'))
  const statusOf = async (authorization?: string): Promise<number> =>
    (await app.request('/', authorization === undefined ? {} : { headers: { authorization } })).status
  expect(await statusOf()).toBe(401)
  expect(await statusOf('Bearer a')).toBe(401)
  expect(await statusOf(`Bearer ${TOKEN.slice(0, -1)}x`)).toBe(401)
  expect(await statusOf(`Bearer ${TOKEN}`)).toBe(200)
  expect(compared).toEqual(Array(4).fill([32, 32]))
})

describe('through the public port', () => {
  test('every path of the admin port goes to the legacy service, even with the token', async () => {
    const paths = [...WITH_TOKEN, ...CUTOVER, '/healthz', '/livez', '/readyz']
    const before = legacyGot().length
    const kept = await thoseOf(paths, async (path) => {
      const headers = { authorization: `Bearer ${TOKEN}`, host: new URL(admin).host }
      return (await callLegacy(publicUrl, { path, headers })).text !== 'of legacy'
    })
    expect(kept).toEqual([])
    expect(legacyGot().slice(before).toSorted()).toEqual(paths.toSorted())
  })

  test.each(['/metrics', '/healthz', '/'])(
    '%s does not lead to the admin port, even with its address in the request line',
    async (path) => {
      const before = legacyGot().length
      const written = `GET ${admin}${path} HTTP/1.1\r\nHost: ${new URL(admin).host}\r\nConnection: close\r\n\r\n`
      expect(await sendBytes(publicUrl, written)).toContain('of legacy')
      expect(legacyGot().slice(before)).toEqual([path])
    },
  )

  test('every path of the admin port is 404 without a legacy service', async () => {
    const alone = await startGateway('http://127.0.0.1:9')
    const known = await thoseOf(
      [...WITH_TOKEN, ...CUTOVER],
      async (path) => (await alone.call({ path })).status !== 404,
    )
    expect(known).toEqual([])
  })
})

test.skipIf(process.platform !== 'linux')(
  'by default the admin port listens on 127.0.0.1 only, whatever HOST is',
  async () => {
    // On Linux all of 127.0.0.0/8 is this machine.
    const { legacyUrl, adminUrl } = await startConfigured({ HOST: '127.0.0.2', V1_BASE_URL: 'http://127.0.0.1:9' })
    expect(new URL(legacyUrl).hostname).toBe('127.0.0.2')
    expect(new URL(adminUrl).hostname).toBe('127.0.0.1')
    const { port } = new URL(adminUrl)
    await expect(connected('127.0.0.1', port)).resolves.toBe('connected')
    await expect(connected('127.0.0.2', port)).resolves.toBe('ECONNREFUSED')
  },
)

/** The paths for which something holds that must hold for none. They are tried at once. */
async function thoseOf(
  paths: readonly string[],
  holds: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const all = await Promise.all(paths.map(async (path) => ((await holds(path)) ? [path] : [])))
  return all.flat()
}

function connected(host: string, port: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), host)
    socket
      .once('connect', () => resolve('connected'))
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(`${code}`))
    socket.once('connect', () => socket.destroy())
  })
}
