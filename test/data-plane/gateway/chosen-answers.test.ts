import { renameSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { callLegacy } from '../../support/legacy-client.ts'
import { DEMO_LOGIN, type SideBySide, startSideBySide } from '../../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
const V1_INVOICES = '/api/v1/finance/invoices'
const BY = 'x-gateway-answered-by'
const SOON = { timeout: 20_000 }
const wishing = (side: string) => ({ 'x-gateway-serve': side })

const reportOf = async (sides: SideBySide, id: string) =>
  (await sides.experiments()).operations.find(({ operation }) => operation === id)

it('a call that the chosen side fails says so too: v1, or the gateway where v1 gave no answer', async () => {
  const sides = await startSideBySide({ operations: { 'invoice-list': { serve: 'legacy', mayChoose: '*' } } })
  await sides.plant('v1', { path: V1_INVOICES, kind: 'status', status: 500, calls: 1 })
  const failed = await sides.call(INVOICES, {}, wishing('v1'))
  expect([failed.status, failed.headers[BY]]).toEqual([500, 'v1'])
  await sides.plant('v1', { path: V1_INVOICES, kind: 'cut', in: 'start', calls: 'all' })
  const none = await sides.call(INVOICES, {}, wishing('v1'))
  expect([none.status, none.headers[BY]]).toEqual([500, 'gateway'])
})

it('a difference that a chosen call shows is evidence as any other', async () => {
  const sides = await startSideBySide({
    operations: { 'invoice-list': { serve: 'legacy', shadow: 1, mayChoose: ['demo-client'] } },
  })
  await sides.plant('v1', { path: V1_INVOICES, kind: 'change', at: 'items[].currencyCode', to: 'XXX', calls: 'all' })
  expect((await sides.call(INVOICES, {}, wishing('v1'))).headers[BY]).toBe('v1')
  await sides.compared(1)
  const report = await reportOf(sides, 'invoice-list')
  expect(report).toMatchObject({ verdict: 'not ready', totals: { requests: 1, mismatched: 1 } })
  expect(report?.differences.map(({ path }) => path)).toEqual(['data[].currency.code'])
})

it('a login chooses only where everyone may, or its address: it has no client yet', async () => {
  const logIn = (sides: SideBySide) =>
    sides.gateway.call({ path: '/auth/application', headers: wishing('v1'), body: JSON.stringify(DEMO_LOGIN) })
  for (const [mayChoose, answeredBy] of [
    ['*', 'v1'],
    [['127.0.0.1'], 'v1'],
    [['demo-client'], undefined],
  ] as const) {
    const sides = await startSideBySide({ operations: { auth: { serve: 'legacy', mayChoose } } })
    const answer = await logIn(sides)
    expect([answer.status, answer.headers[BY]], String(mayChoose)).toEqual([200, answeredBy])
    const metrics = (await callLegacy(sides.adminUrl, { path: '/metrics' })).text
    const ignored = answeredBy === undefined ? 1 : 0
    expect(metrics).toContain(`legacy_gateway_serve_header_ignored_total{operation="auth"} ${ignored}\n`)
  }
})

it('who may choose changes with the rollout file, while the gateway runs', async () => {
  const rolloutOf = (mayChoose: readonly string[]) => ({
    operations: { 'invoice-list': { serve: 'legacy', mayChoose } },
  })
  const sides = await startSideBySide(rolloutOf([]))
  const write = (mayChoose: readonly string[]): void => {
    writeFileSync(`${sides.rolloutFile}.new`, JSON.stringify(rolloutOf(mayChoose)))
    renameSync(`${sides.rolloutFile}.new`, sides.rolloutFile)
  }
  const answeredBy = async () => (await sides.call(INVOICES, {}, wishing('v1'))).headers[BY]
  expect(await answeredBy()).toBeUndefined()
  write(['demo-client'])
  await expect.poll(answeredBy, SOON).toBe('v1')
  write([])
  await expect.poll(answeredBy, SOON).toBeUndefined()
})
