import { describe, expect, it } from 'vitest'
import type { Action, Ordered } from '../../src/control-plane/cutover/decide/order.ts'
import { placeOf } from '../../src/planes/decisions.ts'
import { fakeCutover, report } from '../support/cutover-sources.ts'
import { dashboardSources, NOW, trafficAt } from '../support/dashboard-sources.ts'
import { knownFrom, used } from '../support/known-usage.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { textOf } from '../support/read-html.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const FROM_HERE = { ...FORM, 'sec-fetch-site': 'same-origin' }
const GOOD = { by: 'ada@example.com', why: 'the month ends', version: '7' }

/** Twenty clients of known names, by their place. */
const CLIENTS = Array.from({ length: 20 }, (_, number) => `client-${number}`)

async function opened(ordered?: Ordered, said: Parameters<typeof report>[1] = {}) {
  const traffic = trafficAt()
  for (const client of [...CLIENTS, 'unidentified', 'others']) traffic.at(1, 'price', client)
  const fake = fakeCutover([report('price', said)])
  const cutover = ordered === undefined ? fake : { ...fake, order: async () => ordered }
  const dashboard = await openDashboard(dashboardSources({ cutover, traffic: traffic.snapshot }))
  return {
    orders: fake.orders,
    page: async (action: string, operation = 'price') => dashboard.get(`/cutover/${operation}/${action}`),
    send: (
      action: string,
      form: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>> = FROM_HERE,
    ) => dashboard.call({ path: `/cutover/price/${action}`, headers, body: new URLSearchParams(form).toString() }),
    call: dashboard.call,
  }
}

describe('the page that asks whether an order is meant', () => {
  it('says what will happen, to how many of the known clients, and to which', async () => {
    const { page } = await opened()
    const moving = CLIENTS.filter((client) => placeOf(client) >= 5 && placeOf(client) < 25).sort()
    expect(moving.length).toBeGreaterThan(1)
    const shown = textOf((await page('advance')).text)
    expect(shown).toContain('Now: running at 5 %, step 2 of 5, since 2025-03-04 09:00:00')
    expect(shown).toContain('Within two seconds, v1 answers 25 % of the clients of price instead of 5 %.')
    expect(shown).toContain(`${moving.length} of 20 clients will be answered by v1 instead : ${moving.join(' , ')}`)
  })

  it('leaves out clients that the rollout file keeps on a side', async () => {
    const moved = CLIENTS.find((client) => placeOf(client) >= 5 && placeOf(client) < 25) ?? ''
    const quiet = dashboardSources()
    const traffic = trafficAt()
    traffic.at(1, 'price', moved)
    const rollout = () => ({
      ...quiet.rollout(),
      operations: quiet.rollout().operations.map((row) => ({ ...row, clients: { [moved]: 'legacy' as const } })),
    })
    const sources = dashboardSources({ rollout, traffic: traffic.snapshot, cutover: fakeCutover([report('price')]) })
    const { text } = await (await openDashboard(sources)).get('/cutover/price/advance')
    expect(textOf(text)).toContain('0 of 1 client will be answered by v1 instead')
  })

  it('counts the clients of the last 30 days where usage is known', async () => {
    const usage = knownFrom(
      [
        ...CLIENTS.map((client) => used(client, 'price', '2025-02-10T08:00:00.000Z')),
        used('client-of-another', 'package', '2025-02-10T08:00:00.000Z'),
        used('client-of-old', 'price', '2025-01-10T08:00:00.000Z'),
      ],
      NOW,
    )
    const { get } = await openDashboard(dashboardSources({ usage, cutover: fakeCutover([report('price')]) }))
    const shown = textOf((await get('/cutover/price/advance')).text)
    expect(shown).toContain('of 20 clients will be answered by v1 instead')
    expect(shown).toContain('Known by name to have called it in the last 30 days: 20 clients.')
  })

  it.each([
    [
      'stop',
      {},
      'answered by the legacy service instead',
      'The legacy service takes over all clients of price at once.',
    ],
    ['pause', {}, 'No client moves.', 'v1 keeps answering 5 % of the clients of price'],
    ['resume', { state: 'stopped', percent: 0, step: 0 }, 'No client moves.', 'price starts over at 0 %'],
    ['resume', { state: 'paused' }, 'No client moves.', 'price continues at 5 %'],
    [
      'approve',
      { state: 'awaiting approval' },
      'answered by v1 instead',
      'The plan may take the step from 5 % to 25 %.',
    ],
  ] as const)('does so for %s, %j', async (action, said, clients, effect) => {
    const { page } = await opened(undefined, said)
    const shown = textOf((await page(action)).text)
    expect(shown).toContain(clients)
    expect(shown).toContain(effect)
  })

  it('has no form where the order would be refused, and says why', async () => {
    const { page } = await opened(undefined, { state: 'stopped' })
    const { status, text } = await page('advance')
    expect([status, text.includes('<form')]).toEqual([200, false])
    expect(textOf(text)).toContain('This order would be refused now: it is stopped: resume it first,')
  })

  it.each([
    ['stop', 'country-list'],
    ['destroy', 'price'],
    ['stop', 'nothing'],
  ])('is none for %s of %s', async (action, operation) => {
    const { page } = await opened()
    expect((await page(action, operation)).status).toBe(action === 'destroy' ? 405 : 404)
  })
})

describe('a form that orders something', () => {
  it('gives the order with who, why and the version that was seen, and leads back to the operation', async () => {
    const { send, orders } = await opened()
    const { status, headers } = await send('stop', { ...GOOD, why: ' the month\r\n ends ' })
    expect([status, headers.location]).toEqual([303, '/#operation-price'])
    expect(orders).toEqual([
      { operation: 'price', action: 'stop', by: 'ada@example.com', why: 'the month ends', version: 7 },
    ])
  })

  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['of another origin, by an older browser', { origin: 'http://elsewhere.test' }],
    ['of no origin', { origin: 'null' }],
  ])('is refused when a page %s sent it', async (_, headers) => {
    const { send, orders } = await opened()
    const { status, text } = await send('stop', GOOD, { ...FORM, ...headers })
    expect([status, orders]).toEqual([403, []])
    expect(textOf(text)).toContain('A page from another origin cannot do this.')
  })

  it.each([
    [{ by: '', why: 'x' }, 'By must be text of 1 to 200 characters'],
    [{ by: 'ada', why: '   ' }, 'Why must be text of 1 to 1000 characters'],
    [{ by: 'x'.repeat(201), why: 'x' }, 'By must be'],
    [{ by: 'auto', why: 'x' }, 'By must say who you are'],
    [{ by: 'ada', why: 'x', version: 'new' }, 'The form has lost its version'],
  ])('is refused in words when it is incomplete: %j', async (form, says) => {
    const { send, orders } = await opened()
    const { status, text } = await send('stop', { version: '7', ...form })
    expect([status, orders]).toEqual([400, []])
    expect(textOf(text)).toContain(`Not done. ${says}`)
    expect(text).toContain(`value="${form.by}" required`)
  })

  it('keeps what was written when somebody else was first, and asks again about the current state', async () => {
    const { send, orders } = await opened()
    const { status, text } = await send('stop', { ...GOOD, version: '6' })
    expect([status, orders.length]).toEqual([409, 1])
    expect(textOf(text)).toMatch(/Not done\. .*7.*Look at where it stands now, and decide again\./)
    expect(text).toContain('name="version" value="7"')
    expect(text).toContain('value="ada@example.com"')
    expect(text).toContain('the month ends</textarea>')
  })

  it.each([
    ['refused', 409],
    ['unavailable', 503],
  ] as const)('shows why an order is %s', async (refused, wanted) => {
    const { send } = await opened({ refused, message: 'the <brake> is about to trip' })
    const { status, text } = await send('advance', GOOD)
    expect(status).toBe(wanted)
    expect(text).toContain('the &lt;brake&gt; is about to trip')
  })

  it('of more than 16 KiB is refused', async () => {
    const { send, orders } = await opened()
    expect([(await send('stop', { ...GOOD, why: 'x'.repeat(20_000) })).status, orders]).toEqual([413, []])
  })

  it.each([
    ['JSON', { 'content-type': 'application/json' }, 200],
    ['what curl sends as a form though it is JSON', FORM, 415],
  ])('is distinguished from %s, which is answered as programs expect', async (_, headers, wanted) => {
    const { call, orders } = await opened()
    const { status, text } = await call({
      path: '/cutover/price/stop',
      headers,
      body: JSON.stringify({ by: 'ada', why: 'x' }),
    })
    expect([status, orders.length]).toEqual([wanted, wanted === 200 ? 1 : 0])
    expect(JSON.parse(text)).toBeTypeOf('object')
  })

  it.each(['advance', 'approve', 'pause', 'resume', 'stop'] satisfies Action[])('reaches %s', async (action) => {
    const { send, orders } = await opened()
    expect([(await send(action, GOOD)).status, orders[0]?.action]).toEqual([303, action])
  })
})
