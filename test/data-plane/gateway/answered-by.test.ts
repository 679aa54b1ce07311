import { beforeAll, describe, expect, it } from 'vitest'
import type { BrownoutRule } from '../../../src/control-plane/rollout/brownout-rule.ts'
import { brownoutRule } from '../../support/brownout-rule.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { type LegacyCall, sendBytes } from '../../support/legacy-client.ts'
import { deadUrl } from '../../support/raw-server.ts'
import { startSideBySide } from '../../support/side-by-side.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'
import { v1Error, v1Page } from '../../support/v1-bodies.ts'

const HEADER = 'x-gateway-answered-by'
const COUNTRIES = '/country/all'
const CHARGES = '/api/transaction/charge/list'
const on = { namesAnswerer: true }

describe('with ANSWERED_BY=on, an answer says who gave it', () => {
  let gateway: StartedGateway
  let without: StartedGateway
  let cut: StartedGateway

  beforeAll(async () => {
    const v1 = await startHttpServer(({ target }, response) => {
      if (target.includes('/invoices')) {
        response.writeHead(403).end(JSON.stringify(v1Error(403, 'FORBIDDEN').body))
      } else response.end(JSON.stringify(v1Page([{ id: 1 }])))
    })
    const legacy = await startHttpServer((_, response) => {
      // A legacy service that is a gateway itself.
      response.writeHead(200, { [HEADER]: 'somebody', 'content-type': 'application/json' }).end('{"by":"legacy"}')
    })
    gateway = await startGateway(v1.url, { legacyUrl: legacy.url, settings: on })
    without = await startGateway(v1.url, { settings: on })
    const dead = await deadUrl()
    cut = await startGateway(dead, { legacyUrl: dead, settings: on })
  })

  const by = async (to: StartedGateway, call: LegacyCall) => (await to.call(call)).headers[HEADER]

  it('v1, for an answer, an answer from a cached list, and a refusal', async () => {
    expect(await by(gateway, { path: COUNTRIES })).toBe('v1')
    expect(await by(gateway, { path: COUNTRIES })).toBe('v1')
    expect(await by(gateway, { path: COUNTRIES, method: 'HEAD' })).toBe('v1')
    expect(await by(gateway, { path: '/api/invoice/list', method: 'POST', body: '{}' })).toBe('v1')
  })

  it('legacy, whatever that service itself says', async () => {
    const charges = { path: CHARGES, method: 'POST', body: '{}' }
    expect(await gateway.call(charges)).toMatchObject({ status: 200, headers: { [HEADER]: 'legacy' } })
    expect(await by(gateway, { path: '/unknown' })).toBe('legacy')
    expect(await by(gateway, { path: '/unknown', method: 'HEAD' })).toBe('legacy')
    expect(await by(gateway, { path: '/unknown', method: 'OPTIONS' })).toBe('legacy')
  })

  it('gateway, when it refuses in a brownout, whichever service would have answered', async () => {
    const [from, to] = [-60_000, 600_000].map((later) => new Date(Date.now() + later).toISOString())
    const sides = await startSideBySide(
      {
        operations: { 'invoice-list': { serve: 'legacy' } },
        brownouts: [brownoutRule({ from, to } as Partial<BrownoutRule>)],
      },
      { settings: () => on },
    )
    for (const call of [{ path: COUNTRIES }, { path: '/api/invoice/list', method: 'POST', body: '{}' }]) {
      expect(await sides.gateway.call(call)).toMatchObject({
        status: 503,
        headers: { [HEADER]: 'gateway', 'x-gateway-brownout': '1' },
      })
    }
  })

  it('gateway, when it says why neither service answered', async () => {
    expect(await by(without, { path: CHARGES, method: 'POST', body: '{}' })).toBe('gateway')
    expect(await by(without, { path: '/unknown' })).toBe('gateway')
    expect(await by(without, { path: COUNTRIES, method: 'DELETE' })).toBe('gateway')
    expect(await by(without, { path: '/api/invoice/list', method: 'POST', body: '{' })).toBe('gateway')
    expect(await by(without, { path: COUNTRIES, method: 'OPTIONS' })).toBe('gateway')
    for (const path of [COUNTRIES, '/unknown']) {
      expect((await cut.call({ path })).headers).toMatchObject({
        'x-gateway-error': 'unreachable',
        [HEADER]: 'gateway',
      })
    }
  })

  it('gateway too for a request that cannot be understood', async () => {
    const answer = await sendBytes(without.url, 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')
    expect(answer).toContain('400 Bad Request')
    expect(answer).toContain(`${HEADER}: gateway`)
  })
})

it('without ANSWERED_BY, no answer says who gave it', async () => {
  const gateway = await startGateway(await deadUrl())
  for (const path of [COUNTRIES, '/unknown']) expect((await gateway.call({ path })).headers).not.toHaveProperty(HEADER)
})
