import { beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { sendBytes } from '../../support/legacy-client.ts'
import { startGateway } from '../../support/start-gateway.ts'

const SECRET = 'a-secret-of-the-client'

/** TRACE of a path, with a header that an echo would reveal. */
const trace = (url: string, path: string): Promise<string> =>
  sendBytes(url, `TRACE ${path} HTTP/1.1\r\nHost: localhost\r\nX-Secret: ${SECRET}\r\nConnection: close\r\n\r\n`)

async function expectRefused(url: string, path: string): Promise<void> {
  const answer = await trace(url, path)
  expect(answer, path).toMatch(/^HTTP\/1\.1 405 /)
  // RFC 9110 section 15.5.6.
  expect(answer).toMatch(/\r\nallow:(?!.*TRACE)/i)
  expect(answer).not.toContain(SECRET)
}

describe('TRACE is refused', () => {
  test('at any path, and no service is called', async () => {
    const v1 = await startHttpServer((_, response) => response.end('{}'))
    const legacy = await startHttpServer((_, response) => response.end('echo'))
    const [alone, both] = [await startGateway(v1.url), await startGateway(v1.url, { legacyUrl: legacy.url })]
    for (const path of ['/country/all', '/api/invoice/list', '/api/transaction/charge/list', '/nothing', '/']) {
      await expectRefused(alone.url, path)
      await expectRefused(both.url, path)
    }
    expect([...v1.received, ...legacy.received].filter(({ method }) => method === 'TRACE')).toEqual([])
  })

  test('at any path of the admin port, with or without its token', async () => {
    const v1 = await startHttpServer((_, response) => response.end('{}'))
    const open = await (await startGateway(v1.url)).openAdmin()
    const guarded = await (await startGateway(v1.url, { settings: { adminToken: 'a-token-of-the-admin' } })).openAdmin()
    for (const path of ['/', '/healthz', '/metrics', '/explain', '/nothing']) {
      await expectRefused(open, path)
      await expectRefused(guarded, path)
    }
  })

  describe('by the sandbox', () => {
    let sandbox: Sandbox
    beforeAll(async () => {
      sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
      closeAtEnd(() => sandbox.close())
    })

    test.each(['/api/v1/auth/application', '/nothing', '/openapi.json', '/sandbox/faults', '/sandbox/faults/1'])(
      'at %s of v1',
      (path) => expectRefused(sandbox.v1Url, path),
    )

    test.each(['/auth/application', '/nothing', '/sandbox/faults'])('at %s of legacy', (path) =>
      expectRefused(sandbox.legacyUrl ?? '', path),
    )
  })
})
