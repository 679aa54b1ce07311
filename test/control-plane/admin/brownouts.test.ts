import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { BEGINS, brownoutRule, ENDS } from '../../support/brownout-rule.ts'
import { callLegacy, type LegacyCall, type Reply } from '../../support/legacy-client.ts'
import { textOf } from '../../support/read-html.ts'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
const END = '/brownouts/end'
const ORDER = { by: 'Ada', why: 'a client cannot wait' }
const RULES = [
  brownoutRule({ operations: ['invoice-list'] }),
  brownoutRule({ from: '2027-05-04T06:00:00Z', to: '2027-05-04T07:00:00Z', except: ['big-shop'], why: 'the <second>' }),
]

/** Only the wall clock stands still: sockets and timers go on. */
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: BEGINS - 60_000 }))
afterAll(() => vi.useRealTimers())
beforeEach(() => void vi.setSystemTime(BEGINS - 60_000))

const start = (): Promise<SideBySide> => startSideBySide({ brownouts: RULES })
const ask = (sides: SideBySide, call: Partial<LegacyCall> = {}): Promise<Reply> =>
  callLegacy(sides.adminUrl, { path: '/brownouts', ...call })
const send = (sides: SideBySide, order: string | object, headers: object = {}): Promise<Reply> =>
  callLegacy(sides.adminUrl, {
    path: END,
    body: typeof order === 'string' ? order : JSON.stringify(order),
    headers: { 'content-type': 'application/json', ...headers },
  })

describe('GET /brownouts', () => {
  it('lists those to come, under way and over, with their clients, as JSON and as a page', async () => {
    const sides = await start()
    const reported = async () => JSON.parse((await ask(sides)).text)
    await sides.call(INVOICES, {})
    expect((await reported()).brownouts).toEqual([
      {
        ...{ n: 1, ...RULES[0], state: 'to come', until: '2027-05-03T07:00:00.000Z' },
        clients: [{ client: 'demo-client', before: 1, refused: 0, since: 0 }],
        others: { before: 0, refused: 0, since: 0 },
      },
      {
        ...{ n: 2, ...RULES[1], state: 'to come', until: '2027-05-04T07:00:00.000Z' },
        // The login too.
        clients: [{ client: 'demo-client', before: 2, refused: 0, since: 0 }],
        others: { before: 0, refused: 0, since: 0 },
      },
    ])
    vi.setSystemTime(BEGINS + 1)
    expect((await sides.call(INVOICES, {})).status).toBe(503)
    expect((await reported()).brownouts).toMatchObject([
      { state: 'under way', clients: [{ before: 1, refused: 1 }] },
      {},
    ])
    vi.setSystemTime(ENDS + 60_000)
    expect((await sides.call(INVOICES, {})).status).toBe(200)
    // What is known may be a second old.
    await expect
      .poll(async () => (await reported()).brownouts, { timeout: 10_000 })
      .toMatchObject([
        { state: 'over', clients: [{ client: 'demo-client', before: 1, refused: 1, since: 1 }] },
        { state: 'to come' },
      ])

    const page = await ask(sides, { headers: { accept: 'text/html,*/*' } })
    expect([page.status, page.headers['content-type'], page.headers.vary]).toEqual([
      ...[200, 'text/html; charset=UTF-8', 'Accept'],
    ])
    const text = textOf(page.text)
    for (const words of [
      ...['Brownout 1: over', 'Brownout 2: to come', 'the <second>', 'Never refused: big-shop .', 'Calls since'],
      ...['100 % of calls, with 503', 'Operations: invoice-list .', 'Operations: all.'],
    ]) {
      expect(text).toContain(words)
    }
  })

  it('without brownouts is an empty list', async () => {
    const sides = await startSideBySide({ operations: {} })
    expect(JSON.parse((await ask(sides)).text)).toEqual({ since: expect.any(String), endedAt: null, brownouts: [] })
    const page = await ask(sides, { headers: { accept: 'text/html' } })
    expect(textOf(page.text)).toContain('The rollout file has no brownouts.')
  })
})

describe('POST /brownouts/end', () => {
  it('ends all that are under way at once, and says so in the log', async () => {
    const sides = await start()
    vi.setSystemTime(BEGINS + 60_000)
    expect((await sides.call(INVOICES, {})).status).toBe(503)
    const { status, text } = await send(sides, ORDER)
    const at = new Date(BEGINS + 60_000).toISOString()
    expect([status, JSON.parse(text)]).toEqual([200, { ...ORDER, at, ended: [1], kept: false }])
    expect((await sides.call(INVOICES, {})).status).toBe(200)
    expect(sides.gateway.log).toContainEqual(
      expect.objectContaining({ ...ORDER, msg: 'all brownouts are ended', ended: [1] }),
    )
    const report = JSON.parse((await ask(sides)).text)
    expect(report).toMatchObject({ endedAt: at, brownouts: [{ state: 'ended', until: at }, { state: 'to come' }] })
    vi.setSystemTime(Date.parse('2027-05-04T06:00:00Z'))
    expect((await sides.call(INVOICES, {})).headers['x-gateway-brownout']).toBe('2')
  })

  it('while none is under way ends none', async () => {
    const sides = await start()
    expect(JSON.parse((await send(sides, ORDER)).text)).toMatchObject({ ended: [] })
    vi.setSystemTime(BEGINS)
    expect((await sides.call(INVOICES, {})).status).toBe(503)
  })

  describe('refused', () => {
    let sides: SideBySide
    beforeAll(async () => {
      vi.setSystemTime(BEGINS - 60_000)
      sides = await start()
    })
    it.each([
      ['no JSON', '{', {}, 400, 'Send a JSON object: { "by": "…", "why": "…" }.'],
      ['without a reason', { by: 'Ada' }, {}, 400, /^why must be text/],
      ['with more', { ...ORDER, n: 1 }, {}, 400, 'the only members are by, why.'],
      ['by the gateway itself', { ...ORDER, by: 'auto' }, {}, 400, /^by must say who you are/],
      ['too large', { ...ORDER, why: 'x'.repeat(20_000) }, {}, 413, /larger than/],
      ['that is not called JSON', ORDER, { 'content-type': 'text/plain' }, 415, /Send JSON/],
      ['from elsewhere', ORDER, { origin: 'https://evil.example' }, 403, /another origin/],
    ])('an order %s', async (_, order, headers, wanted, message) => {
      vi.setSystemTime(BEGINS)
      const { status, text } = await send(sides, order, headers)
      expect([status, JSON.parse(text)]).toEqual([
        wanted,
        { message: typeof message === 'string' ? message : expect.stringMatching(message) },
      ])
      expect((await sides.call(INVOICES, {})).status).toBe(503)
    })

    it('another method', async () => {
      const { status, headers } = await ask(sides, { path: END })
      expect([status, headers.allow]).toEqual([405, 'POST'])
    })
  })
})
