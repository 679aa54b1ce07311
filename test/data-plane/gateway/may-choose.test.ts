import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Experiments } from '../../../src/control-plane/admin/dashboard/sources.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { brownoutRule } from '../../support/brownout-rule.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { callLegacy, type Reply } from '../../support/legacy-client.ts'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'
import { until } from '../../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const CHARGES = '/api/transaction/charge/list'
const BY = 'x-gateway-answered-by'
const wishing = (side: string) => ({ 'x-gateway-serve': side })

const read = async ({ adminUrl }: SideBySide, path: string): Promise<string> =>
  (await callLegacy(adminUrl, { path })).text
const ignored = async (sides: SideBySide, operation: string): Promise<number> => {
  const metric = new RegExp(`^legacy_gateway_serve_header_ignored_total{operation="${operation}"} (\\d+)$`, 'm')
  return Number(metric.exec(await read(sides, '/metrics'))?.[1] ?? Number.NaN)
}
const lastCall = ({ gateway }: SideBySide) => gateway.log.findLast(({ msg }) => msg === 'call')

describe('a client that the rollout file lets choose', () => {
  let sides: SideBySide
  beforeAll(async () => {
    sides = await startSideBySide({
      operations: {
        '*': { serve: 'legacy' },
        'invoice-list': { mayChoose: ['demo-client'] },
        'country-list': { serve: 'v1', mayChoose: '*' },
        price: { mayChoose: ['somebody-else'] },
      },
    })
  })
  const ask = (wish: string): Promise<Reply> => sides.call(INVOICES, {}, wishing(wish))

  it('gets the answer of the side that X-Gateway-Serve names, which says who gave it', async () => {
    expect(await ask('v1')).toMatchObject({ status: 200, headers: { [BY]: 'v1' } })
    expect(lastCall(sides)).toMatchObject({ answeredBy: 'v1', chosen: true })
    expect(await ask('legacy')).toMatchObject({ status: 200, headers: { [BY]: 'legacy' } })
    expect(lastCall(sides)).toMatchObject({ answeredBy: 'legacy', chosen: true })
    expect((await sides.call(INVOICES, {})).headers).not.toHaveProperty(BY)
    expect(lastCall(sides)).toMatchObject({ answeredBy: 'legacy' })
    expect(lastCall(sides)).not.toHaveProperty('chosen')
    expect(await ignored(sides, 'invoice-list')).toBe(0)
  })

  it('may be any client, against what the file says, where it says *', async () => {
    const countries = { path: '/country/all', headers: wishing('legacy') }
    expect((await sides.gateway.call(countries)).headers[BY]).toBe('legacy')
    expect((await sides.gateway.call({ path: '/country/all' })).headers).not.toHaveProperty(BY)
    expect(lastCall(sides)).toMatchObject({ answeredBy: 'v1' })
  })

  it('is told from others by its token alone: from them, and for no side, the header is ignored and counted', async () => {
    const before = await ignored(sides, 'invoice-list')
    for (const wish of ['V1', 'v2', 'gateway', '', 'v1, v1']) expect((await ask(wish)).headers).not.toHaveProperty(BY)
    const forged = { ...wishing('v1'), authorization: 'Bearer demo-client', 'x-client-id': 'demo-client' }
    await sides.call(INVOICES, {}, forged)
    expect(lastCall(sides)).toMatchObject({ answeredBy: 'legacy' })
    expect((await ignored(sides, 'invoice-list')) - before).toBe(6)
    await sides.call('/api/calculate/price', {}, wishing('v1'))
    expect(lastCall(sides)).toMatchObject({ answeredBy: 'legacy' })
  })

  it('cannot choose v1 where v1 has no equivalent', async () => {
    const answer = await sides.call(CHARGES, {}, wishing('v1'))
    expect(answer.headers).not.toHaveProperty(BY)
    expect(lastCall(sides)).toMatchObject({ operation: 'charge-list', answeredBy: 'legacy' })
    expect(await ignored(sides, 'charge-list')).toBe(1)
    await sides.call('/nowhere', {}, wishing('v1'))
    expect(await ignored(sides, 'unknown')).toBe(1)
  })

  it('is marked in traffic and usage', async () => {
    const wished = 2
    const clients = JSON.parse(await read(sides, '/clients')) as {
      clients: { client: string; operations: Record<string, { calls: number; chosen?: number }> }[]
    }
    const demo = clients.clients.find(({ client }) => client === 'demo-client')
    expect(demo?.operations['invoice-list']).toMatchObject({ chosen: wished })
    expect(demo?.operations.auth).not.toHaveProperty('chosen')
    expect(await read(sides, '/traffic')).toContain('Chosen')
    expect(await read(sides, '/clients/demo-client')).toContain('Chosen')
    expect(await read(sides, '/rollout')).toContain('<code>demo-client</code>')
  })
})

it('a brownout comes first', async () => {
  const [from, to] = [-60_000, 600_000].map((later) => new Date(Date.now() + later).toISOString())
  const sides = await startSideBySide({
    operations: { '*': { serve: 'legacy', mayChoose: '*' } },
    brownouts: [brownoutRule({ from, to } as object)],
  })
  expect(await sides.call(INVOICES, {}, wishing('v1'))).toMatchObject({ status: 503 })
})

describe('the header', () => {
  let v1: HttpServer
  let legacy: HttpServer
  let sides: SideBySide
  beforeAll(async () => {
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
    closeAtEnd(() => sandbox.close())
    const through = (url = '') =>
      startHttpServer(async ({ method, target, headers, body }, response) => {
        const reply = await callLegacy(url, { method, path: target, headers: headers as Record<string, string>, body })
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text)
      })
    v1 = await through(sandbox.v1Url)
    legacy = await through(sandbox.legacyUrl)
    sides = await startSideBySide(
      { operations: { '*': { serve: 'legacy', mayChoose: '*', shadow: 1 } } },
      { v1Url: v1.url, legacyUrl: legacy.url },
    )
  })

  it('reaches no service, whoever answers, and no comparison', async () => {
    for (const wish of ['v1', 'legacy', 'else']) await sides.call(INVOICES, {}, wishing(wish))
    await sides.call(CHARGES, {}, wishing('v1'))
    await sides.call('/nowhere', {}, wishing('v1'))
    await until(() => legacy.received.filter(({ target }) => target === INVOICES).length >= 3)
    await until(() => v1.received.filter(({ target }) => target.includes('/invoices')).length >= 3)
    const names = [...v1.received, ...legacy.received].flatMap(({ headers }) => Object.keys(headers))
    expect(names).toContain('x-request-id')
    expect(names).not.toContain('x-gateway-serve')
  })
})

it('a chosen call counts neither in a plan nor for its brake, however often v1 fails it', async () => {
  const plan = { steps: [0.0001, 100], calls: 3, minutes: 0, withoutVerdict: 'a test' }
  const sides = await startSideBySide(
    { operations: { 'invoice-list': { serve: 'legacy', plan, mayChoose: ['demo-client'], shadow: 1 } } },
    { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) },
  )
  const standing = async () => (JSON.parse(await read(sides, '/cutover')) as Record<string, unknown>[])[0]
  await until(async () => (await standing())?.percent === 0.0001)
  for (let n = 0; n < 5; n++) expect((await sides.call(INVOICES, {}, wishing('v1'))).status).toBe(200)
  await sides.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 500, calls: 'all' })
  for (let n = 0; n < 40; n++) expect((await sides.call(INVOICES, {}, wishing('v1'))).status).toBe(500)
  const failed = async () => {
    const { operations } = JSON.parse(await read(sides, '/experiments')) as Experiments
    const invoices = operations.find(({ operation }) => operation === 'invoice-list')
    return { skipped: invoices?.account.skips['the chosen side failed'], verdict: invoices?.verdict }
  }
  await expect.poll(failed, { timeout: 20_000 }).toEqual({ skipped: 40, verdict: 'insufficient data' })
  expect(await standing()).toMatchObject({ state: 'running', percent: 0.0001, calls: 0, brake: { failures: 0 } })
})
