import { describe, expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { haproxy } from './proxies.ts'

/** HAProxy's statistics of the only server behind it. */
interface Checked {
  readonly status: string
  readonly check: string
  readonly code: string
}

/** The first check that HAProxy has made, read from its statistics. */
async function firstCheck(url: string): Promise<Checked> {
  const end = performance.now() + 10_000
  while (performance.now() < end) {
    const { text } = await callLegacy(url, { path: '/haproxy;csv' })
    const [head = [], ...rows] = text.split('\n').map((line) => line.split(','))
    const server = rows.find(([, name]) => name === 'one')
    const value = (name: string): string => server?.[head.indexOf(name)] ?? ''
    // An asterisk means that a check is under way and this is the previous result.
    if (/^L\d/.test(value('check_status'))) {
      return { status: value('status'), check: value('check_status'), code: value('check_code') }
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('HAProxy made no check')
}

describe.skipIf(!haproxy.isInstalled)('HAProxy that checks the admin port', () => {
  test.each([
    ['no path at all', 'option httpchk', undefined, '204'],
    ['no path at all, when a token is required', 'option httpchk', 'a-token-of-the-admin', '204'],
    ['HTTP/1.0 without Host', 'option httpchk GET /readyz', undefined, '200'],
    ['HTTP/1.0 without Host, where a token is wanted', 'option httpchk GET /readyz', 'a-token-of-the-admin', '200'],
    [
      'a Host of its own',
      'option httpchk\n  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host x',
      undefined,
      '200',
    ],
  ])('by %s finds the gateway healthy, and passes calls on', async (_, check, adminToken, code) => {
    const v1 = await startHttpServer((_, response) =>
      response.end(JSON.stringify(v1Page([{ id: 49, name: 'Almanya' }]))),
    )
    const gateway = await startGateway(v1.url, { settings: { adminToken } })
    const port = new URL(await gateway.openAdmin()).port
    const more = `${check}\n  timeout check 5s\n  default-server check port ${port} inter 100ms fall 1 rise 1\n  stats uri /haproxy`
    const { url } = await haproxy.start(gateway.url, { more })
    expect(await firstCheck(url)).toEqual({ status: 'UP', check: 'L7OK', code })
    expect(await callLegacy(url, { path: '/country/all' })).toMatchObject({ status: 200 })
  })
})
