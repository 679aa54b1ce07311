import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { get, operation, record } from '../../src/mapping/operation.ts'
import { query, queryParameters } from '../../src/mapping/request.ts'
import { same, shape } from '../../src/mapping/shape.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf, textOf } from '../support/read-html.ts'
import { fileOf } from '../support/run-replay.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const operations = { '*': { shadow: 1, target: 0.5 } }

/** Four calls: with a filter in English, for the second of many pages, one that both sides refuse, and an empty one. */
async function exercise({ call }: SideBySide): Promise<void> {
  await call(INVOICES, { isPayment: true, dateAtBetween: { startAt: '2024-01-01' } }, { 'accept-language': 'en' })
  await call(INVOICES, { page: 2, perPage: 10 })
  await call(INVOICES, { sortBy: 'colour' })
  await call(INVOICES, {})
}

const invoicesOf = async (sides: SideBySide, calls: number) =>
  (await sides.compared(calls)).operations.find(({ operation }) => operation === 'invoice-list')

it.each(['v1', 'legacy'])('calls cover mapping lines (%s answers), and coverage survives a restart', async (serve) => {
  const rollout = { operations: { '*': { ...operations['*'], serve } } }
  const first = await startSideBySide(rollout, { settings: (folder) => ({ stateDb: join(folder, 'state.db') }) })
  await exercise(first)
  const before = await invoicesOf(first, 4)
  const unseen = [
    ...['perPage', 'page', 'sortBy', 'isPayment', 'dateAtBetween.startAt'].map((name) => `request ${name}`),
  ]
  expect(before?.coverage).toMatchObject({
    ...{ lines: 40, seen: 31, share: 0.775 },
    // There are 144 seeded invoices. No call sorted, searched, asked for one invoice or filtered by due date.
    unseen: [
      ...['sortOrder', 'search', 'id', 'number', 'statusId', 'dateAtBetween.endAt'],
      ...['paymentExpirationAtBetween.startAt', 'paymentExpirationAtBetween.endAt', 'more than 200 rows'],
    ].map((legacy) => ({ part: legacy.startsWith('more') ? 'paging' : 'request', legacy })),
  })
  expect(before?.exercised.filter(({ part, legacy }) => unseen.includes(`${part} ${legacy}`))).toMatchObject(
    unseen.map(() => ({ requests: 1, differed: 0 })),
  )
  expect(before?.exercised.find(({ legacy }) => legacy === 'data[].id')).toMatchObject({ requests: 3 })
  await first.gateway.close()
  const second = await startSideBySide(rollout, { settings: () => ({ stateDb: join(first.folder, 'state.db') }) })
  expect((await invoicesOf(second, 4))?.exercised).toEqual(before?.exercised)
  await exercise(second)
  expect((await invoicesOf(second, 8))?.exercised).toMatchObject(
    before?.exercised.map(({ requests }) => ({ requests: 2 * requests })) ?? [],
  )
  // A whole list covers the line for more rows than a page of v1 has.
  await second.gateway.call({ method: 'GET', path: '/country/all' })
  const countries = (await second.compared(9)).operations.find(({ operation }) => operation === 'country-list')
  expect(countries?.exercised.find(({ part }) => part === 'paging')).toMatchObject({
    ...{ legacy: 'more than 200 rows', requests: 1, differed: 0 },
  })
})

it('a line at which answers differ says in how many exchanges', async () => {
  const sides = await startSideBySide({ operations })
  await sides.plant('legacy', { path: INVOICES, kind: 'change', at: 'data[].priceTry', to: 1 })
  await sides.call(INVOICES, { page: 1, perPage: 3 })
  const lines = (await invoicesOf(sides, 1))?.exercised ?? []
  expect(lines.filter(({ differed }) => differed > 0).map(({ part, legacy }) => `${part} ${legacy}`)).toEqual([
    ...['request page', 'request perPage', 'language tr', 'answer data[].priceTry', 'paging more than one page'],
  ])
})

it('an error code with its own rule is covered, whichever side answers', async () => {
  const rate = operation('rate', {
    says: 'Made up.',
    legacy: get('/rate'),
    v1: get('/api/v1/rate'),
    request: queryParameters({ currency: query() }),
    response: record(shape('Rate', { value: same() })),
    effect: 'read',
    authorization: 'none',
    errors: { NO_RATE: { status: 404, reason: 'legacy answered 404' }, CLOSED: { reason: 'never' } },
  })
  const legacy = await startHttpServer((_, response) => response.writeHead(404).end('{"message":"x"}'))
  const v1 = await startHttpServer((_, response) =>
    response.writeHead(400).end(JSON.stringify({ success: false, code: 'NO_RATE', message: 'x' })),
  )
  for (const serve of ['v1', 'legacy']) {
    const rolloutFile = fileOf(JSON.stringify({ operations: { '*': { shadow: 1, serve } } }))
    const options = { legacyUrl: legacy.url, operations: [rate], settings: { rolloutFile } }
    const gateway = await startGateway(v1.url, options)
    const adminUrl = await gateway.openAdmin()
    await gateway.call({ method: 'GET', path: '/rate?currency=TRY' })
    const exercised = async () => {
      const { text } = await callLegacy(adminUrl, { method: 'GET', path: '/experiments' })
      return (JSON.parse(text) as Experiments).operations[0]?.exercised.map((line) => `${line.legacy} ${line.requests}`)
    }
    await expect.poll(exercised).toEqual([...['currency 1', 'tr 1', 'en 0', 'value 0', 'NO_RATE 1', 'CLOSED 0']])
  }
})

it('a verdict and the dashboard say what was never seen; coverage can be required and lines waived', async () => {
  const sides = await startSideBySide({ operations })
  for (let page = 1; page <= 5; page++) await sides.call(INVOICES, { page, perPage: 10 })
  expect(await invoicesOf(sides, 5)).toMatchObject({ verdict: 'ready', says: 'ready; 13 of 40 lines were never seen' })
  const read = async (path: string) => (await callLegacy(sides.adminUrl, { method: 'GET', path })).text
  expect(textOf(await read('/side-by-side'))).toContain('ready ; 13 of 40 lines were never seen')
  const page = await read('/side-by-side/invoice-list')
  expect(textOf(page)).toContain('Seen: 27 of 40 lines of the mapping, 67.50 %.')
  expect(rowsOf(page, 'never-seen')[0]).toEqual(['request', 'sortBy'])
  expect(rowsOf(page, 'exercised')[0]).toEqual(['request', 'page', '5', '0'])

  const waive = { operation: 'invoice-list', line: 'request statusId', why: 'no client filters by it', by: 'ada' }
  const demanding = { operations: { '*': { ...operations['*'], require: { coverage: 0.9 } } }, waive: [waive] }
  writeFileSync(sides.rolloutFile, JSON.stringify(demanding))
  const changed = async () => (await invoicesOf(sides, 5))?.verdict
  await expect.poll(changed).toBe('insufficient data')
  expect(await invoicesOf(sides, 5)).toMatchObject({ missing: ['coverage 69.23 % of 90 %'], says: 'insufficient data' })
  expect(rowsOf(await read('/side-by-side/invoice-list'), 'waived')).toEqual([
    ['request', 'statusId', '0', '0', 'no client filters by it', 'ada'],
  ])

  writeFileSync(sides.rolloutFile, JSON.stringify({ ...demanding, waive: [{ ...waive, line: 'request status' }] }))
  const refused = async () => (await sides.experiments()).rollout.error
  await expect.poll(refused).toContain('waive.0.line: "request status" is not a line to be seen of invoice-list')
})
