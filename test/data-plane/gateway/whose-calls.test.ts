import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Experiments } from '../../../src/control-plane/admin/dashboard/sources.ts'
import { clientHeaders } from '../../../src/data-plane/gateway/service-headers.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { type StartedGateway, startGateway, until } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const COUNTRIES = { method: 'GET', path: '/country/all' } as const
const UNITS = { method: 'GET', path: '/country/all?code=tr' } as const
const CLIENT = { 'x-request-id': 'call-1', 'x-forwarded-for': '2001:DB8::1, unknown, 192.0.2.2' }

type Answer = (nth: number) => readonly [status: number, rows: readonly object[], headers?: Record<string, string>]
const alike: Answer = () => [200, [{ id: 1 }]]

/** Two services with a list, and a gateway that compares it. `nth` counts the calls of a service from 0, checks of health aside. */
async function startCompared({
  serve = 'legacy',
  legacy: ofLegacy = alike,
  v1: ofV1 = alike,
  entry = {},
}: {
  readonly serve?: 'v1' | 'legacy'
  readonly legacy?: Answer
  readonly v1?: Answer
  readonly entry?: object
} = {}) {
  const start = (answer: Answer, whole: (rows: readonly object[]) => unknown) => {
    let nth = 0
    return startHttpServer(({ headers }, response) => {
      const isHealth = headers['x-gateway-purpose'] === 'health'
      const [status, rows, more] = isHealth ? alike(0) : answer(nth++)
      const body = status < 400 ? whole(rows) : { success: false, code: 'NO', message: 'x' }
      response.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(JSON.stringify(body))
    })
  }
  const legacy = await start(ofLegacy, (rows) => rows)
  const v1 = await start(ofV1, (rows) => v1Page(rows))
  const folder = mkdtempSync(join(tmpdir(), 'whose-calls-'))
  closeAtEnd(() => rmSync(folder, { recursive: true }))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { '*': { serve, shadow: 1, ...entry } } }))
  const gateway = await startGateway(v1.url, { legacyUrl: legacy.url, settings: { rolloutFile } })
  const adminUrl = await gateway.openAdmin()
  const ofList = async () => {
    const { operations } = JSON.parse((await callLegacy(adminUrl, { path: '/experiments' })).text) as Experiments
    return operations.find(({ operation }) => operation === 'country-list')
  }
  return { legacy, v1, gateway, adminUrl, ofList }
}

/** The calls of a service, checks of health aside. */
const callsOf = ({ received }: HttpServer) =>
  received.filter(({ headers }) => headers['x-gateway-purpose'] !== 'health').map(({ headers }) => headers)
const purposesOf = (server: HttpServer) => callsOf(server).map((headers) => headers['x-gateway-purpose'])

describe.each(['legacy', 'v1'] as const)('where %s answers', (serve) => {
  test('a comparison says so to both services, first and second, with the id and the addresses of the client’s call', async () => {
    const { legacy, v1, gateway, ofList } = await startCompared({ serve, v1: () => [200, [{ id: 2 }]] })
    await gateway.call({ ...COUNTRIES, headers: CLIENT })
    await expect.poll(async () => (await ofList())?.totals.mismatched, { timeout: 10_000 }).toBe(1)
    const [answered, other] = serve === 'legacy' ? [legacy, v1] : [v1, legacy]
    expect(purposesOf(answered)).toEqual([undefined, 'confirm'])
    expect(purposesOf(other)).toEqual(['compare', 'confirm'])
    for (const headers of [...callsOf(legacy), ...callsOf(v1)]) {
      expect(headers).toMatchObject({ 'x-request-id': 'call-1', 'x-forwarded-for': '192.0.2.2, 127.0.0.1' })
    }
  })

  test('a client cannot say what its call is for', async () => {
    const { legacy, v1, gateway, ofList } = await startCompared({ serve })
    await gateway.call({ ...COUNTRIES, headers: { 'x-gateway-purpose': 'health' } })
    await expect.poll(async () => (await ofList())?.totals.matched, { timeout: 10_000 }).toBe(1)
    const [answered, other] = serve === 'legacy' ? [legacy, v1] : [v1, legacy]
    expect([purposesOf(answered), purposesOf(other)]).toEqual([[undefined], ['compare']])
    expect([...legacy.received, ...v1.received].some(({ headers }) => headers['x-gateway-purpose'] === 'health')).toBe(
      false,
    )
  })

  test('nor that of a call which is passed on, or of a login', async () => {
    const { legacy, v1, gateway } = await startCompared({ serve })
    const headers = { 'x-gateway-purpose': 'health' }
    await gateway.call({ path: '/nowhere', headers })
    await gateway.call({ path: '/auth/application', body: '{"clientId":"a","secretKey":"b"}', headers })
    await until(() => callsOf(legacy).length === 2 && callsOf(v1).length === 1)
    expect(purposesOf(legacy)).toEqual([undefined, serve === 'legacy' ? undefined : 'compare'])
    expect(purposesOf(v1)).toEqual([serve === 'legacy' ? 'compare' : undefined])
  })

  test('a chain of addresses reaches both services alike, however long it is', async () => {
    const { legacy, v1, gateway, ofList } = await startCompared({ serve })
    const chain = Array.from({ length: 40 }, (_, at) => `192.0.2.${at}`).join(', ')
    const long = Array.from({ length: 26 }, (_, at) => `2001:db8:aaaa:bbbb:cccc:dddd:eee:${at}`).join(', ')
    for (const sent of [chain, long]) await gateway.call({ ...UNITS, headers: { 'x-forwarded-for': sent } })
    await expect.poll(async () => (await ofList())?.totals.requests, { timeout: 10_000 }).toBeGreaterThan(0)
    const told = [legacy, v1].map((server) => new Set(callsOf(server).map((headers) => headers['x-forwarded-for'])))
    const [atAnswering, atOther] = serve === 'legacy' ? told : told.toReversed()
    for (const addresses of atOther ?? []) expect(atAnswering).toContain(addresses)
  })

  test.each(['unknown', '_hidden', 'null', '"', '127.0.0.1 OR 1', 'é', '::ffff:1.2.3.4.5'])(
    'no service is told %j, which is no address',
    async (sent) => {
      const { legacy, v1, gateway, ofList } = await startCompared({ serve })
      await gateway.call({ ...COUNTRIES, headers: { 'x-forwarded-for': encodeURI(sent) } })
      await expect.poll(async () => (await ofList())?.totals.matched, { timeout: 10_000 }).toBe(1)
      const told = [...callsOf(legacy), ...callsOf(v1)].map((headers) => headers['x-forwarded-for'])
      expect(new Set(told)).toEqual(new Set(['127.0.0.1']))
    },
  )
})

describe('a service that asks to be left alone', () => {
  const limited: Answer = () => [429, [], { 'Retry-After': '60' }]

  test.each(['legacy', 'v1'] as const)(
    'what falls into that time is not judged, and the service is not asked, where %s answers',
    async (serve) => {
      const sides = await startCompared({ serve, [serve === 'v1' ? 'legacy' : 'v1']: limited })
      const { gateway, ofList } = sides
      for (const [at, code] of ['a', 'b', 'c'].entries()) {
        await gateway.call({ ...COUNTRIES, path: `/country/all?code=${code}` })
        await expect
          .poll(async () => (await ofList())?.unjudged, { timeout: 10_000 })
          .toEqual({ 'asked to slow down': at + 1 })
      }
      expect(purposesOf(serve === 'v1' ? sides.legacy : sides.v1)).toEqual(['compare'])
      expect(await ofList()).toMatchObject({ totals: { mismatched: 0, failed: 0 }, differences: [] })
    },
  )

  test('each service by itself, and all operations together', async () => {
    const { legacy, v1, gateway, adminUrl } = await startCompared({
      entry: { noise: true },
      v1: () => [503, [], { 'Retry-After': '60' }],
    })
    const unjudged = async () => {
      const { operations } = JSON.parse((await callLegacy(adminUrl, { path: '/experiments' })).text) as Experiments
      return operations.map((each) => [each.operation, each.unjudged])
    }
    const slowDown = { 'asked to slow down': 1 }
    await gateway.call(COUNTRIES)
    await expect.poll(unjudged, { timeout: 10_000 }).toEqual([['country-list', slowDown]])
    await gateway.call({ method: 'GET', path: '/city/all?countryCode=TR' })
    await expect.poll(unjudged, { timeout: 10_000 }).toContainEqual(['city-list', slowDown])
    expect(purposesOf(legacy).filter((purpose) => purpose === 'confirm')).toHaveLength(2)
    expect(purposesOf(v1)).toEqual(['compare'])
  })

  test('a 429 without a time: only that call is not judged', async () => {
    const { v1, gateway, ofList } = await startCompared({ v1: (nth) => (nth === 0 ? [429, []] : [200, [{ id: 1 }]]) })
    for (const code of ['a', 'b']) {
      await gateway.call({ ...COUNTRIES, path: `/country/all?code=${code}` })
      await until(() => callsOf(v1).length === (code === 'a' ? 1 : 2))
    }
    await expect
      .poll(async () => (await ofList())?.totals, { timeout: 10_000 })
      .toMatchObject({ requests: 2, matched: 1 })
    expect((await ofList())?.unjudged).toEqual({ 'asked to slow down': 1 })
  })

  test('a 503 without a time fails, as before', async () => {
    const { gateway, ofList } = await startCompared({ v1: () => [503, []] })
    await gateway.call(COUNTRIES)
    await expect
      .poll(async () => (await ofList())?.differences.map(({ kind }) => kind), { timeout: 10_000 })
      .toEqual(['failure'])
  })

  test('in the second look at a difference: it is not judged', async () => {
    const { gateway, ofList } = await startCompared({ v1: (nth) => (nth === 0 ? [200, [{ id: 2 }]] : limited(nth)) })
    await gateway.call(COUNTRIES)
    await expect.poll(async () => (await ofList())?.unjudged, { timeout: 10_000 }).toEqual({ 'asked to slow down': 1 })
  })

  test('a client’s own 429 is a difference', async () => {
    const { gateway, ofList } = await startCompared({ serve: 'v1', v1: limited })
    expect((await gateway.call(COUNTRIES)).status).toBe(429)
    await expect
      .poll(async () => (await ofList())?.differences.map(({ kind, details }) => [kind, details]), { timeout: 10_000 })
      .toEqual([['status', { '200 → 429': 1 }]])
  })

  test('clients are served meanwhile', async () => {
    const { gateway, legacy, ofList } = await startCompared({
      legacy: (nth) => (nth === 1 ? limited(nth) : alike(nth)),
      entry: { noise: true },
    })
    await gateway.call(COUNTRIES)
    await expect.poll(async () => (await ofList())?.unjudged, { timeout: 10_000 }).toEqual({ 'asked to slow down': 1 })
    expect((await gateway.call({ ...COUNTRIES, path: '/country/all?code=b' })).status).toBe(200)
    expect(purposesOf(legacy)).toContain(undefined)
  })
})

describe('calls that no client made', () => {
  test('a list is refreshed before it is stale: v1 learns that, and because of whose call', async () => {
    const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([{ id: 1 }]))))
    const gateway = await startGateway(v1.url, { settings: { referenceTtlMs: 1_000, referenceStaleMs: 0 } })
    await gateway.call({ ...COUNTRIES, headers: CLIENT })
    const refreshed = () => v1.received.filter(({ headers }) => headers['x-gateway-purpose'] === 'refresh')
    await until(async () => {
      await gateway.call({ ...COUNTRIES, headers: CLIENT })
      return refreshed().length > 0
    })
    expect(v1.received[0]?.headers).not.toHaveProperty('x-gateway-purpose')
    expect(refreshed()[0]?.headers).toMatchObject({
      'x-request-id': 'call-1',
      'x-forwarded-for': '192.0.2.2, 127.0.0.1',
    })
  })

  test('checks of health say so to both services, without addresses', async () => {
    const { legacy, v1, adminUrl } = await startCompared()
    await callLegacy(adminUrl, { method: 'GET', path: '/readyz' })
    await until(() => v1.received.length > 0 && legacy.received.length > 0)
    for (const { headers } of [...legacy.received, ...v1.received]) {
      expect(headers['x-gateway-purpose']).toBe('health')
      expect(headers).not.toHaveProperty('x-forwarded-for')
    }
  })

  test('a breaker’s probe is one too', async () => {
    const v1 = await startHttpServer(({ headers }, response) => {
      if (headers['x-gateway-purpose'] === 'health') response.end(JSON.stringify(v1Page([])))
      else response.destroy()
    })
    const gateway: StartedGateway = await startGateway(v1.url)
    await until(async () => {
      await gateway.call({ ...COUNTRIES, path: '/country/all' })
      return v1.received.some(({ headers }) => headers['x-gateway-purpose'] === 'health')
    })
    expect(gateway.log.some(({ msg }) => msg === 'v1 counts as down')).toBe(true)
  })
})

test('a call whose connection is gone tells the legacy service no address, also if it came with what is none', () => {
  const request = {
    ...{ method: 'GET', path: '/country/all', query: '', language: 'tr' as const, requestId: 'a' },
    ...{ peer: '', socketAddress: '', viaTrustedProxy: undefined },
  }
  const told = (chain: string) =>
    clientHeaders({ ...request, headers: { 'x-forwarded-for': chain } })['x-forwarded-for']
  expect(['unknown', '_hidden', '', '192.0.2.1, unknown'].map(told)).toEqual(Array(4).fill(undefined))
  expect(told('unknown, 192.0.2.1')).toBe('192.0.2.1')
})
