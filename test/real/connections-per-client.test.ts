import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readAddressRanges } from '../../src/app/variable-schemas.ts'
import { startHttpServer } from '../support/http-server.ts'
import { startGateway, until } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { startShippedHaproxy } from './shipped-haproxy.ts'
import { freePort, isInstalled, makeFolder, startProgram } from './start-program.ts'

const LIMIT = 100
/** More than the calls that the gateway has under way at a time. */
const NOISY_CONNECTIONS = 300
const [NOISY, POLITE] = ['127.0.0.2', '127.0.0.3']

const PAGE = readFileSync('docs/behind-a-balancer.md', 'utf8')

/** The lines of the page that limit connections. */
const linesFor = (balancer: 'haproxy' | 'nginx'): string =>
  new RegExp(`## Connections per client[^]*?\`\`\`${balancer}\n([^]*?)\`\`\``).exec(PAGE)?.[1] ?? expect.unreachable()

async function startHaproxy(gateway: URL, admin: URL): Promise<string> {
  expect(readFileSync('deploy/haproxy/haproxy.cfg', 'utf8')).toContain(linesFor('haproxy'))
  const ports = { port: Number(gateway.port), adminPort: Number(admin.port) }
  const { url } = await startShippedHaproxy({ ...ports, addresses: () => [gateway.hostname] })
  return url
}

async function startNginx(gateway: URL): Promise<string> {
  const [port, folder] = [await freePort(), makeFolder()]
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const config = makeFolder({
    'nginx.conf': `
      daemon off; master_process off; pid ${folder}/pid;
      events { worker_connections 2048; }
      http {
        ${temporary.join(' ')} access_log off;
        ${linesFor('nginx')}
        server {
          listen 127.0.0.1:${port};
          location / { proxy_pass ${gateway.origin}; proxy_set_header X-Forwarded-For $remote_addr; }
        }
      }`,
  })
  await startProgram(['nginx', '-p', folder, '-c', join(config, 'nginx.conf'), '-e', 'stderr'], port)
  return `http://127.0.0.1:${port}`
}

/** Makes a call on a connection of its own. Resolves with the status; 0: the connection was closed. */
function callFrom(localAddress: string, url: string, authorization: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      `${url}/api/invoice/list`,
      { localAddress, method: 'POST', headers: { authorization }, agent: false },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    sent.on('error', () => resolve(0)).end('{}')
  })
}

describe.skipIf(process.platform !== 'linux').each([
  ['HAProxy', isInstalled('haproxy'), startHaproxy, 0],
  ['nginx', isInstalled('nginx'), startNginx, 429],
] as const)('behind %s with the lines of docs/behind-a-balancer.md', (_, isThere, start, refusal) => {
  test.skipIf(!isThere)(
    'a client with many connections gets no more than its share, and leaves slots to another',
    async () => {
      const page = JSON.stringify(v1Page([{ id: 1 }], { page: 1, perPage: 1, total: 1 }))
      const held: (() => void)[] = []
      const v1 = await startHttpServer(({ headers }, response) => {
        if (headers.authorization === 'Bearer noisy') held.push(() => response.end(page))
        else response.end(page)
      })
      const gateway = await startGateway(v1.url, {
        settings: { trustedProxies: readAddressRanges('127.0.0.1', (why) => expect.unreachable(why)) },
      })
      const url = await start(new URL(gateway.url), new URL(await gateway.openAdmin()))
      await expect.poll(() => callFrom(POLITE, url, 'Bearer polite'), { timeout: 10_000 }).toBe(200)
      const noisy = Array.from({ length: NOISY_CONNECTIONS }, () => callFrom(NOISY, url, 'Bearer noisy'))
      await until(() => held.length === LIMIT)
      const polite = await Promise.all(Array.from({ length: 10 }, () => callFrom(POLITE, url, 'Bearer polite')))
      expect(polite).toEqual(Array(10).fill(200))
      expect(held).toHaveLength(LIMIT)
      for (const answer of held) answer()
      const statuses = await Promise.all(noisy)
      expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
      expect(statuses.filter((status) => status === refusal)).toHaveLength(NOISY_CONNECTIONS - LIMIT)
    },
  )
})
