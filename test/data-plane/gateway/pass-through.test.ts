import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { failing } from '../../support/failing-inputs.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { sendBytes } from '../../support/legacy-client.ts'
import { deadUrl, http, startRawServer } from '../../support/raw-server.ts'
import { startGateway } from '../../support/start-gateway.ts'

const CHARGES = '/api/transaction/charge/list'
/** A v1 that must not be called. */
const noV1 = deadUrl

describe('a call that is passed on to the legacy service', () => {
  test('arrives as it was sent, and its answer returns as it was: bytes, status and headers', async () => {
    const legacy = await startHttpServer((_, response) => {
      response.writeHead(203, [
        ...['Content-Type', 'application/json; charset=ISO-8859-9'],
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Own', 'Ğ'.normalize('NFD').replace(/[^\x20-\x7e]/g, '')],
      ])
      response.end(Buffer.from('{"data":[ 1.00,\n12345678901234567890 ],"x":"\xfe"}', 'latin1'))
    })
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    const reply = await gateway.call({
      path: `${CHARGES}?a=%C4%B0&b=`,
      headers: { authorization: 'Bearer t', cookie: 'c=1', 'content-type': 'text/plain', 'x-odd': 'yes' },
      body: '{ "page": 1.0 }',
    })
    expect(legacy.received).toHaveLength(1)
    expect(legacy.received[0]).toMatchObject({
      method: 'POST',
      target: `${CHARGES}?a=%C4%B0&b=`,
      body: '{ "page": 1.0 }',
    })
    expect(legacy.received[0]?.headers).toMatchObject({
      ...{ authorization: 'Bearer t', cookie: 'c=1', 'content-type': 'text/plain', 'x-odd': 'yes' },
      ...{ host: new URL(legacy.url).host, 'content-length': '15' },
    })
    expect(reply.status).toBe(203)
    expect(reply.text).toContain('{"data":[ 1.00,\n12345678901234567890 ]')
    expect(reply.headers).toMatchObject({
      ...{ 'content-type': 'application/json; charset=ISO-8859-9', 'set-cookie': ['a=1', 'b=2'], 'x-own': 'G' },
      ...{ deprecation: '@0', 'x-request-id': expect.stringMatching(/./) },
    })
  })

  test('leaves its place to the next call when the client hangs up within the answer', async () => {
    const legacy = await startHttpServer(({ target }, response) => {
      response.writeHead(200)
      if (target === '/endless') response.write('begun')
      else response.end('done')
    })
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url, settings: { lanes: { limit: 1 } } })
    for (let time = 0; time < 3; time++) {
      const client = request(new URL('/endless', gateway.url), { agent: false }).end()
      const [answer] = (await once(client, 'response')) as [IncomingMessage]
      await once(answer, 'data')
      answer.on('error', () => undefined)
      client.on('error', () => undefined)
      client.destroy()
      expect(await gateway.call({ method: 'GET', path: '/next' })).toMatchObject({ status: 200, text: 'done' })
    }
  })

  test('may have any method', async () => {
    const legacy = await startHttpServer((_, response) =>
      response.writeHead(299, { 'set-cookie': ['a=1', 'b=2'], 'content-length': '2' }).end('ok'),
    )
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND']) {
      const reply = await gateway.call({ method, path: '/other?q=1', body: 'x' })
      expect(legacy.received.at(-1)).toMatchObject({ method, target: '/other?q=1' })
      expect(reply).toMatchObject({ status: 299, text: method === 'HEAD' ? '' : 'ok' })
      expect(reply.headers).toMatchObject({ 'content-length': '2', 'set-cookie': ['a=1', 'b=2'] })
    }
    expect(legacy.received).toHaveLength(7)
  })

  test('loses the headers of the connection, including those that Connection names, both ways', async () => {
    const legacy = await startHttpServer((_, response) => {
      response.writeHead(200, {
        connection: 'x-hop, keep-alive',
        'x-hop': '1',
        'proxy-authenticate': 'Basic',
        'x-end': '1',
      })
      response.end('{}')
    })
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    const reply = await gateway.call({
      path: CHARGES,
      headers: { connection: 'close, X-Private', 'x-private': '1', te: 'trailers', upgrade: 'h2c', 'x-kept': '1' },
      body: '{}',
    })
    const headers = legacy.received[0]?.headers ?? {}
    expect(Object.keys(headers).filter((name) => ['x-private', 'te', 'upgrade'].includes(name))).toEqual([])
    expect(headers['x-kept']).toBe('1')
    expect(Object.keys(reply.headers).filter((name) => ['x-hop', 'proxy-authenticate'].includes(name))).toEqual([])
    expect(reply.headers['x-end']).toBe('1')
  })

  test('is streamed: the first bytes of an answer arrive before the last are sent', async () => {
    let finish = (): void => undefined
    const legacy = await startHttpServer((_, response) => {
      response.write('{"data":[')
      finish = () => response.end(']}')
    })
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    const text = await new Promise<string>((resolve, reject) => {
      request(`${gateway.url}/report`, { method: 'POST', agent: false }, (answer) => {
        let received = ''
        answer.on('data', (chunk: Buffer) => {
          received += chunk.toString()
          if (received === '{"data":[') finish()
        })
        answer.on('end', () => resolve(received))
      })
        .on('error', reject)
        .end('{}')
    })
    expect(text).toBe('{"data":[]}')
  })

  test('has its redirects passed on, not followed', async () => {
    const legacy = await startHttpServer((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    const reply = await gateway.call({ path: '/somewhere' })
    expect(reply).toMatchObject({ status: 302, headers: { location: '/elsewhere' } })
    expect(legacy.received).toHaveLength(1)
  })

  test('is logged with the status of the legacy service', async () => {
    const legacy = await startHttpServer((_, response) => response.writeHead(404).end())
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    await gateway.call({ path: '/somewhere' })
    expect(gateway.log.at(-1)).toMatchObject({ status: 404, legacyStatus: 404, v1Calls: 0, path: '/somewhere' })
  })
})

describe('the path of the legacy service', () => {
  test('is put before the paths of calls, and paths outside the gateway’s own prefix are 404', async () => {
    const legacy = await startHttpServer((_, response) => response.end('{}'))
    const settings = { basePath: '/old' }
    const gateway = await startGateway(await noV1(), { legacyUrl: `${legacy.url}/svc/`, settings })
    expect((await gateway.call({ path: `/old${CHARGES}`, body: '{}' })).status).toBe(200)
    expect((await gateway.call({ path: '/old/x//y?z' })).status).toBe(200)
    expect((await gateway.call({ path: CHARGES, body: '{}' })).status).toBe(404)
    expect((await gateway.call({ path: '/older/x' })).status).toBe(404)
    expect(legacy.received.map(({ target }) => target)).toEqual([`/svc${CHARGES}`, '/svc/x//y?z'])
  })

  /** A gateway before a legacy service below a path of its own, and the targets that have reached that. */
  async function below(path: string) {
    const legacy = await startHttpServer((_, response) => response.end('{}'))
    const gateway = await startGateway(await noV1(), { legacyUrl: `${legacy.url}${path}` })
    return { gateway, targets: () => legacy.received.map(({ target }) => target) }
  }
  const named = (...paths: readonly string[]) => paths.map((path) => ({ name: path }))

  test('is never left: any way up is 404, and legacy is not asked', async () => {
    const { gateway, targets } = await below('/svc')
    const paths = named(
      ...['/a/../b', '/..', '/../x', '/a/.', '/./a', '/%2e%2e/x', '/%2E./x', '/.%2e', '/a%2f..%2fb', '/a/..%2f'],
      ...['/%5c..%5cx', '/..;x/y', '/%252e%252e/x', '/%25252e%25252e/', `/%${'25'.repeat(9)}2e`, '/a/%2e%2e%3bx/'],
    )
    const failed = await failing(paths, async ({ name }) =>
      expect((await gateway.call({ path: name })).status).toBe(404),
    )
    expect(failed).toEqual([])
    expect(targets()).toEqual([])
  })

  test('is followed by any other path as it is written', async () => {
    const { gateway, targets } = await below('')
    const paths = named('/a/..b', '/a/...', '/%C4%B0', '/a%20b', '/a;b=c/d', '/.well-known/x', '/%zz')
    const failed = await failing(paths, async ({ name }) =>
      expect((await gateway.call({ path: name })).status).toBe(200),
    )
    expect(failed).toEqual([])
    expect([...targets()].sort()).toEqual(paths.map(({ name }) => name).sort())
  })

  test('does not lead to v1, even when both are one service', async () => {
    const { gateway, targets } = await below('')
    for (const path of ['/api/v1/finance/invoices', '/api/v1/', '/api/%761/finance/invoices', '/API/v1/x']) {
      expect((await gateway.call({ path })).status, path).toBe(404)
    }
    expect(targets()).toEqual([])
  })
})

describe('a body that is passed on', () => {
  const settings = { maxBodyBytes: 100 }

  test('is refused by its announced length before legacy is asked', async () => {
    const legacy = await startHttpServer((_, response) => response.end('{}'))
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url, settings })
    const reply = await gateway.call({ path: CHARGES, body: 'x'.repeat(101) })
    expect(reply).toMatchObject({ status: 413, headers: { connection: 'close' } })
    expect(JSON.parse(reply.text)).toEqual({ message: expect.stringContaining('100') })
    expect(legacy.received).toEqual([])
    expect((await gateway.call({ path: CHARGES, body: 'x'.repeat(100) })).status).toBe(200)
  })

  test('without a length is refused as soon as it is too long', async () => {
    const legacy = await startHttpServer((_, response) => response.end('{}'))
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url, settings })
    const chunk = `64\r\n${'x'.repeat(100)}\r\n`
    const answer = await sendBytes(
      gateway.url,
      `PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`,
      chunk,
      chunk,
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(legacy.received).toEqual([])
  })

  test('that ends early never reaches legacy whole', async () => {
    const legacy = await startHttpServer((_, response) => response.end('{}'))
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.end('POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\nConnection: close\r\n\r\n{"a"')
    // Any part of it that is passed on would arrive before the next call.
    await once(socket, 'close')
    expect((await gateway.call({ path: '/x', body: '{}' })).status).toBe(200)
    expect(legacy.received.map(({ body }) => body)).toEqual(['{}'])
  })
})

describe('a legacy service that fails', () => {
  test.each([
    ['refuses connections', 502, 'unreachable', undefined],
    ['closes the connection', 502, 'unreachable', ''],
    ['never answers', 504, 'timeout', null],
    ['does not speak HTTP', 502, 'malformed', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ])('because it %s is a %i with a message, asked once', async (_, status, kind, writes) => {
    const legacy = await startRawServer((socket) => {
      if (typeof writes === 'string') socket.end(writes)
    })
    const legacyUrl = writes === undefined ? await deadUrl() : legacy.url
    const settings = kind === 'timeout' ? { upstreamTimeoutMs: 1_000 } : {}
    const gateway = await startGateway(await noV1(), { legacyUrl, settings })
    const reply = await gateway.call({ path: CHARGES, headers: { 'accept-language': 'en' }, body: '{}' })
    expect(reply).toMatchObject({ status, headers: { 'x-gateway-error': kind, 'content-type': 'application/json' } })
    expect(JSON.parse(reply.text)).toEqual({ message: 'An unexpected error occurred.' })
    expect(legacy.requests).toHaveLength(writes === undefined ? 0 : 1)
    expect(gateway.log.at(-1)).toMatchObject({
      level: 40,
      status,
      failure: kind,
      reason: expect.stringMatching(/^legacy: /),
    })
  })

  test('in the middle of its answer breaks off the client’s too: half an answer never looks whole', async () => {
    const legacy = await startRawServer((socket) => socket.end(http(200, '{"data":[', { 'content-length': '500' })))
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    await expect(gateway.call({ path: CHARGES, body: '{}' })).rejects.toThrow()
    expect(legacy.requests).toHaveLength(1)
  })

  test('because it falls silent in the middle of its answer breaks off the client’s after the time limit', async () => {
    const legacy = await startRawServer((socket) => socket.write(http(200, '{"data":[', { 'content-length': '500' })))
    const settings = { upstreamTimeoutMs: 500 }
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url, settings })
    await expect(gateway.call({ path: CHARGES, body: '{}' })).rejects.toThrow()
    expect(legacy.requests).toHaveLength(1)
  })

  test('with an error of its own is passed on, whatever the error is', async () => {
    const legacy = await startHttpServer((_, response) => response.writeHead(503, { 'retry-after': '7' }).end('<html>'))
    const gateway = await startGateway(await noV1(), { legacyUrl: legacy.url })
    expect(await gateway.call({ path: CHARGES, body: '{}' })).toMatchObject({
      ...{ status: 503, text: '<html>', headers: { 'retry-after': '7' } },
    })
    expect(legacy.received).toHaveLength(1)
  })
})
