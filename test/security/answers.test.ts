import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { startHttpServer } from '../support/http-server.ts'
import { type StartedGateway, startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'

/** Headers that a service, or a server in front of it, sends to the one that called it. */
const OF_V1 = {
  ...{ 'set-cookie': ['session=1', 'b=2'], server: 'v1/1.2.3', 'x-powered-by': 'Something', via: '1.1 inner' },
  ...{ 'access-control-allow-origin': '*', location: 'http://10.0.0.1/', 'x-backend': '10.0.0.1', refresh: '0;url=/x' },
  ...{ 'x-request-id': 'of-v1', 'x-gateway-error': 'of-v1', 'cache-control': 'public, max-age=9', etag: '"of-v1"' },
}
const OURS = new Set([
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'deprecation', 'link', 'x-request-id'],
  ...['x-gateway-code', 'x-gateway-error', 'cache-control', 'vary', 'etag', 'transfer-encoding'],
])

const reads = operations.filter(({ v1 }) => v1 !== undefined)

test.each([
  ['a success', 200],
  ['a refusal', 409],
  ['a failure', 503],
])('no header from %s of v1 reaches the client, whatever was called', async (_, status) => {
  const v1 = await startHttpServer(({ target }, response) => {
    const perPage = Number(/perPage=(\d+)/.exec(target)?.[1] ?? 25)
    const body = { ...v1Page([], { perPage }), data: { id: 1, token: 't' }, code: 'NO' }
    response.writeHead(status, OF_V1).end(JSON.stringify(body))
  })
  const gateway = await startGateway(v1.url)
  for (const { id, legacy } of reads) {
    const before = v1.received.length
    const body = legacy.method === 'POST' ? { body: '{"id":7}' } : {}
    const { headers } = await gateway.call({ method: legacy.method, path: legacy.path, ...body })
    expect(v1.received.length, id).toBeGreaterThan(before)
    expect([id, ...Object.keys(headers).filter((name) => !OURS.has(name))]).toEqual([id])
    expect(JSON.stringify(headers), id).not.toMatch(/of-v1|10\.0\.0\.1|max-age/)
  }
})

// An attacker may make a client send members of any name, and the answer names them in a header.
describe('a dropped member is named in one header and cannot begin another, whatever its name', () => {
  let gateway: StartedGateway
  beforeAll(async () => {
    const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([], { perPage: 25 }))))
    gateway = await startGateway(v1.url)
  })

  test.each(['a\r\nX-Injected: yes', 'a\nb', 'a\0b', 'ş', 'a, b', '"', '\u2028', '\ud800', '__proto__', ''])(
    '%j',
    async (name) => {
      const { status, headers } = await gateway.call({ path: '/api/invoice/list', body: `{${JSON.stringify(name)}:1}` })
      expect(status).toBe(200)
      expect(headers).not.toHaveProperty('x-injected')
      expect(headers['x-gateway-dropped']).toBe(encodeURIComponent(name.toWellFormed()))
    },
  )
})
