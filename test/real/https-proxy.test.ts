import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startConnectProxy } from '../support/connect-proxy.ts'
import { startHttpServer } from '../support/http-server.ts'
import { deadUrl } from '../support/raw-server.ts'
import { COUNTRIES, fileOf, line, runReplay, startReplay } from '../support/run-replay.ts'
import { type StartedGateway, startGateway } from '../support/start-gateway.ts'
import { makeCertificates } from './certificates.ts'
import { freePort, isInstalled, makeFolder, startProgram } from './start-program.ts'

const LOGIN = { path: '/auth/application', body: '{"clientId":"a","secretKey":"b"}' }
const LIST = { path: '/api/invoice/list', headers: { authorization: 'Bearer t' }, body: '{}' }
const ELSEWHERE = { path: '/elsewhere' }
const ANSWER = JSON.stringify({
  ...{ success: true, message: '', data: { token: 't' }, token: 't', items: [] },
  meta: { page: 1, perPage: 25, total: 0, pageCount: 0 },
})

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The connection on which it arrived, and its protocol: HTTP/1.1. */
  readonly connection: unknown
  readonly httpVersion: string
}

describe.skipIf(!isInstalled('openssl'))(
  'a service over https with HTTPS_PROXY (with openssl)',
  { timeout: 60_000 },
  () => {
    if (!isInstalled('openssl')) return
    const { ca, server: pair, client } = makeCertificates()
    const tls = { key: readFileSync(pair.key), cert: readFileSync(pair.certificate) }

    async function startService() {
      const received: Received[] = []
      const mutual = { ...tls, ca: readFileSync(ca), requestCert: true, ALPNProtocols: ['h2', 'http/1.1'] }
      const server = createServer(mutual, ({ url: path = '', headers, socket: connection, httpVersion }, response) => {
        received.push({ path, headers, connection, httpVersion })
        response.end(ANSWER)
      })
      server.on('tlsClientError', () => undefined)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closeAtEnd(() => {
        server.closeAllConnections()
        server.close()
      })
      const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`
      return { url: `https://${authority}`, authority, received }
    }

    const shown = { CLIENT_CERT: client.certificate, CLIENT_KEY: client.key, CA: ca }
    const certificates = Object.fromEntries(
      Object.entries(shown).flatMap(([name, path]) => [
        [`V1_${name}`, path],
        [`LEGACY_${name}`, path],
      ]),
    )

    /** A gateway in front of one service, which is both v1 and legacy. */
    function startProxied(service: string, env: Readonly<Record<string, string>>): Promise<StartedGateway> {
      const { connecting } = readConfig({ ...certificates, ...env })
      return startGateway(service, { settings: { connecting, upstreamTimeoutMs: 2_000 }, legacyUrl: service })
    }

    test('is called through kept tunnels: v1, legacy, logins, calls that are passed on, and the probe', async () => {
      const [service, proxy] = [await startService(), await startConnectProxy()]
      const gateway = await startProxied(service.url, { HTTPS_PROXY: proxy.url })
      const calls = [LOGIN, LIST, LIST, LIST, ELSEWHERE, ELSEWHERE]
      for (const call of calls) expect(await gateway.call(call)).toMatchObject({ status: 200 })
      await fetch(`${await gateway.openAdmin()}/readyz`)
      expect(service.received.length).toBeGreaterThanOrEqual(calls.length + 2)
      expect(new Set(service.received.map(({ httpVersion }) => httpVersion))).toEqual(new Set(['1.1']))
      expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(new Set([service.authority]))
      // One tunnel for each pool in use: reads and others of v1 and of legacy, and calls that are passed on.
      expect(proxy.asked).toHaveLength(5)
      expect(new Set(service.received.map(({ connection }) => connection)).size).toBe(5)
    })

    test('learns nothing about the proxy, nor the proxy about a client', async () => {
      const [service, proxy] = [await startService(), await startConnectProxy()]
      const gateway = await startProxied(service.url, { HTTPS_PROXY: proxy.url.replace('//', '//me:hush@') })
      await gateway.call(LIST)
      await gateway.call(ELSEWHERE)
      for (const { headers } of service.received) {
        expect(headers.host).toBe(service.authority)
        expect(Object.keys(headers).filter((name) => name.startsWith('proxy-'))).toEqual([])
      }
      const authorization = `Basic ${Buffer.from('me:hush').toString('base64')}`
      for (const { headers } of proxy.asked) {
        expect(headers).toEqual({
          host: service.authority,
          connection: expect.any(String),
          'proxy-authorization': authorization,
        })
      }
    })

    test('is connected to directly when NO_PROXY names it, and always over http', async () => {
      const [service, proxy] = [await startService(), await startConnectProxy()]
      const plain = await startHttpServer((_, response) => response.end(ANSWER))
      const gateways = [
        await startProxied(service.url, { HTTPS_PROXY: proxy.url, NO_PROXY: 'example.com, 127.0.0.0/8' }),
        await startProxied(plain.url, { HTTPS_PROXY: proxy.url }),
      ]
      for (const gateway of gateways) expect((await gateway.call(LIST)).status).toBe(200)
      expect(proxy.asked).toEqual([])
    })

    test('is called through a proxy that uses TLS itself, and an untrusted proxy is sent nothing', async () => {
      const [service, proxy] = [await startService(), await startConnectProxy(undefined, tls)]
      const sides = [fileOf(line(COUNTRIES)), '--legacy', service.url, '--v1', service.url]
      const env = { ...certificates, HTTPS_PROXY: proxy.url }
      const trusting = await startReplay(sides, { ...env, NODE_EXTRA_CA_CERTS: ca }).end
      expect(trusting.errors).toContain('Replaying 1 exchange')
      const asked = proxy.asked.length
      expect(asked).toBeGreaterThan(2)
      const { exit, errors } = await runReplay(sides, env)
      expect(exit).toBe(2)
      expect(errors).toMatch(/^cannot connect to v1 at \S+: the proxy at https:\S+: .*\(\w*(UNABLE|SELF_SIGNED)/m)
      expect(proxy.asked).toHaveLength(asked)
    })

    test.each<readonly [string, string | undefined, string]>([
      [
        'requires other credentials',
        'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno',
        'unreachable',
      ],
      ['cannot reach it', 'HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n', 'unreachable'],
      ['redirects', 'HTTP/1.1 302 Found\r\nLocation: http://login.test/\r\n\r\n', 'unreachable'],
      ['does not speak HTTP', 'SSH-2.0-x\r\n', 'unreachable'],
      ['hangs up', '', 'unreachable'],
      ['never answers', undefined, 'timeout'],
    ])('is %s when the proxy %s', async (_, says, kind) => {
      const service = await startService()
      const proxy = await startConnectProxy((_, socket) => {
        if (says !== undefined) socket.end(says)
      })
      const gateway = await startProxied(service.url, { HTTPS_PROXY: proxy.url.replace('//', '//me:hush@') })
      expect(await gateway.call(LIST)).toMatchObject({ status: 500, headers: { 'x-gateway-error': kind } })
      const passedOn = await gateway.call(ELSEWHERE)
      expect(passedOn).toMatchObject({ status: kind === 'timeout' ? 504 : 502, headers: { 'x-gateway-error': kind } })
      expect(service.received).toEqual([])
      // Each call requests one tunnel: there is no automatic retry.
      expect(proxy.asked).toHaveLength(2)
      const log = JSON.stringify(gateway.log)
      if (kind === 'unreachable') expect(log).toContain(`the proxy at ${proxy.url}: `)
      expect(log).not.toMatch(new RegExp(`hush|${Buffer.from('me:hush').toString('base64')}`))
    })

    test('is unreachable when the proxy is down, and replay reports why', async () => {
      const service = await startService()
      const HTTPS_PROXY = await deadUrl()
      const gateway = await startProxied(service.url, { HTTPS_PROXY })
      expect(await gateway.call(LOGIN)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
      const sides = [fileOf(line(COUNTRIES)), '--legacy', service.url, '--v1', service.url]
      const { exit, errors } = await runReplay(sides, { ...certificates, HTTPS_PROXY })
      expect(exit).toBe(2)
      expect(errors).toContain(
        `cannot connect to v1 at ${service.url}: the proxy at ${HTTPS_PROXY}: connection refused`,
      )
      expect(service.received).toEqual([])
    })

    describe.skipIf(!isInstalled('tinyproxy'))('tinyproxy as the proxy', () => {
      async function startTinyproxy(more = '') {
        const [port, folder] = [await freePort(), makeFolder()]
        const config = `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nLogLevel Connect\n${more}\n`
        const file = join(makeFolder({ 'tinyproxy.conf': `PidFile "${folder}/pid"\n${config}` }), 'tinyproxy.conf')
        const program = await startProgram(['tinyproxy', '-d', '-c', file], port)
        return { ...program, authority: `127.0.0.1:${port}` }
      }

      test('passes calls with the required credentials', async () => {
        const service = await startService()
        const { authority, said } = await startTinyproxy('BasicAuth me hush')
        const gateway = await startProxied(service.url, { https_proxy: `http://me:hush@${authority}` })
        for (const call of [LOGIN, LIST, ELSEWHERE]) expect((await gateway.call(call)).status).toBe(200)
        expect(said()).toContain(`CONNECT ${service.authority} HTTP/1.1`)
        const stranger = await startProxied(service.url, { https_proxy: authority })
        const arrived = service.received.length
        expect(await stranger.call(LIST)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
        expect(JSON.stringify(stranger.log)).toContain('it answered CONNECT with 407')
        expect(service.received).toHaveLength(arrived)
      })

      test('makes the service unreachable when it forbids the port', async () => {
        const service = await startService()
        const { authority } = await startTinyproxy('ConnectPort 443')
        const gateway = await startProxied(service.url, { HTTPS_PROXY: authority })
        expect(await gateway.call(LIST)).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
        expect(JSON.stringify(gateway.log)).toContain('it answered CONNECT with 403')
      })
    })
  },
)
