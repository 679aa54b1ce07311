import { copyFileSync, readFileSync, renameSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { COUNTRIES, fileOf, line, runReplay } from '../support/run-replay.ts'
import { servingAt, startService } from '../support/service-process.ts'
import { type StartedGateway, startGateway } from '../support/start-gateway.ts'
import { type Certificates, type KeyPair, makeCertificates } from './certificates.ts'
import { haproxy, nginx } from './proxies.ts'
import { isInstalled, makeFolder } from './start-program.ts'

const LOGIN = { path: '/auth/application', body: '{"clientId":"a","secretKey":"b"}' }
const LIST = { path: '/api/invoice/list', headers: { authorization: 'Bearer t' }, body: '{}' }
/** Valid as a login and as a list, both of v1 and of legacy. */
const ANSWER = JSON.stringify({
  ...{ success: true, message: '', data: { token: 't' }, token: 't', items: [] },
  meta: { page: 1, perPage: 25, total: 0, pageCount: 0 },
})

interface Asker {
  readonly path: string
  /** The name in the certificate that was shown. */
  readonly name: string
}

/** A service that requires a certificate of its authority and takes one call on each connection. */
async function startStrict({ ca, server: { certificate, key } }: Certificates) {
  const asked: Asker[] = []
  const files = { ca: readFileSync(ca), cert: readFileSync(certificate), key: readFileSync(key) }
  const server = createServer({ ...files, requestCert: true }, (request, response) => {
    const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject
    asked.push({ path: request.url ?? '', name: String(CN) })
    response.setHeader('connection', 'close').end(ANSWER)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const tlsOf = (service: 'V1' | 'LEGACY', ca: string, client?: Omit<KeyPair, 'both'>): Record<string, string> => ({
  [`${service}_CA`]: ca,
  ...(client !== undefined && {
    [`${service}_CLIENT_CERT`]: client.certificate,
    [`${service}_CLIENT_KEY`]: client.key,
  }),
})

/** A gateway with these variables. */
function startConfigured(
  v1Url: string,
  env: Readonly<Record<string, string>>,
  legacyUrl?: string,
): Promise<StartedGateway> {
  const { connecting } = readConfig(env)
  return startGateway(v1Url, { settings: { connecting }, ...(legacyUrl !== undefined && { legacyUrl }) })
}

describe.skipIf(!isInstalled('openssl'))(
  'a service that asks for a client certificate (with openssl)',
  { timeout: 60_000 },
  () => {
    const [forV1, forLegacy] = isInstalled('openssl') ? [makeCertificates(), makeCertificates('other')] : []
    if (forV1 === undefined || forLegacy === undefined) return

    test('gets its own: v1, legacy at a login, and legacy for calls that are passed on', async () => {
      const [v1, legacy] = [await startStrict(forV1), await startStrict(forLegacy)]
      const tls = { ...tlsOf('V1', forV1.ca, forV1.client), ...tlsOf('LEGACY', forLegacy.ca, forLegacy.client) }
      const gateway = await startConfigured(v1.url, tls, legacy.url)
      for (const call of [LOGIN, LIST, { path: '/elsewhere' }]) expect((await gateway.call(call)).status).toBe(200)
      await fetch(`${await gateway.openAdmin()}/readyz`)
      expect(new Set(v1.asked.map(({ name }) => name))).toEqual(new Set(['client']))
      expect(v1.asked.map(({ path }) => path.split('?')[0])).toEqual(
        expect.arrayContaining([
          '/api/v1/auth/application',
          '/api/v1/finance/invoices',
          '/api/v1/public/shared/countries',
        ]),
      )
      expect(legacy.asked).toEqual([
        { path: '/auth/application', name: 'other-client' },
        { path: '/elsewhere', name: 'other-client' },
        // The health probe.
        { path: '/', name: 'other-client' },
      ])
    })

    test('gives no answer without one, or with one of another authority', async () => {
      const v1 = await startStrict(forV1)
      const certificates = [tlsOf('V1', forV1.ca), tlsOf('V1', forV1.ca, forLegacy.client)]
      for (const tls of certificates) {
        const answer = await (await startConfigured(v1.url, tls)).call(LIST)
        expect(answer).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
      }
      expect(v1.asked).toEqual([])
    })

    test('is sent nothing unless V1_CA trusts it, whatever NODE_EXTRA_CA_CERTS trusts', async () => {
      const v1 = await startStrict(forV1)
      const tls = tlsOf('V1', forLegacy.ca, forV1.client)
      const gateway = startService('serve', { V1_BASE_URL: v1.url, ...tls, NODE_EXTRA_CA_CERTS: forV1.ca })
      const answer = await callLegacy((await servingAt(gateway)).legacy, LIST)
      expect(answer).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
      expect(v1.asked).toEqual([])
    })

    test('gets a new one on the next connection, without a restart, and mismatched files are logged', async () => {
      const v1 = await startStrict(forV1)
      const folder = makeFolder()
      const [certificate, key] = [join(folder, 'client.pem'), join(folder, 'client.key')]
      const exchange = (from: string, to: string): void => {
        copyFileSync(from, `${to}.new`)
        renameSync(`${to}.new`, to)
      }
      exchange(forV1.client.certificate, certificate)
      exchange(forV1.client.key, key)
      const gateway = await startConfigured(v1.url, tlsOf('V1', forV1.ca, { certificate, key }))
      const logIn = async (): Promise<string | undefined> => {
        expect((await gateway.call(LOGIN)).status).toBe(200)
        return v1.asked.at(-1)?.name
      }
      expect(await logIn()).toBe('client')
      exchange(forV1.server.certificate, certificate)
      expect(await logIn()).toBe('client')
      expect(gateway.log.filter(({ problems }) => problems !== undefined)).toMatchObject([
        {
          level: 40,
          upstream: 'v1',
          problems: [`V1_CLIENT_KEY: ${key} does not match the certificate in ${certificate} (V1_CLIENT_CERT)`],
        },
      ])
      exchange(forV1.server.key, key)
      expect(await logIn()).toBe('server')
    })

    test('gets one from replay as well, on either side', async () => {
      const [v1, legacy] = [await startStrict(forV1), await startStrict(forLegacy)]
      const sides = [fileOf(line(COUNTRIES)), '--legacy', legacy.url, '--v1', v1.url]
      const login = ['--client-id', 'a', '--secret-key', 'b']
      const env = { ...tlsOf('V1', forV1.ca, forV1.client), ...tlsOf('LEGACY', forLegacy.ca, forLegacy.client) }
      const { errors } = await runReplay([...sides, ...login], env)
      expect(errors).toContain('Replaying 1 exchange')
      expect(v1.asked.map(({ name }) => name)).toContain('client')
      expect(legacy.asked.map(({ name, path }) => [name, path])).toContainEqual(['other-client', '/country/all'])
      const unknown = await runReplay([...sides, ...login], { ...env, V1_CA: forLegacy.ca })
      expect(unknown.exit).toBe(2)
      expect(unknown.errors).toMatch(/^cannot connect to v1 at https:\S+: [^\n]*\(\w*(UNABLE|SELF_SIGNED)\w+\)\n$/)
      const without = await runReplay([...sides, ...login], { ...env, V1_CLIENT_KEY: '' })
      expect(without).toMatchObject({ exit: 2, errors: expect.stringContaining('V1_CLIENT_KEY must be set when') })
    })

    describe.each([
      [nginx, (ca: string) => ({ server: `ssl_client_certificate ${ca}; ssl_verify_client on;` })],
      [haproxy, (ca: string) => ({ bind: `verify required ca-file ${ca}` })],
    ] as const)('$name', (proxy, verifying) => {
      test.skipIf(!proxy.isInstalled)('lets callers in that show one', async () => {
        const service = await startHttpServer((_, response) => response.end(ANSWER))
        const { url } = await proxy.start(service.url, { tls: forV1.server, ...verifying(forV1.ca) })
        const ask = async (client: KeyPair | undefined): Promise<readonly number[]> => {
          const tls = { ...tlsOf('V1', forV1.ca, client), ...tlsOf('LEGACY', forV1.ca, client) }
          const gateway = await startConfigured(url, tls, url)
          const statuses: number[] = []
          for (const call of [LOGIN, LIST, { path: '/elsewhere' }]) statuses.push((await gateway.call(call)).status)
          return statuses
        }
        expect(await ask(forV1.client)).toEqual([200, 200, 200])
        const arrived = service.received.length
        expect(arrived).toBeGreaterThanOrEqual(4)
        expect(await ask(undefined)).not.toContain(200)
        expect(service.received).toHaveLength(arrived)
      })
    })
  },
)
