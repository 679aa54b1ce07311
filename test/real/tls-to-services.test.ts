import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { servingAt, startService } from '../support/service-process.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const LOGIN = { path: '/auth/application', body: '{"clientId":"a","secretKey":"b"}' }

interface Service {
  readonly url: string
  readonly certificate: string
  readonly received: readonly string[]
}

describe.skipIf(!hasOpenssl)('a service whose address is https (with openssl)', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tls-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
  })

  /** A service with a self-signed certificate for this name. */
  async function startTls(name: string): Promise<Service> {
    const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
    const subject = [
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=${name === 'here' ? 'IP:127.0.0.1' : `DNS:${name}`}`,
    ]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', certificate], {
      stdio: 'ignore',
    })
    const received: string[] = []
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
      received.push(request.url ?? '')
      response.end('{"success":true,"data":{"token":"t"},"token":"t"}')
    })
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closeAtEnd(() => server.close())
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, certificate, received }
  }

  /** A login through a gateway that trusts these certificates beside the usual ones. */
  async function logIn(v1: Service, legacy: Service, trusted: string) {
    const addresses = { V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacy.url }
    const gateway = startService('serve', { ...addresses, SERVE: 'v1', NODE_EXTRA_CA_CERTS: trusted })
    const { legacy: url } = await servingAt(gateway)
    const login = await callLegacy(url, LOGIN)
    const passedOn = await callLegacy(url, { path: '/elsewhere' })
    return { login, passedOn }
  }

  test('is called over TLS when its certificate is trusted', async () => {
    const service = await startTls('here')
    const { login, passedOn } = await logIn(service, service, service.certificate)
    expect([login.status, passedOn.status]).toEqual([200, 200])
    expect([...service.received].sort()).toEqual(['/api/v1/auth/application', '/auth/application', '/elsewhere'])
  })

  test('is sent nothing when its certificate is not trusted, or is for another name', async () => {
    const [here, stranger, misnamed] = [
      await startTls('here'),
      await startTls('stranger'),
      await startTls('other.test'),
    ]
    const pairs = [
      [stranger, here.certificate],
      [misnamed, misnamed.certificate],
    ] as const
    const answers = await Promise.all(pairs.map(([service, trusted]) => logIn(service, service, trusted)))
    for (const { login, passedOn } of answers) {
      expect(login).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'unreachable' } })
      expect(passedOn).toMatchObject({ status: 502, headers: { 'x-gateway-error': 'unreachable' } })
    }
    expect([...stranger.received, ...misnamed.received]).toEqual([])
  })
})
