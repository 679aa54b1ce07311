import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { lowerBoundOf } from '../../../src/control-plane/evidence/tally/proven-share.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { BEGINS, brownoutRule, ENDS } from '../../support/brownout-rule.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { type CountingProxy, startCountingProxy } from '../../support/counting-proxy.ts'
import { headerOf, messagesIn, statusOf } from '../../support/http-message.ts'
import { callLegacy, type LegacyCall, type Reply, sendBytes } from '../../support/legacy-client.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'
import { until } from '../../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const V1 = 'https://api.example.com/base'
const SUNSET = new Date('2027-06-30T21:00:00Z')

/** Only the wall clock stands still: sockets and timers go on. */
const at = (time: number): void => void vi.setSystemTime(time)
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: BEGINS - 60_000 }))
afterAll(() => vi.useRealTimers())
beforeEach(() => at(BEGINS - 60_000))
afterEach(() => vi.restoreAllMocks())

let v1: CountingProxy
let legacy: CountingProxy
beforeAll(async () => {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  v1 = await startCountingProxy(sandbox.v1Url)
  legacy = await startCountingProxy(sandbox.legacyUrl ?? '')
})

const start = (rules: readonly object[], rollout: object = {}, settings: object = {}): Promise<SideBySide> =>
  startSideBySide(
    { operations: { '*': { serve: 'v1' } }, brownouts: rules, ...rollout },
    {
      ...{ v1Url: v1.url, legacyUrl: legacy.url },
      settings: (folder) => ({ v1PublicUrl: new URL(V1), sunset: SUNSET, ...settings, recordFile: recordIn(folder) }),
    },
  )
const recordIn = (folder: string): string => join(folder, 'traffic.ndjson')
const callTo = (path: string): LegacyCall => {
  const isPost = operations.find(({ legacy }) => legacy.path === path)?.legacy.method === 'POST'
  return { path, ...(isPost && { body: '{}' }) }
}

describe('a brownout of everything', () => {
  let sides: SideBySide
  beforeAll(async () => {
    at(BEGINS - 60_000)
    sides = await start([brownoutRule()], { operations: { '*': { shadow: 1, serve: 'v1' } } }, { corsOrigins: '*' })
  })
  beforeEach(() => at(BEGINS + 1_800_000))
  const call = (given: LegacyCall): Promise<Reply> =>
    sides.gateway.call({ ...given, headers: { authorization: `Bearer ${sides.token}`, ...given.headers } })

  it.each(operations.map(({ id, legacy, v1 }) => [id, legacy, v1] as const))(
    'refuses %s in its shape, in both languages, and asks nobody',
    async (_, { path }, successor) => {
      const asked = [v1.count(), legacy.count()]
      const [tr, en] = [
        await call(callTo(path)),
        await call({ ...callTo(path), headers: { 'accept-language': 'en-GB' } }),
      ]
      const uri = successor && `${V1}${successor.path.replace('{id}', '%7Bid%7D')}`
      expect(JSON.parse(tr.text)).toEqual({
        message:
          successor === undefined
            ? "Bu çağrı bilerek reddedildi: çağırdığınız arayüz 2027-06-30 tarihinde kapatılacak ve bu işlemin v1'de karşılığı yok."
            : `Bu çağrı bilerek reddedildi: çağırdığınız arayüz 2027-06-30 tarihinde kapatılacak. Bunun yerine ${successor.method} ${uri} kullanın.`,
      })
      expect(JSON.parse(en.text)).toEqual({
        message:
          successor === undefined
            ? 'This call was refused on purpose: the interface that you call will be switched off on 2027-06-30, and v1 has no equivalent of this operation.'
            : `This call was refused on purpose: the interface that you call will be switched off on 2027-06-30. Use ${successor.method} ${uri} instead.`,
      })
      for (const { status, headers } of [tr, en]) {
        expect(status).toBe(503)
        expect(headers).toMatchObject({
          ...{ 'content-type': 'application/json', vary: 'Accept-Language', 'access-control-allow-origin': '*' },
          ...{ 'retry-after': '1800', 'x-gateway-brownout': '1', 'x-request-id': expect.any(String) },
          ...{ deprecation: '@0', sunset: 'Wed, 30 Jun 2027 21:00:00 GMT' },
          ...(uri !== undefined && { link: `<${uri}>; rel="successor-version"` }),
        })
        expect(headers).not.toHaveProperty('x-gateway-error')
        const exposed = String(headers['access-control-expose-headers']).split(', ')
        expect(exposed).toEqual(expect.arrayContaining(['Retry-After', 'X-Gateway-Brownout']))
      }
      expect([v1.count(), legacy.count()]).toEqual(asked)
    },
  )

  it('is neither compared nor recorded, and no breaker hears of it', async () => {
    for (let n = 0; n < 20; n++) expect((await call(callTo(INVOICES))).status).toBe(503)
    const { operations: compared, queue } = await sides.experiments()
    // Each refused call is counted as skipped, as the login before the brownout is.
    const others = compared.filter(({ totals }) => totals.skipped < totals.requests)
    expect(others).toEqual([])
    expect(compared.find(({ operation }) => operation === 'invoice-list')?.account).toMatchObject({
      ...{ skips: { 'refused in a brownout': expect.any(Number) }, unjudged: {}, compared: 0 },
    })
    expect(queue).toMatchObject({ length: 0, dropped: 0 })
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    expect(text).toContain('legacy_gateway_breaker_open{upstream="v1",lane="reads"} 0')
    const recording = recordIn(sides.folder)
    // There is nothing but the login before the brownout.
    expect(existsSync(recording) ? readFileSync(recording, 'utf8') : '').not.toContain('invoice-list')
  })

  it('is distinguished from failures in log and metrics, which show the calls of its clients', async () => {
    await call({ ...callTo(INVOICES), headers: { 'x-request-id': 'browned-out' } })
    await until(() => sides.gateway.log.some(({ requestId }) => requestId === 'browned-out'))
    const line = sides.gateway.log.find(({ requestId }) => requestId === 'browned-out')
    expect(line).toMatchObject({ level: 30, operation: 'invoice-list', status: 503, brownout: 1, v1Calls: 0 })
    expect(line).not.toHaveProperty('failure')
    expect(line).not.toHaveProperty('answeredBy')
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    const refusals = (operation: string) =>
      Number(
        new RegExp(`^legacy_gateway_brownout_refusals_total{operation="${operation}"} (\\d+)`, 'm').exec(text)?.[1],
      )
    expect(refusals('invoice-list')).toBeGreaterThan(0)
    expect(refusals('charge-list')).toBe(2)
    expect(text.match(/^legacy_gateway_calls_total\{.*status="5..".*\} [1-9]/gm)).toBe(null)
    expect(text).toMatch(/^legacy_gateway_client_calls_total\{client="demo-client",operation="invoice-list"\} [1-9]/m)
  })

  it('answers HEAD without a body, with the length of the one that GET has', async () => {
    const [head, get] = [await call({ method: 'HEAD', path: '/country/all' }), await call({ path: '/country/all' })]
    expect([head.status, head.text, head.headers['x-gateway-brownout']]).toEqual([503, '', '1'])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)))
  })

  it('never refuses a preflight, and leaves other methods and paths as they are', async () => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const preflight = await sides.gateway.call({ method: 'OPTIONS', path: INVOICES, headers })
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([204, 'POST'])
    expect((await call({ method: 'OPTIONS', path: INVOICES })).status).toBe(204)
    expect((await call({ method: 'PUT', path: INVOICES, body: '{}' })).status).toBe(405)
    expect((await call({ path: '/nothing/here' })).headers).not.toHaveProperty('x-gateway-brownout')
  })

  it.each([
    ['of 1 MB', 1_048_576, 'content-length'],
    ['of 1 MB in chunks', 1_000_000, 'chunks'],
  ])('keeps the connection after a body %s, which it does not read as a call', async (_, size, by) => {
    const body = 'x'.repeat(size)
    const framed =
      by === 'chunks'
        ? `transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        : `content-length: ${size}\r\n\r\n${body}`
    const post = `POST ${INVOICES} HTTP/1.1\r\nhost: a\r\naccept-language: en\r\n${framed}`
    const last = `GET /country/all HTTP/1.1\r\nhost: a\r\naccept-language: en\r\nconnection: close\r\n\r\n`
    const { messages, rest } = messagesIn(await sendBytes(sides.gateway.url, post, post, last))
    expect(messages.map((one) => [statusOf(one), headerOf(one, 'x-gateway-brownout')])).toEqual([
      ...[
        [503, '1'],
        [503, '1'],
        [503, '1'],
      ],
    ])
    expect(rest).toBe('')
  })

  it('closes the connection after a body larger than any call may have', async () => {
    const head = `POST ${INVOICES} HTTP/1.1\r\nhost: a\r\naccept-language: en\r\ncontent-length: 2000000\r\n\r\n`
    const { messages } = messagesIn(await sendBytes(sides.gateway.url, head, 'x'.repeat(2_000_000)))
    expect(messages.map((one) => [statusOf(one), headerOf(one, 'connection')])).toEqual([[503, 'close']])
  })

  it('answers HTTP/1.0', async () => {
    const { messages } = messagesIn(
      await sendBytes(sides.gateway.url, `GET /country/all HTTP/1.0\r\naccept-language: en\r\n\r\n`),
    )
    expect(messages.map((one) => [statusOf(one), headerOf(one, 'retry-after')])).toEqual([[503, '1800']])
  })
})

describe('the time', () => {
  it('decides to the millisecond, and Retry-After counts whole seconds to the end', async () => {
    const sides = await start([brownoutRule({ to: '2027-05-03T15:00:00+03:00' })])
    const end = Date.parse('2027-05-03T12:00:00Z')
    const told = async (time: number) => {
      at(time)
      const { status, headers } = await sides.call(INVOICES, {})
      return [status, headers['retry-after']]
    }
    expect(await told(BEGINS - 1)).toEqual([200, undefined])
    expect(await told(BEGINS)).toEqual([503, '3600'])
    expect(await told(end - 3_600_001)).toEqual([503, '3600'])
    expect(await told(end - 3_599_000)).toEqual([503, '3599'])
    expect(await told(end - 1)).toEqual([503, '1'])
    expect(await told(end)).toEqual([200, undefined])
  })
})

describe('a gateway that is started in a brownout', () => {
  it('refuses calls from the first one', async () => {
    at(BEGINS + 60_000)
    const sides = await start([brownoutRule({ operations: ['invoice-list'] })])
    expect((await sides.call(INVOICES, {})).status).toBe(503)
  })
})

describe('a brownout of some', () => {
  it('of a share of calls refuses that share, within exact bounds', async () => {
    const sides = await start([brownoutRule({ percent: 10, status: 410 })])
    at(BEGINS)
    vi.spyOn(Math, 'random').mockImplementation(seededRandom(1))
    const calls = 300
    const agent = new Agent({ keepAlive: true, maxSockets: 10 })
    closeAtEnd(() => agent.destroy())
    const call = () => callLegacy(sides.gateway.url, { path: '/country/all' }, agent)
    const statuses = (await Promise.all(Array.from({ length: calls }, call))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 410]))
    const refused = statuses.filter((status) => status === 410).length
    expect(lowerBoundOf(refused, calls, 0.9995)).toBeLessThan(0.1)
    expect(lowerBoundOf(calls - refused, calls, 0.9995)).toBeLessThan(0.9)
  })

  it('of clients refuses each always or never', async () => {
    const sides = await start([brownoutRule({ percent: 50, of: 'clients', status: 500 })])
    at(BEGINS)
    const statuses = new Map<string, Set<number>>()
    for (let round = 0; round < 3; round++) {
      for (let client = 0; client < 12; client++) {
        const authorization = `Bearer token-of-${client}`
        const { status } = await sides.gateway.call({ path: '/country/all', headers: { authorization } })
        statuses.set(authorization, (statuses.get(authorization) ?? new Set()).add(status))
      }
    }
    const seen = [...statuses.values()].map((of) => [...of])
    expect(seen.filter((of) => of.length > 1)).toEqual([])
    expect(new Set(seen.flat())).toEqual(new Set([200, 500]))
  })

  it('spares the clients that it excepts and the operations that it does not name; a login has no client yet', async () => {
    const sides = await start([
      brownoutRule({ operations: ['currency-list'] }),
      brownoutRule({ operations: ['auth', 'invoice-list'], except: ['demo-client'], percent: 100 }),
    ])
    at(BEGINS)
    expect((await sides.call('/api/currency')).headers['x-gateway-brownout']).toBe('1')
    expect((await sides.call(INVOICES, {})).status).toBe(200)
    expect((await sides.call('/country/all')).status).toBe(200)
    const other = await sides.gateway.call({ path: INVOICES, body: '{}' })
    expect([other.status, other.headers['x-gateway-brownout']]).toEqual([503, '2'])
    const login = await sides.gateway.call({
      path: '/auth/application',
      body: '{"clientId":"demo-client","secretKey":"demo-secret"}',
    })
    expect([login.status, login.headers['x-gateway-brownout']]).toEqual([503, '2'])
  })
})

describe('what changes meanwhile', () => {
  it('an edited rollout file begins and ends brownouts', async () => {
    const sides = await start([])
    at(BEGINS)
    const statusIs = async (wanted: number) => {
      for (;;) if ((await sides.call(INVOICES, {})).status === wanted) return
    }
    await statusIs(200)
    writeFileSync(sides.rolloutFile, JSON.stringify({ brownouts: [brownoutRule()] }))
    await statusIs(503)
    writeFileSync(
      sides.rolloutFile,
      JSON.stringify({ brownouts: [brownoutRule({ percent: 100, from: '2027-05-03T09:30:00+03:00' })] }),
    )
    await statusIs(200)
    at(ENDS - 1)
    await statusIs(503)
  })

  it('without v1’s address and SUNSET the message names the path and no date', async () => {
    const sides = await startSideBySide(
      { brownouts: [brownoutRule()] },
      { v1Url: v1.url, settings: () => ({ v1PublicUrl: undefined }) },
    )
    at(BEGINS)
    const { text, headers } = await sides.call(INVOICES, {}, { 'accept-language': 'en' })
    const address = /<(.*)>/.exec(String(headers.link))?.[1]
    expect(JSON.parse(text).message).toBe(
      `This call was refused on purpose: the interface that you call will be switched off. Use GET ${address} instead.`,
    )
    expect(headers).not.toHaveProperty('sunset')
  })
})
