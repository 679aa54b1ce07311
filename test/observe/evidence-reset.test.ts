import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { requestsOf, startComparing, stateFolder } from '../support/comparing-process.ts'
import { callLegacy, type Reply } from '../support/legacy-client.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

const PATH = '/evidence/reset'
const ORDER = { operation: 'invoice-list', by: 'Ada', why: 'v1 was repaired' }
const JSON_TYPE = { 'content-type': 'application/json' }

const send = (admin: string, body: string | object = ORDER, headers: object = JSON_TYPE): Promise<Reply> =>
  callLegacy(admin, {
    ...{ method: 'POST', path: PATH },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { host: new URL(admin).host, ...headers },
  })
const invoicesOf = ({ operations }: { readonly operations: readonly { readonly operation: string }[] }) =>
  operations.find(({ operation }) => operation === 'invoice-list')

describe('a reset', () => {
  it('starts the evidence over: what was before is history, with who ended it and why, also after a restart', async () => {
    const file = join(stateFolder(), 'state.db')
    const first = await startComparing(file)
    await first.call(3)
    await first.counted(3)
    const { status, text } = await send(first.admin)
    expect([status, JSON.parse(text)]).toEqual([200, { ...ORDER, at: expect.stringMatching(/Z$/), kept: true }])
    const { at } = JSON.parse(text) as { readonly at: string }
    const begun = { at, by: 'Ada', why: 'v1 was repaired' }
    const reset = {
      ...{ totals: { requests: 0 }, verdict: 'insufficient data', begunBy: begun, kept: true },
      history: [{ requests: 3, endedBy: begun }],
    }
    expect(invoicesOf(await first.counted(0))).toMatchObject(reset)
    const page = await callLegacy(first.admin, { path: '/side-by-side/invoice-list' })
    expect(page.text.replaceAll(/<[^>]*>/g, '')).toContain('by Ada: v1 was repaired')
    await first.stop()

    const second = await startComparing(file)
    expect(invoicesOf(await second.counted(0))).toMatchObject(reset)
    await second.call(2)
    const now = await second.counted(2)
    expect(requestsOf(now)).toBe(2)
    expect(invoicesOf(now)).toMatchObject({ history: [{ requests: 3, endedBy: begun }] })
    await second.stop()

    const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
    expect(db.prepare('SELECT * FROM audit').all()).toMatchObject([
      {
        ...{ event: 'evidence-reset', operation: 'invoice-list', at, by: 'Ada', why: 'v1 was repaired', requests: 3 },
        ...{ from: 'insufficient data', to: 'insufficient data' },
      },
    ])
    db.close()
  }, 60_000)

  it('is not kept where results are in memory, and says so', async () => {
    const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
    const { status, text } = await send(sides.adminUrl)
    expect([status, JSON.parse(text)]).toMatchObject([200, { kept: false }])
    await sides.call('/api/invoice/list', {})
    const { operations, overall } = await sides.compared(1)
    expect([operations.map(({ kept }) => kept), overall.kept]).toEqual([[false], false])
  })
})

describe('who may reset', () => {
  const TOKEN = 'a-token-of-the-admin'
  let open: SideBySide
  let guarded: string
  beforeAll(async () => {
    open = await startSideBySide({ operations: {} })
    const gateway = await startGateway(open.v1Url, { settings: { adminToken: TOKEN } })
    guarded = await gateway.openAdmin()
  })

  it('needs the token', async () => {
    expect((await send(guarded)).status).toBe(401)
    expect((await send(guarded, ORDER, { ...JSON_TYPE, authorization: `Bearer ${TOKEN}` })).status).toBe(200)
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of the same machine', { origin: 'http://127.0.0.1:1' }],
    ['no origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('a page of %s may not, with the token or where none is needed', async (_, headers) => {
    const message = { message: 'A page from another origin cannot do this.' }
    const withToken = { ...JSON_TYPE, authorization: `Bearer ${TOKEN}`, ...headers }
    for (const { status, text } of [
      await send(open.adminUrl, ORDER, { ...JSON_TYPE, ...headers }),
      await send(guarded, ORDER, withToken),
    ]) {
      expect([status, JSON.parse(text)]).toEqual([403, message])
    }
    // Nor may it ask beforehand.
    const asked = await callLegacy(open.adminUrl, {
      ...{ method: 'OPTIONS', path: PATH },
      headers: { host: new URL(open.adminUrl).host, ...headers, 'access-control-request-method': 'POST' },
    })
    expect(asked.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('a page of the admin port itself may', async () => {
    const origin = new URL(open.adminUrl).origin
    expect((await send(open.adminUrl, ORDER, { ...JSON_TYPE, origin })).status).toBe(200)
    const behindProxy = { ...JSON_TYPE, origin: 'https://admin.example', 'sec-fetch-site': 'same-origin' }
    expect((await send(open.adminUrl, ORDER, behindProxy)).status).toBe(200)
  })

  it('only JSON is taken, which no form can send', async () => {
    for (const type of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ]) {
      expect((await send(open.adminUrl, ORDER, type)).status).toBe(415)
    }
  })

  it('without a token, only requests to this machine by its own name are answered', async () => {
    expect((await send(open.adminUrl, ORDER, { ...JSON_TYPE, host: 'rebound.example' })).status).toBe(421)
  })

  it.each([
    ['{', 'Send a JSON object: { "operation": "…", "why": "…", "by": "…" }.'],
    ['[]', 'Send a JSON object: { "operation": "…", "why": "…", "by": "…" }.'],
    [{ ...ORDER, why: ' ' }, 'why must be text of 1 to 1000 characters, without control characters.'],
    [{ ...ORDER, by: 'a\nb' }, 'by must be text of 1 to 200 characters, without control characters.'],
    [{ ...ORDER, why: 'x'.repeat(1_001) }, 'why must be text of 1 to 1000 characters, without control characters.'],
    [{ ...ORDER, until: 1 }, 'the only members are operation, by, why.'],
    [{ ...ORDER, operation: 'no-such' }, /^operation: no such operation; expected one of auth, .*invoice-list/],
    [{ operation: 7 }, /^operation must be .*; by must be .*; why must be /],
  ])('%j is refused, and nothing is reset', async (body, message) => {
    const resets = () => open.gateway.log.filter(({ msg }) => msg === 'the evidence of an operation was reset').length
    const before = resets()
    const { status, text } = await send(open.adminUrl, body)
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ])
    expect(resets()).toBe(before)
    await send(open.adminUrl, ORDER)
    expect(resets()).toBe(before + 1)
  })

  it('a large order and another method are refused', async () => {
    expect((await send(open.adminUrl, { ...ORDER, why: 'x'.repeat(20_000) })).status).toBe(413)
    const { status, headers } = await callLegacy(open.adminUrl, { path: PATH })
    expect([status, headers.allow]).toEqual([405, 'POST'])
  })
})
