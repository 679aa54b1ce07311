import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { callLegacy } from '../../support/legacy-client.ts'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'
import { callsOf, clientsThat, usageOf } from './support/asked-clients.ts'
import { storedLooks } from './support/stored-calls.ts'

const INVOICES = '/api/invoice/list'

describe('GET /clients', () => {
  let sides: SideBySide
  beforeAll(async () => {
    sides = await startSideBySide({ operations: { price: { serve: 'legacy' } } })
  })

  it('reports who called what, and what the calls sent, whichever side answered', async () => {
    const headers = { 'user-agent': 'shop/1.2' }
    await sides.call(INVOICES, { statusId: 2, search: '' }, headers)
    await sides.call(INVOICES, { statusId: 4, page: 'one' }, headers)
    await sides.call('/api/calculate/price', { countryId: 57, zipCode: '50667', packages: [{ id: 7, weight: 1 }] })
    const report = await clientsThat(
      sides.adminUrl,
      (all) =>
        usageOf(all, 'demo-client', 'invoice-list')?.seen === 2 && usageOf(all, 'demo-client', 'price')?.seen === 1,
    )
    const [demo] = report.clients
    // It may have logged in more than once.
    const logins = demo?.operations.auth?.calls ?? 0
    expect(demo).toMatchObject({ client: 'demo-client', calls: 3 + logins })
    // The gateway itself refuses a page that is no number.
    expect(demo?.operations['invoice-list']).toEqual({
      ...{ calls: 2, errors: 1, byV1: 1, byLegacy: 0, seen: 2 },
      ...{ members: { statusId: 2, page: 1 }, forms: { 'page: refused: aaa': 1 }, agents: ['shop/1.2'] },
      ...{ empty: { search: 1 }, removed: { statusId: 1 }, other: 0 },
      ...{ firstAt: expect.any(String), lastAt: expect.any(String) },
    })
    expect(demo?.operations.price).toMatchObject({ calls: 1, byV1: 0, byLegacy: 1, members: { 'packages[].id': 1 } })
    // The login counts under the client that it names.
    expect(demo?.operations.auth).toMatchObject({ calls: logins, seen: logins, errors: 0 })
    const today = new Date()
    expect(Date.parse(report.since)).toBe(
      Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - 29),
    )
    const { clients } = await clientsThat(sides.adminUrl, () => true, '/clients?operation=price&days=1')
    expect(clients.map(({ operations }) => Object.keys(operations))).toEqual([['price']])
  })

  it('says what is wrong with a question, and takes only GET', async () => {
    const ask = async (path: string, method?: 'POST') => {
      const { status, text } = await callLegacy(sides.adminUrl, { path, ...(method && { method, body: '' }) })
      return [status, (JSON.parse(text) as { message: string }).message]
    }
    const days = 'days must be a whole number from 1 to 400'
    for (const wrong of ['0', '401', '-1', '1.5', 'x', ''])
      expect(await ask(`/clients?days=${wrong}`)).toEqual([400, `${days}.`])
    expect(await ask('/clients?operation=nothing')).toEqual([
      400,
      expect.stringMatching(/^operation: no such operation; expected one of auth, /),
    ])
    const once = 'the only parameters are days and operation, each at most once.'
    expect(await ask('/clients?days=1&days=2')).toEqual([400, once])
    expect(await ask('/clients?client=x')).toEqual([400, once])
    expect(await ask('/clients', 'POST')).toEqual([405, 'Only GET is allowed here.'])
    const { headers } = await callLegacy(sides.adminUrl, { path: '/clients' })
    expect(headers.vary).toBe('Accept')
  })
})

describe('usage', () => {
  it('survives a restart, and nothing is counted twice', async () => {
    const settings = (folder: string) => ({ stateDb: join(folder, 'state.db') })
    const sides = await startSideBySide({}, { settings })
    for (let n = 0; n < 3; n++) await sides.call(INVOICES, { page: 1 })
    // A busy machine may take longer to look and store than the gateway has while it stops.
    await expect.poll(() => storedLooks(join(sides.folder, 'state.db'), 'invoice-list'), { interval: 10 }).toBe(3)
    await sides.gateway.close()
    const again = await startSideBySide({}, { settings: () => settings(sides.folder) })
    await again.call(INVOICES, { perPage: 1 })
    const report = await clientsThat(again.adminUrl, (all) => usageOf(all, 'demo-client', 'invoice-list')?.seen === 4)
    expect(usageOf(report, 'demo-client', 'invoice-list')).toMatchObject({ calls: 4, members: { page: 3, perPage: 1 } })
    expect(callsOf(report, 'demo-client', 'auth')).toBeGreaterThanOrEqual(2)
  })

  it('of garbage tokens and unknown paths is that of nobody, in a row for each operation', async () => {
    const sides = await startSideBySide({})
    const call = (n: number): Promise<unknown> => {
      const headers = { authorization: `Bearer garbage-${n}`, 'user-agent': `robot ${n}` }
      return sides.gateway.call({ path: n % 3 === 0 ? `/secret-${n}` : INVOICES, headers, body: '{}' })
    }
    for (let n = 0; n < 300; n += 30) await Promise.all(Array.from({ length: 30 }, (_, at) => call(n + at)))
    const report = await clientsThat(sides.adminUrl, (all) => callsOf(all, 'unidentified', 'unknown') === 100)
    expect(report.clients.map(({ client }) => client).sort()).toEqual(['demo-client', 'unidentified'])
    expect(usageOf(report, 'unidentified', 'invoice-list')).toMatchObject({ calls: 200, errors: 200 })
    expect(usageOf(report, 'unidentified', 'invoice-list')?.agents.length).toBe(5)
    expect(usageOf(report, 'unidentified', 'invoice-list')?.seen).toBeLessThan(200)
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    expect(text.split('\n').filter((line) => /garbage|robot|secret-/.test(line))).toEqual([])
  })

  it('holds no value of any body and no credential: neither the answer, nor the file, nor the log', async () => {
    const sides = await startSideBySide({}, { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) })
    const secret = 'Xqzvalue'
    await sides.call(INVOICES, { search: secret, [`unknown${secret}`]: secret, sortBy: `${secret}1` })
    await sides.call(`/country/all?search=${secret}&${secret}=1`)
    await sides.call('/api/calculate/price', { city: secret, packages: [{ [secret]: 1 }] })
    await sides.gateway.call({
      path: '/auth/application',
      body: JSON.stringify({ clientId: 'nobody', secretKey: secret }),
    })
    const report = await clientsThat(
      sides.adminUrl,
      (all) => usageOf(all, 'demo-client', 'price')?.seen === 1 && usageOf(all, 'unidentified', 'auth')?.seen === 1,
    )
    await sides.gateway.close()
    const file = readdirSync(sides.folder)
      .filter((name) => name.startsWith('state.db'))
      .map((name) => readFileSync(join(sides.folder, name)).toString('latin1'))
      .join('')
    expect(file).toContain('sortBy')
    for (const where of [JSON.stringify(report), file, JSON.stringify(sides.gateway.log)]) {
      for (const value of [secret, 'demo-secret', sides.token]) expect(where.includes(value)).toBe(false)
    }
  })
})
