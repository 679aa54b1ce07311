import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { type RunningGateway, startGateway } from '../../src/app/start-gateway.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startShippedHaproxy } from './shipped-haproxy.ts'
import { freePort, isInstalled } from './start-program.ts'

const ADMIN_TOKEN = 'sixteen-characters'
/** On Linux all of 127.0.0.0/8 is this machine. */
const canRun = process.platform === 'linux' && isInstalled('haproxy')

/** Three gateways, each at an address of its own, and HAProxy as docker-compose.yml runs it, with other ports. */
async function startFleet(legacyUrl: string) {
  const [port, adminPort] = [await freePort(), await freePort()]
  const started = new Map<string, RunningGateway>()
  for (const HOST of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
    const gateway = await startGateway(
      readConfig({
        ...{ HOST, PORT: `${port}`, ADMIN_HOST: HOST, ADMIN_PORT: `${adminPort}`, ADMIN_TOKEN, LOG_LEVEL: 'silent' },
        ...{ V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: legacyUrl, SERVE: 'v1', DRAIN_MS: '2000' },
        TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
      }),
    )
    closeAtEnd(() => gateway.stop())
    started.set(HOST, gateway)
  }
  return { ...(await startShippedHaproxy({ port, adminPort, addresses: () => [...started.keys()] })), started }
}

/** Makes the call until it is answered with success. */
async function answered(url: string, path: string, headers = {}): Promise<string> {
  for (;;) {
    const { status, text } = await callLegacy(url, { path, headers })
    if (status === 200) return text
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe.skipIf(!canRun)(
  'three gateways behind the HAProxy of docker-compose.yml (with haproxy)',
  { timeout: 60_000 },
  () => {
    it('are found by name, share the calls, and one that stops and leaves fails none', async () => {
      const legacy = await startHttpServer((_, response) => response.end('of legacy'))
      const { url, adminUrl, started } = await startFleet(legacy.url)
      await answered(url, '/elsewhere')
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
      const calls = async (gateway: RunningGateway): Promise<number> => {
        const { text } = await callLegacy(gateway.adminUrl, { path: '/metrics', headers })
        return [...text.matchAll(/^legacy_gateway_calls_total\{.*\} (\d+)$/gm)].reduce(
          (sum, [, n]) => sum + Number(n),
          0,
        )
      }
      while ((await Promise.all([...started.values()].map(calls))).includes(0)) await answered(url, '/elsewhere')
      const [[first, leaving] = expect.unreachable()] = started
      let isGone = false
      const stopped = leaving.stop().then(() => {
        isGone = true
      })
      const statuses = new Set<number>()
      for (let after = 0; after < 20; after += isGone ? 1 : 0) {
        statuses.add((await callLegacy(url, { path: '/elsewhere' })).status)
        if (isGone) started.delete(first)
      }
      await stopped
      expect([...statuses]).toEqual([200])
      expect(await answered(adminUrl, '/', headers)).toContain('<html')
    })

    it('learn only from the balancer who called', async () => {
      const legacy = await startHttpServer((_, response) => response.end('of legacy'))
      const { url } = await startFleet(legacy.url)
      const claimed = '198.51.100.1'
      const headers = { forwarded: `for=${claimed}`, 'x-forwarded-for': claimed, 'x-forwarded-host': claimed }
      await answered(url, '/elsewhere', headers)
      const [received] = legacy.received.filter(({ target }) => target === '/elsewhere')
      expect(JSON.stringify(received?.headers)).not.toContain(claimed)
      expect(received?.headers['x-forwarded-for']).toMatch(/^127\.0\.0\.1\b/)
    })
  },
)
