import { expect, it } from 'vitest'
import type { Experiment } from '../../src/control-plane/admin/dashboard/sources.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { account, type Instead, ROLLOUT, startCopied, startRecordedCopy } from '../support/recorded-copy.ts'
import type { SideBySide } from '../support/side-by-side.ts'

const DOCUMENT = '/api/consignment/document'
const PACKAGE = '/api/consignment/package/advance'
const IMPORT = '/api/single/point/import'
const [document = {}] = GOOD_BODIES[DOCUMENT] ?? []
const [parcel = {}] = GOOD_BODIES[PACKAGE] ?? []
const LOGIN = '/api/v1/auth/application'

const reportOf = async (sides: SideBySide, requests: number, id: string): Promise<Experiment | undefined> =>
  (await sides.compared(requests)).operations.find(({ operation }) => operation === id)

it('calls of the copy say what they are for, and because of which client’s call they are made', async () => {
  const copy = await startRecordedCopy()
  const sides = await startCopied(copy.url)
  const headers = { 'x-request-id': 'call-7', 'x-forwarded-for': '192.0.2.7' }
  expect((await sides.call(PACKAGE, parcel, headers)).status).toBe(200)
  await sides.compared(1)
  for (const { headers: sent } of copy.received) expect(sent['x-gateway-purpose']).toBe('copy')
  const [shipment, ...others] = copy.received.filter(({ target }) => target.startsWith('/api/v1/shipment'))
  expect(others).toEqual([])
  expect(shipment?.headers).toMatchObject({ 'x-request-id': 'call-7', 'x-forwarded-for': '192.0.2.7, 127.0.0.1' })
  const [login] = copy.received.filter(({ target }) => target === LOGIN)
  expect(login?.headers).not.toHaveProperty('x-forwarded-for')
})

it.each([429, 503])('a copy that answers %i and Retry-After is left alone, and nothing is judged', async (status) => {
  const asked: Instead = { status, body: '{"success":false}', headers: { 'retry-after': '60' } }
  const copy = await startRecordedCopy((target) => (target === LOGIN ? undefined : asked))
  const sides = await startCopied(copy.url)
  for (const name of ['a', 'b', 'c']) await sides.call(IMPORT, { name, shipmentId: 'G1' })
  expect(await reportOf(sides, 3, 'import-create')).toMatchObject({
    ...{ unjudged: { 'copy: asked to slow down': 3 }, verdict: 'insufficient data', differences: [] },
  })
  expect(copy.received.filter(({ target }) => target !== LOGIN)).toHaveLength(1)
})

it('a member that v1 does not get is lost against a copy too, although both answers are equal', async () => {
  const copy = await startRecordedCopy()
  const sides = await startCopied(copy.url)
  await sides.call(DOCUMENT, { ...document, gsm: 'secret-1' })
  const report = await reportOf(sides, 1, 'document')
  expect(report).toMatchObject({ verdict: 'not ready', against: 'a copy', checked: null, totals: { mismatched: 1 } })
  const counting = report?.differences.filter(({ ignored }) => ignored === null)
  expect(counting).toMatchObject([{ kind: 'dropped', path: 'gsm', requests: 1 }])
  expect(JSON.stringify(report)).not.toContain('secret-1')
})

it('a copy that answers wrongly differs, with what it gives itself compared by presence and type, and asked once', async () => {
  const right = await startRecordedCopy()
  const sides = await startCopied(right.url)
  await sides.call(IMPORT, { name: 'a', shipmentId: 'G1' })
  const fine = await reportOf(sides, 1, 'import-create')
  expect(fine?.differences.filter(({ ignored }) => ignored === null)).toEqual([])
  expect(fine?.coverage.seen).toBeGreaterThan(0)

  const data = { id: 'a text', name: 'another', carrierShipmentId: 'G1' }
  const body = JSON.stringify({ success: true, message: '', data })
  const wrong = await startRecordedCopy((target) =>
    target.endsWith('/single-point-imports') ? { status: 201, body } : undefined,
  )
  const wronged = await startCopied(wrong.url)
  await wronged.call(IMPORT, { name: 'a', shipmentId: 'G1' })
  const report = await reportOf(wronged, 1, 'import-create')
  expect(report).toMatchObject({ verdict: 'not ready', against: 'a copy' })
  const counting = report?.differences.filter(({ ignored }) => ignored === null) ?? []
  expect(counting.map(({ kind }) => kind)).toContain('type')
  for (const { drift } of counting) expect(drift).toBe(0)
  expect(wrong.received.filter(({ target }) => target.endsWith('/single-point-imports'))).toHaveLength(1)
})

it('gets no write that v1 answered, and none that is not drawn', async () => {
  const copy = await startRecordedCopy()
  const all = ROLLOUT.operations['*']
  const clients = { [account.clientId]: 'v1' }
  const rollout = {
    operations: { '*': { ...all, clients }, document: { clients: {}, shadow: 0 } },
    limits: ROLLOUT.limits,
  }
  const sides = await startCopied(copy.url, rollout)
  expect((await sides.call(IMPORT, { name: 'a', shipmentId: 'G1' })).status).toBe(200)
  expect((await sides.call(DOCUMENT, document)).status).toBe(200)
  const skipped = async () =>
    (await sides.experiments()).operations.find(({ operation }) => operation === 'import-create')?.account.skips
  await expect.poll(skipped).toEqual({ write: 1 })
  expect(copy.received).toEqual([])
})
