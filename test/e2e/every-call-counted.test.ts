import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { sumOf } from '../../src/control-plane/evidence/tally/call-account.ts'
import { brownoutRule } from '../support/brownout-rule.ts'
import { startHttpServer } from '../support/http-server.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const INVOICES = '/api/invoice/list'
const COUNTRIES = '/country/all'
const country = { id: 1, code: 'tr', name: 'a' }

/** A v1 and a legacy service. A call that asks for `x-status` gets that status from legacy; both refuse the search `no`. */
async function services(serve: 'v1' | 'legacy', more: object = {}) {
  const v1 = await startHttpServer(({ target }, response) => {
    if (target.includes('search=no'))
      return response.writeHead(403).end('{"success":false,"error":{"code":"FORBIDDEN"}}')
    if (target.includes('auth')) return response.end(JSON.stringify(v1Record({ token: 'v' })))
    const rows = target.includes('countries') ? [country] : [{ id: 1 }]
    return response.end(JSON.stringify(v1Page(rows, { perPage: target.includes('countries') ? 200 : 25 })))
  })
  const legacy = await startHttpServer(({ target, body, headers }, response) => {
    if (target.includes('auth')) return response.end('{"token":"l"}')
    if (body.includes('"no"')) return response.writeHead(403).end('{"code":403,"message":"no"}')
    if (body.includes('"slow"')) return undefined
    if (headers.range !== undefined) return response.writeHead(206, { 'content-range': 'bytes 0-1/9' }).end('[{')
    if (headers['if-none-match'] !== undefined) return response.writeHead(304).end()
    if (target.includes('country')) return response.end(JSON.stringify([country]))
    return response.end(JSON.stringify({ data: [{ id: 1 }], pagination: {} }))
  })
  const rollout = {
    operations: { '*': { serve, shadow: 1, confirm: false, target: 0.1 } },
    ignore: ['missing', 'extra', 'changed'].map((kind) => ({ operation: '*', path: '', kind, why: 'not of interest' })),
    ...more,
  }
  return startSideBySide(rollout, {
    ...{ v1Url: v1.url, legacyUrl: legacy.url },
    settings: () => ({ maxBodyBytes: 4_096, referenceTtlMs: 600_000 }),
  })
}

/** What has been found about an operation, once all of its `calls` have been counted. */
async function counted(sides: SideBySide, id: string, calls: number) {
  const find = async () => (await sides.experiments()).operations.find(({ operation }) => operation === id)
  await expect.poll(async () => (await find())?.account.calls ?? 0, { timeout: 10_000 }).toBe(calls)
  return (await find()) as Experiments['operations'][number]
}

/** Each call is in one total, and all that were not compared have a cause. */
function addsUp({ totals, account, unjudged }: Experiments['operations'][number]): void {
  const { requests, matched, ignored, mismatched, failed, skipped } = totals
  expect(matched + ignored + mismatched + failed + skipped).toBe(requests)
  expect(sumOf(unjudged) + sumOf(account.skips)).toBe(failed + skipped)
  expect(account.calls).toBe(account.notDrawn + sumOf(account.skips) + sumOf(account.unjudged) + account.compared)
  expect(account.compared).toBe(account.errors + account.empty + account.unitless + account.repeated + account.units)
}

/** Sends a call and resets the connection once the service has it. */
async function hangUp({ gateway, token }: SideBySide): Promise<void> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined)
  const body = '{"search":"slow"}'
  socket.write(
    `POST ${INVOICES} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 50\r\n\r\n${body}`,
  )
  await gateway.call({ path: COUNTRIES, method: 'OPTIONS' })
  socket.resetAndDestroy()
}

describe.each(['v1', 'legacy'] as const)('every call is counted, in one place only, where %s answers', (serve) => {
  it('however it ends', async () => {
    const sides = await services(serve)
    const { call } = sides
    let calls = 0
    const invoice = async (body: object, headers?: Record<string, string>) => {
      calls++
      return call(INVOICES, body, headers)
    }
    await invoice({})
    await invoice({})
    await invoice({ search: 'a' })
    await invoice({ search: 'no' })
    await invoice({ page: 'x' })
    await invoice({ search: 'x'.repeat(5_000) })
    await invoice({}, { expect: '100-continue' })
    await invoice({}, { 'content-encoding': 'br' })
    await invoice({ search: 'part' }, { range: 'bytes=0-1' })
    await invoice({ search: 'known' }, { 'if-none-match': '"a"' })
    calls++
    await sides.gateway.call({ path: INVOICES, body: '{}' })
    calls++
    await sides.gateway.call({ path: INVOICES, body: '{}', headers: { authorization: 'Bearer foreign' } })
    calls++
    await hangUp(sides)
    const report = await counted(sides, 'invoice-list', calls)
    addsUp(report)
    expect(report.unjudged).toMatchObject({ 'client gone': 1, 'too large': 1, 'both refused: 403': 1 })
    if (serve === 'legacy') expect(report.unjudged).toMatchObject({ 'answered with 206': 1, 'answered with 304': 1 })
  })

  it('also a cached list, a HEAD, a write, a login, and a method that no operation has', async () => {
    const sides = await services(serve)
    const { call, gateway } = sides
    const { headers } = await gateway.call({ method: 'GET', path: COUNTRIES })
    const known = { 'if-none-match': String(headers.etag ?? '"x"') }
    expect((await gateway.call({ method: 'GET', path: COUNTRIES, headers: known })).status).toBe(304)
    await gateway.call({ method: 'GET', path: `${COUNTRIES}?code=de`, headers: known })
    for (let times = 0; times < 3; times++) await gateway.call({ method: 'GET', path: COUNTRIES })
    await gateway.call({ method: 'HEAD', path: COUNTRIES })
    expect((await gateway.call({ method: 'DELETE', path: COUNTRIES })).status).toBe(405)
    const list = await counted(sides, 'country-list', 7)
    addsUp(list)
    expect(list.account.skips).toMatchObject({ HEAD: 1 })
    // A 304 says that the client has the list: the list is compared all the same.
    expect(list).toMatchObject({ unjudged: {}, lists: { called: 2, neverCompared: {} } })
    await call('/api/single/point/import', {})
    const write = await counted(sides, 'import-create', 1)
    addsUp(write)
    expect(write.account.skips).toEqual({ write: 1 })
    const login = await counted(sides, 'auth', 1)
    addsUp(login)
    expect(login.account).toMatchObject({ compared: 1, units: 1 })
  })

  it('also if a brownout refuses it, or it was not selected', async () => {
    const now = Date.now()
    const [from, to] = [now - 60_000, now + 3_600_000].map((ms) => new Date(ms).toISOString())
    const brownout = { ...brownoutRule(), operations: ['country-list'], from, to }
    const sides = await services(serve, {
      operations: { '*': { serve, shadow: 1, confirm: false }, 'invoice-list': { shadow: 0.5 } },
      brownouts: [brownout],
    })
    await Promise.all(Array.from({ length: 40 }, () => sides.call(INVOICES, {})))
    const drawn = await counted(sides, 'invoice-list', 40)
    addsUp(drawn)
    expect(drawn.account.notDrawn).toBeGreaterThan(0)
    expect(drawn.account.notDrawn + drawn.totals.requests).toBe(40)
    expect((await sides.gateway.call({ method: 'GET', path: COUNTRIES })).status).toBe(503)
    const refused = await counted(sides, 'country-list', 1)
    addsUp(refused)
    expect(refused.account.skips).toEqual({ 'refused in a brownout': 1 })
  })
})
