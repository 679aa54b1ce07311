import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createPlain } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import { UpstreamError } from '../../src/data-plane/upstream/upstream-error.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { openTestUpstream, read } from '../support/open-upstream.ts'
import { servingAt, startService } from '../support/service-process.ts'
import { startGateway } from '../support/start-gateway.ts'
import { makeFolder } from './start-program.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
/** Ciphers and keys that this OpenSSL refuses otherwise. */
const WEAK = 'DEFAULT:@SECLEVEL=0'
const REMEDY = '--tls-min-v1.0 --tls-cipher-list=DEFAULT:@SECLEVEL=0'

describe.skipIf(!hasOpenssl)('a service with TLS that does not work (with openssl)', () => {
  let folder: string
  let own: ReturnType<typeof certificate>
  beforeAll(() => {
    folder = makeFolder()
    own = certificate('sound', '-newkey', 'rsa:2048')
  })

  /** A self-signed certificate for `localhost`, in a file. */
  function certificate(name: string, ...args: readonly string[]): { key: Buffer; cert: Buffer; file: string } {
    const [key, file] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-nodes', '-days', '2']
    const made = spawnSync('openssl', ['req', '-x509', ...subject, ...args, '-keyout', key, '-out', file])
    expect(made.status, String(made.stderr)).toBe(0)
    return { key: readFileSync(key), cert: readFileSync(file), file }
  }

  async function listening(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closeAtEnd(() => server.close())
    return (server.address() as AddressInfo).port
  }

  async function startTls(options: ServerOptions): Promise<number> {
    const server = createServer(options, (_, response) => response.end('{"answers":true}'))
    server.on('tlsClientError', () => undefined)
    return listening(server)
  }

  /** How a call of it fails. @param ca the certificate that is trusted. */
  async function failure(url: string, ca?: Buffer): Promise<UpstreamError> {
    const tls = ca === undefined ? undefined : () => createSecureContext({ ca })
    const upstream = openTestUpstream(url, { connecting: { tls, proxy: undefined, lookup: undefined } })
    const error = await upstream.call(read).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error instanceof UpstreamError) return error
    throw new Error(`it did not fail: ${String(error)}`)
  }

  test('is unreachable for a reason in words', async () => {
    const [tls10, tls11, nullOnly] = [
      await startTls({ ...own, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: WEAK }),
      await startTls({ ...own, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: WEAK }),
      await startTls({ ...own, maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' }),
    ]
    const small = certificate('small', '-newkey', 'rsa:1024')
    const smallKey = await startTls({ ...small, ciphers: WEAK })
    const mutual = await startTls({ ...own, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.3' })
    const good = await startTls(own)
    const plain = await listening(createPlain((_, response) => response.end('{}')))
    const expected = [
      [await failure(`https://localhost:${tls10}`, own.cert), /^it offers no TLS newer than 1\.1/],
      [await failure(`https://localhost:${tls11}`, own.cert), /^it offers no TLS newer than 1\.1/],
      [await failure(`https://localhost:${nullOnly}`, own.cert), /^it shares no TLS version or cipher/],
      [await failure(`https://localhost:${smallKey}`, small.cert), /^the key of its certificate is too weak/],
      [
        await failure(`https://localhost:${mutual}`, own.cert),
        /^it (?:closed the connection; it may|wants another client certificate)/,
      ],
      [await failure(`https://localhost:${good}`), /^its certificate is self-signed/],
      [await failure(`https://127.0.0.1:${good}`, own.cert), /^its certificate is for another name/],
      [await failure(`https://localhost:${plain}`), /^it does not speak TLS at this port/],
      [await failure(`http://localhost:${good}`), /^it closed the connection; it may speak HTTPS/],
      [await failure('http://localhost:1'), /^connection refused$/],
      [await failure('http://no-such-name.invalid'), /^no name server (?:knows its name|answers)$/],
    ] as const
    for (const [{ why, message, kind }, words] of expected) {
      expect(why).toMatch(words)
      // In words first, then for those who search for the code.
      expect(message.startsWith(why ?? '-') || message.includes(`(${why})`) || message.includes(why ?? '-')).toBe(true)
      expect(why).not.toMatch(/E[A-Z]{5}|127\.0\.0\.1|localhost/)
      expect(kind).toBe('unreachable')
    }
  })

  test('is down for that reason on /readyz and in the log, and clients get no detail', async () => {
    const port = await startTls({ ...own, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: WEAK })
    const gateway = await startGateway(`https://localhost:${port}`)
    const readyz = JSON.parse((await callLegacy(await gateway.openAdmin(), { path: '/readyz' })).text)
    expect(readyz).toMatchObject({
      v1: 'down',
      why: { v1: expect.stringMatching(/^it offers no TLS newer than 1\.1/) },
    })
    const reply = await gateway.call({ path: '/country/all', headers: { 'accept-language': 'en' } })
    expect(reply).toMatchObject({ status: 500, text: '{"message":"An unexpected error occurred."}' })
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ failure: 'unreachable', reason: expect.stringMatching(/^it offers no TLS newer/) }),
    )
  })

  test('can be reached with the remedy that the documents name, and is named at start without it', async () => {
    const weak = certificate('old', '-newkey', 'rsa:1024')
    const old = { ...weak, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: WEAK } as const
    const legacy = `https://localhost:${await startTls(old)}`
    const settings = { V1_BASE_URL: legacy, LEGACY_BASE_URL: legacy, LEGACY_CA: weak.file, V1_CA: weak.file }
    const [refused, remedied] = [
      startService('serve', settings),
      startService('serve', { ...settings, NODE_OPTIONS: REMEDY }),
    ]
    const passedOn = { path: '/elsewhere' }
    expect((await callLegacy((await servingAt(refused)).legacy, passedOn)).status).toBe(502)
    await expect.poll(() => refused.output()).toContain('there is no connection to the service yet')
    expect(await callLegacy((await servingAt(remedied)).legacy, passedOn)).toMatchObject({ status: 200 })
    expect(readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')).toContain(REMEDY)
  })
})
