import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { rowsWithIds } from '../../support/golden-case.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { type LegacyCall, type Reply, sendBytes } from '../../support/legacy-client.ts'
import { startSideBySide } from '../../support/side-by-side.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Error, v1Page } from '../../support/v1-bodies.ts'

const lists = operations.flatMap(({ legacy }) => (legacy.method === 'GET' ? [legacy.path] : []))
const COUNTRIES = '/country/all'

/** The head of an answer, without what is unique to it. */
function headOf({ status, headers }: Reply) {
  const { date: _, 'x-request-id': __, ...others } = headers
  return { status, headers: others }
}

describe('HEAD', () => {
  let gateway: StartedGateway
  beforeAll(async () => {
    const rows = JSON.stringify(v1Page(rowsWithIds(1, 200)))
    const no = JSON.stringify(v1Error(0, 'NO').body)
    // A token says how v1 answers it.
    const v1 = await startHttpServer(({ headers }, response) => {
      const [, status] = /^Bearer (\d+)$/.exec(headers.authorization ?? '') ?? []
      response.writeHead(Number(status ?? 200)).end(status === undefined ? rows : no)
    })
    gateway = await startGateway(v1.url)
  })

  async function both(call: LegacyCall) {
    const [head, get] = [await gateway.call({ ...call, method: 'HEAD' }), await gateway.call(call)]
    expect(head.text).toBe('')
    return { head: headOf(head), get: headOf(get), length: Buffer.byteLength(get.text) }
  }

  test.each(lists)('of %s is answered like GET, without the body', async (path) => {
    const { head, get, length } = await both({ path, headers: { authorization: 'Bearer t' } })
    expect(get).toMatchObject({ status: 200, headers: { 'content-length': String(length), etag: expect.any(String) } })
    expect(head).toEqual(get)
  })

  test.each(['gzip', 'br'])('of a list that GET answers as %s is answered like GET', async (coding) => {
    const { head, get } = await both({ path: COUNTRIES, headers: { 'accept-encoding': coding } })
    expect(get.headers).toMatchObject({ 'content-encoding': coding, 'content-length': expect.any(String) })
    expect(head).toEqual(get)
  })

  test.each([
    [304, { path: COUNTRIES, headers: { 'if-none-match': '*' } }],
    [401, { path: '/city/all', headers: { authorization: 'Bearer 401' } }],
    [500, { path: '/city/all', headers: { authorization: 'Bearer 503' } }],
    [404, { path: '/nothing' }],
  ])('whose status is %i is answered like GET', async (status, call) => {
    const { head, get } = await both(call)
    expect(get.status).toBe(status)
    expect(head).toEqual(get)
  })

  test('does not disturb the next answer on its connection', async () => {
    const answers = await sendBytes(
      gateway.url,
      `HEAD ${COUNTRIES} HTTP/1.1\r\nHost: a\r\n\r\n`,
      'HEAD /api/invoice/list HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    expect(answers.split('\r\n\r\n')).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 200 /),
      expect.stringMatching(/^HTTP\/1\.1 405 .*\r\nallow: POST\r\n/s),
      '',
    ])
  })

  test('goes to the legacy service when that answers', async () => {
    const legacy = await startHttpServer(({ method }, response) =>
      method === 'HEAD' ? response.setHeader('content-length', '4711').end() : response.end('{"token":"of-legacy"}'),
    )
    const sides = await startSideBySide(
      { operations: { '*': { serve: 'legacy', shadow: 1 } } },
      { legacyUrl: legacy.url },
    )
    const reply = await sides.gateway.call({ method: 'HEAD', path: COUNTRIES })
    expect(reply).toMatchObject({ status: 200, text: '', headers: { 'content-length': '4711' } })
    expect(legacy.received.map(({ method, target }) => `${method} ${target}`)).toContain(`HEAD ${COUNTRIES}`)
  })

  test('is neither compared nor recorded, because its answer has no body', async () => {
    const sides = await startSideBySide(
      { operations: { '*': { shadow: 1 } } },
      { settings: (folder) => ({ recordFile: join(folder, 'traffic.ndjson') }) },
    )
    for (const method of ['HEAD', 'GET', 'HEAD']) await sides.gateway.call({ method, path: COUNTRIES })
    const recorded = () => readFileSync(join(sides.folder, 'traffic.ndjson'), 'utf8').match(/"path":"[^"]+"/g) ?? []
    await until(() => recorded().length > 1)
    expect((await sides.compared(3)).operations).toMatchObject([
      { operation: 'country-list', totals: { requests: 3, matched: 1, skipped: 2 }, account: { skips: { HEAD: 2 } } },
    ])
    expect(recorded()).toEqual(['"path":"/auth/application"', `"path":"${COUNTRIES}"`])
  })
})
