import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { deadUrl } from '../../support/raw-server.ts'
import { startSideBySide } from '../../support/side-by-side.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'

const LISTS = '/country/all'
const INVOICES = '/api/invoice/list'
const OPTIONS = { method: 'OPTIONS' }

/** A legacy service with an answer of its own to OPTIONS, which also issues tokens. */
const startLegacy = () =>
  startHttpServer(({ method }, response) =>
    method === 'OPTIONS'
      ? response.writeHead(200, { allow: 'OF-LEGACY', 'content-length': '2' }).end('ok')
      : response.end('{"token":"t"}'),
  )

describe('OPTIONS of a known path', () => {
  let gateway: StartedGateway
  beforeAll(async () => {
    gateway = await startGateway(await deadUrl())
  })

  test.each(operations.map(({ legacy }) => legacy))('is answered with the methods: $path', async ({ method, path }) => {
    const reply = await gateway.call({ ...OPTIONS, path })
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers).toMatchObject({
      allow: method === 'GET' ? 'GET, HEAD, OPTIONS' : `${method}, OPTIONS`,
      'x-request-id': expect.any(String),
    })
    expect(reply.headers).not.toHaveProperty('content-length')
  })

  test('is passed on only when the legacy service answers this client', async () => {
    const legacy = await startLegacy()
    const rollout = { operations: { 'invoice-list': { serve: 'legacy', clients: { 'demo-client': 'v1' } } } }
    const sides = await startSideBySide(rollout, { legacyUrl: legacy.url })
    const ask = async (path: string, headers = {}) =>
      (await sides.gateway.call({ ...OPTIONS, path, headers })).headers.allow
    expect(await ask(INVOICES)).toBe('OF-LEGACY')
    expect(await ask(INVOICES, { authorization: `Bearer ${sides.token}` })).toBe('POST, OPTIONS')
    expect(await ask(LISTS)).toBe('GET, HEAD, OPTIONS')
    expect(legacy.received.filter(({ method }) => method === 'OPTIONS')).toMatchObject([{ target: INVOICES }])
  })

  test('is passed on when v1 has no equivalent and there is a legacy service', async () => {
    const legacy = await startLegacy()
    const path = '/api/transaction/charge/list'
    const both = await startGateway(await deadUrl(), { legacyUrl: legacy.url })
    expect(await both.call({ ...OPTIONS, path })).toMatchObject({ status: 200, text: 'ok' })
  })

  test('does not match another path, which is passed on or 404 as usual', async () => {
    const legacy = await startLegacy()
    const both = await startGateway(await deadUrl(), { legacyUrl: legacy.url })
    for (const path of ['/nothing', '/country/all/', '/api/v1/shared/currencies']) {
      expect(await gateway.call({ ...OPTIONS, path })).toMatchObject({ status: 404 })
    }
    expect(await both.call({ ...OPTIONS, path: '/nothing' })).toMatchObject({ headers: { allow: 'OF-LEGACY' } })
  })

  test('is not a call of the operation: it is neither compared nor counted as one', async () => {
    const sides = await startSideBySide({ operations: { '*': { serve: 'legacy', shadow: 1 } } })
    await sides.gateway.call({ ...OPTIONS, path: INVOICES })
    await sides.call(INVOICES, {})
    expect((await sides.compared(1)).operations).toMatchObject([{ operation: 'invoice-list', totals: { requests: 1 } }])
    expect(sides.gateway.log.find(({ method }) => method === 'OPTIONS')).not.toHaveProperty('operation')
  })
})
