import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, readFileSync, renameSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { startGateway } from '../../src/app/start-gateway.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { until } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { makeCertificates } from './certificates.ts'
import { isInstalled, makeFolder } from './start-program.ts'

const run = promisify(execFile)
const first = makeCertificates()
const second = makeCertificates('second')
const LIST = '/api/invoice/list'

/** Starts a gateway whose legacy port speaks TLS, before a v1 that answers with an empty list. */
async function start(env: Record<string, string> = {}) {
  const folder = makeFolder()
  const [cert, key] = [join(folder, 'tls.pem'), join(folder, 'tls.key')]
  const use = (pair: { readonly certificate: string; readonly key: string }): void => {
    for (const [from, to] of [
      [pair.key, key],
      [pair.certificate, cert],
    ] as const) {
      copyFileSync(from, `${to}.new`)
      renameSync(`${to}.new`, to)
    }
  }
  use(first.server)
  /** What v1 waits for before it answers. */
  const v1Waits = { for: Promise.resolve() as Promise<unknown> }
  const v1 = await startHttpServer(async (_, response) => {
    await v1Waits.for
    response.end(JSON.stringify(v1Page([], { perPage: 25 })))
  })
  const gateway = await startGateway(
    readConfig({
      ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', STATE_DB: ':memory:', DRAIN_MS: '0' },
      ...{ V1_BASE_URL: v1.url, TLS_CERT: cert, TLS_KEY: key, ...env },
    }),
  )
  closeAtEnd(() => gateway.stop())
  const { port } = new URL(gateway.legacyUrl)
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
  return { ...gateway, v1Waits, port: Number(port), use, cert, metric }
}

/** Calls a list. Resolves to the status and the serial number of the certificate that the gateway showed. */
const list = (port: number, agent: Agent | false = false): Promise<{ status: number; serial: string }> =>
  new Promise((resolve, reject) => {
    const ca = [first.ca, second.ca].map((path) => readFileSync(path))
    const sent = request({ host: '127.0.0.1', port, path: LIST, method: 'POST', agent, ca }, (response) => {
      const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, serial }))
    })
    sent.on('error', reject)
    sent.end('{}')
  })

const serialOf = (path: string): string => new X509Certificate(readFileSync(path)).serialNumber

/** Opens a TCP connection that says nothing. */
async function silent(port: number): Promise<Socket> {
  const socket = connectPlain(port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return socket
}

describe('a legacy port with TLS_CERT and TLS_KEY', () => {
  test.skipIf(!isInstalled('curl'))('answers over HTTPS, to curl too', async () => {
    const { legacyUrl, adminUrl } = await start()
    expect(legacyUrl).toMatch(/^https:/)
    const { stdout } = await run('curl', [
      '-sS',
      '--cacert',
      first.ca,
      '-d',
      '{}',
      '-w',
      '%{http_code} %{http_version}',
      `${legacyUrl}${LIST}`,
    ])
    expect(stdout).toMatch(/"data":\[\].*200 1\.1$/s)
    const { servers } = (await (await fetch(`${adminUrl}/openapi.json`)).json()) as { servers: { url: string }[] }
    expect(servers[0]?.url).toBe(`${legacyUrl}/`.replace(/\/$/, ''))
  })

  test.each([
    ['-tls1_2', true],
    ['-tls1_3', true],
    ['-tls1_1', false],
  ])('speaks TLS 1.2 and newer, and HTTP/1.1: openssl s_client %s', async (version, isSpoken) => {
    const { port } = await start()
    const parameters = ['s_client', version, '-cipher', 'ALL:@SECLEVEL=0', '-alpn', 'h2,http/1.1', '-CAfile', first.ca]
    const asked = run('openssl', [...parameters, '-connect', `127.0.0.1:${port}`])
    asked.child.stdin?.end()
    const { stdout } = await asked.catch((error: { readonly stdout: string }) => error)
    expect(/ALPN protocol: http\/1\.1/.test(stdout)).toBe(isSpoken)
    expect(/^New, TLSv1\.[23], Cipher is [A-Z]/m.test(stdout)).toBe(isSpoken)
  })

  test('tells the legacy service that the client used https', async () => {
    const seen: (string | undefined)[] = []
    const legacy = await startHttpServer((incoming, response) => {
      seen.push(String(incoming.headers['x-forwarded-proto']))
      response.end('{"data":[]}')
    })
    const { port } = await start({ LEGACY_BASE_URL: legacy.url, TOKEN_KEY: Buffer.alloc(32, 1).toString('base64') })
    expect((await list(port)).status).toBe(200)
    expect(seen).toEqual(['https'])
  })

  test('answers no plain HTTP, redirects nothing, and counts it', async () => {
    const { port, metric } = await start()
    await expect(fetch(`http://127.0.0.1:${port}${LIST}`, { method: 'POST', body: '{}' })).rejects.toThrow()
    expect(await metric('legacy_gateway_unreadable_requests_total')).toBe(1)
    const hungUp = await silent(port)
    hungUp.destroy()
    expect((await list(port)).status).toBe(200)
    expect(await metric('legacy_gateway_unreadable_requests_total')).toBe(1)
  })

  test('reads renewed files without losing a call, and stays with the old ones if the new ones cannot be used', async () => {
    const { port, use, cert } = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    onTestFinished(() => agent.destroy())
    let isOver = false
    const statuses: number[] = []
    const caller = async (): Promise<void> => {
      while (!isOver) statuses.push((await list(port, statuses.length % 2 === 0 ? agent : false)).status)
    }
    const callers = Array.from({ length: 4 }, caller)
    expect((await list(port)).serial).toBe(serialOf(first.server.certificate))
    copyFileSync(second.server.certificate, cert)
    expect((await list(port)).serial).toBe(serialOf(first.server.certificate))
    use(second.server)
    expect((await list(port)).serial).toBe(serialOf(second.server.certificate))
    await until(() => statuses.length > 100)
    isOver = true
    await Promise.all(callers)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('serves clients while others connect and say nothing, or nothing after TLS is agreed on', async () => {
    const { port, metric } = await start({ MAX_CONNECTIONS: '10' })
    for (let connection = 0; connection < 40; connection++) await silent(port)
    for (let connection = 0; connection < 10; connection++) {
      const agreed = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
      agreed.on('error', () => undefined)
      onTestFinished(() => void agreed.destroy())
    }
    await until(async () => (await list(port).catch(() => undefined))?.status === 200)
    expect(await metric('legacy_gateway_connections')).toBeLessThanOrEqual(10)
  })

  test('serves as many clients that connect at once as a plain port', async () => {
    const { port } = await start({ MAX_CONNECTIONS: '10' })
    const calls = await Promise.all(Array.from({ length: 10 }, () => list(port)))
    expect(calls.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  })

  test('lets one more client than it serves wait, and answers the next with 503', async () => {
    const { port, v1Waits, metric } = await start({ MAX_CONNECTIONS: '1' })
    const { promise, resolve } = Promise.withResolvers<void>()
    v1Waits.for = promise
    const served = list(port)
    await until(async () => (await metric('legacy_gateway_connections')) === 1)
    const waiting = list(port)
    await until(async () => (await metric('legacy_gateway_connections_waiting')) === 1)
    expect((await list(port)).status).toBe(503)
    resolve()
    expect((await Promise.all([served, waiting])).map(({ status }) => status)).toEqual([200, 200])
  })

  test('stops at once although a client has connected and says nothing', async () => {
    const gateway = await start({ SHUTDOWN_GRACE_MS: '60000' })
    const socket = await silent(gateway.port)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    await gateway.stop()
    await closed
  })

  test('cuts off a head that does not end, as the plain port does', async () => {
    const { port } = await start()
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    onTestFinished(() => void socket.destroy())
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text
    })
    socket.write(`GET /country/all HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}`)
    await until(() => answer.includes('\r\n\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  })
})

test.each([
  [{ TLS_CERT: first.server.certificate }, /TLS_KEY must be set when TLS_CERT is/],
  [{ TLS_KEY: first.server.key }, /TLS_CERT must be set when TLS_KEY is/],
  [{ TLS_CERT: '/nowhere.pem', TLS_KEY: first.server.key }, /TLS_CERT: \/nowhere\.pem cannot be read/],
  [
    { TLS_CERT: first.server.certificate, TLS_KEY: second.server.key },
    /TLS_KEY: \S+ does not match the certificate in \S+ \(TLS_CERT\)/,
  ],
])('a start with files that cannot be used says which and why: %j', (env, message) => {
  expect(() => readConfig({ V1_BASE_URL: 'http://127.0.0.1:1', ...env })).toThrow(message)
})
