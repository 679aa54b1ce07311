import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, listens } from '../processes.ts'

/** Where Debian installs servers, besides the folders of users' programs. */
const PATH = `${process.env.PATH}:/usr/sbin`

/** The ports of a gateway on loopback. */
export type Ports = readonly [port: number, adminPort: number]

export interface Balancer {
  readonly url: string
  stop(): Promise<void>
}

export const balancers = ['haproxy', 'nginx'] as const
export type BalancerName = (typeof balancers)[number]

/**
 * Starts HAProxy in front of one gateway, whose `TRUSTED_PROXIES` must name 127.0.0.1: it says who called.
 * @param isLimiting whether it limits the connections of each client, as `docs/behind-a-balancer.md` recommends.
 */
export const startHaproxy = (gateway: Ports, isLimiting: boolean): Promise<Balancer> =>
  startBalancer('haproxy', [gateway, gateway], false, isLimiting ? `${FORWARDED}${limitOfConnections()}` : FORWARDED)

const FORWARDED = '  http-request set-header X-Forwarded-For %[src]\n'

/** The lines of the page that limit connections in HAProxy. */
const limitOfConnections = (): string => /## Connections per client.*?```haproxy\n(.*?)```/s.exec(readPage())?.[1] ?? ''

/**
 * Starts one in front of two gateways, configured as `docs/behind-a-balancer.md` recommends.
 * @param isBare without HAProxy's handling of refused connections.
 * @param frontend further lines of HAProxy's frontend.
 */
export async function startBalancer(
  name: BalancerName,
  gateways: readonly [Ports, Ports],
  isBare = false,
  frontend = '',
): Promise<Balancer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'legacy-gateway-'))
  const file = join(folder, `${name}.conf`)
  const frame = name === 'nginx' ? nginxConf : haproxyConf(frontend)
  const block = recommended(name, gateways)
  writeFileSync(
    file,
    frame(port, isBare ? block.replaceAll(/^.*(redispatch|retries|retry-on).*$/gm, '') : block, folder),
  )
  const args = name === 'nginx' ? ['-p', folder, '-c', file, '-e', 'stderr'] : ['-db', '-f', file]
  const child = spawn(name, args, { env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended before it listened: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The code block of the page in this language, with these gateways in place of the page's. */
function recommended(name: BalancerName, gateways: readonly [Ports, Ports]): string {
  const [, block = ''] = new RegExp(`\`\`\`${name}\n([^]*?)\`\`\``).exec(readPage()) ?? []
  return gateways.reduce(
    (text, [port, adminPort], index) =>
      text
        .replaceAll(`10.0.0.${index + 1}:8080 port 8081`, `127.0.0.1:${port} port ${adminPort}`)
        .replaceAll(`10.0.0.${index + 1}:8080`, `127.0.0.1:${port}`),
    block,
  )
}

const readPage = (): string => readFileSync(join(import.meta.dirname, '../../../docs/behind-a-balancer.md'), 'utf8')

const haproxyConf =
  (frontend: string) =>
  (port: number, backend: string): string =>
    `
global
  maxconn 8000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend front
  bind 127.0.0.1:${port}
${frontend}  default_backend gateways
${backend}`

const nginxConf = (port: number, block: string, folder: string): string => `
daemon off; master_process off; pid ${folder}/pid;
events { worker_connections 8192; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder};`).join(' ')}
  access_log off; keepalive_requests 1000000;
  ${block.replace('server {\n', `server {\n  listen 127.0.0.1:${port};\n`)}
}`

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
