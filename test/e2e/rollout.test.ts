import { renameSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startSideBySide } from '../support/side-by-side.ts'
import { until } from '../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const serving = (serve: string, more: object = {}): string =>
  JSON.stringify({ operations: { '*': { serve } }, ...more })

describe('a change of the rollout file', () => {
  it('takes effect without breaking calls in progress, and so does its reversal', async () => {
    const sides = await startSideBySide({ operations: { '*': { serve: 'v1' } } })
    const lastServed = (): string | undefined => {
      const line = sides.gateway.log.findLast(({ operation }) => operation === 'invoice-list')
      return line === undefined ? undefined : 'legacyStatus' in line ? 'legacy' : 'v1'
    }
    let isOver = false
    const statuses: number[] = []
    const client = async (): Promise<void> => {
      while (!isOver) statuses.push((await sides.call(INVOICES, { perPage: 3 })).status)
    }
    const clients = Promise.all([client(), client()])
    await until(() => lastServed() === 'v1')
    writeFileSync(sides.rolloutFile, serving('legacy'))
    await until(() => lastServed() === 'legacy')
    writeFileSync(`${sides.rolloutFile}.new`, serving('v1'))
    renameSync(`${sides.rolloutFile}.new`, sides.rolloutFile)
    await until(() => lastServed() === 'v1' && statuses.length > 20)
    isOver = true
    await clients
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('is refused if it is invalid: the error is logged and shown, and the previous version stays in effect', async () => {
    const sides = await startSideBySide({ operations: { '*': { serve: 'legacy' } } })
    const { loadedAt } = (await sides.experiments()).rollout
    writeFileSync(sides.rolloutFile, serving('nobody'))
    await until(() => sides.gateway.log.some(({ msg }) => String(msg).startsWith('ROLLOUT_FILE is refused')))
    expect(sides.gateway.log.at(-1)).toMatchObject({ level: 50, reason: expect.stringContaining('operations.*.serve') })
    const { rollout } = await sides.experiments()
    expect(rollout).toEqual({ loadedAt, error: expect.stringContaining('operations.*.serve') })
    await sides.call(INVOICES, {})
    expect(sides.gateway.log.at(-1)).toMatchObject({ operation: 'invoice-list', legacyStatus: 200 })
  })

  it('applies its new target and rules to earlier results too', async () => {
    const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
    await sides.plant('legacy', { path: INVOICES, kind: 'change', at: 'data[].priceTry', to: 1 })
    // Two matching units prove a rate of 0.22: the square root of 0.05.
    for (const perPage of [2, 3]) await sides.call(INVOICES, { perPage })
    expect((await sides.compared(2)).operations).toMatchObject([{ verdict: 'not ready', target: 0.99 }])
    const ignore = [{ operation: '*', path: 'data[].priceTry', why: 'prices move' }]
    writeFileSync(sides.rolloutFile, JSON.stringify({ operations: { '*': { shadow: 1, target: 0.2 } }, ignore }))
    await until(() => sides.gateway.log.at(-1)?.msg === 'the rollout file is in effect')
    expect((await sides.compared(2)).operations).toMatchObject([
      { verdict: 'ready', target: 0.2, totals: { ignored: 2 }, differences: [{ ignored: 'rule: prices move' }] },
    ])
  })
})

describe('a login that the rollout file sends to the legacy service', () => {
  it('still gets one token for both services', async () => {
    const sides = await startSideBySide({
      operations: { auth: { serve: 'legacy' }, 'currency-list': { serve: 'legacy' } },
    })
    expect((await sides.call(INVOICES, {})).status).toBe(200)
    expect((await sides.call('/api/currency')).status).toBe(200)
    const refused = await sides.gateway.call({ path: '/auth/application', body: '{"clientId":"a","secretKey":"b"}' })
    expect(refused.status).toBe(401)
  })

  it('is answered by v1 while the legacy service is down', async () => {
    const sides = await startSideBySide({ operations: { auth: { serve: 'legacy' } } })
    await sides.plant('legacy', { path: '/auth/application', kind: 'status', status: 503 })
    const reply = await sides.gateway.call({
      path: '/auth/application',
      body: '{"clientId":"demo-client","secretKey":"demo-secret"}',
    })
    expect(reply.status).toBe(200)
  })

  it('is refused by legacy, even if v1 cannot read it, and by the gateway while legacy is down', async () => {
    const sides = await startSideBySide({ operations: { auth: { serve: 'legacy' } } })
    const call = { path: '/auth/application', body: 'clientId=demo-client' }
    await sides.plant('legacy', { path: call.path, kind: 'status', status: 418 })
    expect((await sides.gateway.call(call)).status).toBe(418)
    await sides.plant('legacy', { path: call.path, kind: 'status', status: 503 })
    expect((await sides.gateway.call(call)).status).toBe(400)
  })
})
