import { describe, expect, it } from 'vitest'
import type { OperationProposals, ProposalsReport } from '../../src/control-plane/evidence/proposals/proposals.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const CITIES = '/city/all'
const INVOICES = '/api/invoice/list'
/** More than v1 has in a page. */
const ROWS = 210
const rows = Array.from({ length: ROWS }, (_, at) => ({ id: at + 1, code: `A-${at * 7}` }))

const REFUSAL = {
  ...{ success: false, code: 'VALIDATION_ERROR', message: 'Olmadı.' },
  errors: [{ path: 'isPaid', message: 'not here' }],
}

/** Services that name one member otherwise: legacy `number`, v1 `invoiceNumber`. v1 refuses what is searched for. */
async function start(rollout: object): Promise<SideBySide> {
  const v1 = await startHttpServer(({ target }, response) => {
    const { pathname, searchParams } = new URL(target, 'http://v1')
    const [page, perPage] = ['page', 'perPage'].map((name) => Number(searchParams.get(name) ?? 1)) as [number, number]
    response.setHeader('content-type', 'application/json')
    const isRefused = searchParams.has('isPaid')
    response.statusCode = isRefused ? 422 : 200
    const items = rows.slice((page - 1) * perPage, page * perPage).map(({ id, code }) => ({ id, invoiceNumber: code }))
    const meta = { page, perPage, total: ROWS, pageCount: Math.ceil(ROWS / perPage) }
    const body = /cities|invoices/.test(pathname) ? v1Page(items, meta) : v1Record({ token: 'v' })
    response.end(JSON.stringify(isRefused ? REFUSAL : body))
  })
  const legacy = await startHttpServer(({ target }, response) => {
    const data = rows.map(({ id, code }) => ({ id, number: code }))
    const pagination = { count: ROWS, page: 1, perPage: 500, lastPage: 1 }
    const bodies: Readonly<Record<string, unknown>> = { [CITIES]: data, [INVOICES]: { data, pagination } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(bodies[target.split('?')[0] ?? ''] ?? { token: 't' }))
  })
  return startSideBySide(rollout, { v1Url: v1.url, legacyUrl: legacy.url })
}

async function found(sides: SideBySide, operation: string): Promise<OperationProposals | undefined> {
  const { text } = await callLegacy(sides.adminUrl, { path: '/proposals' })
  return (JSON.parse(text) as ProposalsReport).operations.find((each) => each.operation === operation)
}

/** The line that is expected for a legacy path. */
const line = (legacy: string) => ({
  ...{ legacy, line: { from: 'items[].invoiceNumber' }, certainty: 'certain' },
  support: { distinct: ROWS },
})

describe.each(['legacy', 'v1'])('what is learned where %s answers the clients', (serve) => {
  const rollout = { operations: { '*': { serve, shadow: 1 } } }

  it('has every row of a page that the gateway puts together from pages of v1', { timeout: 30_000 }, async () => {
    const sides = await start(rollout)
    let calls = 0
    for (const statusId of [1, 2, 3, undefined]) {
      for (const id of [undefined, 5]) {
        await sides.call(INVOICES, { perPage: 500, statusId, id })
        // What an exchange shows is looked for in those that begin after it.
        await sides.compared(++calls)
      }
    }
    expect(await found(sides, 'invoice-list')).toMatchObject({ proposals: [line('data[].number')], unexplained: [] })
  })

  it('has every row of a list that v1 answers in several pages', { timeout: 30_000 }, async () => {
    const sides = await start(rollout)
    for (const sortBy of ['name', 'id', 'countryCode', 'orderNumber']) {
      for (const sortOrder of ['asc', 'desc']) await sides.call(`${CITIES}?sortBy=${sortBy}&sortOrder=${sortOrder}`)
    }
    await sides.compared(8)
    expect(await found(sides, 'city-list')).toMatchObject({ proposals: [line('[].number')], unexplained: [] })
  })

  it('has both paths of what v1 refuses and legacy accepts, and no line', { timeout: 30_000 }, async () => {
    const sides = await start(rollout)
    for (const isPayment of [true, false]) await sides.call(INVOICES, { isPayment })
    await sides.compared(2)
    expect(await found(sides, 'invoice-list')).toMatchObject({
      proposals: [],
      unexplained: [{ kind: 'status', path: '', says: 'no line changes it' }],
      requests: [
        { legacy: 'isPayment', calls: 2, clients: 1, says: 'legacy accepts it, v1 refuses it', v1Path: 'isPaid' },
      ],
    })
  })
})

it('where v1 answers and nothing is confirmed, the differences are there, and it says that v1’s own answers are not known', async () => {
  const sides = await start({ operations: { '*': { serve: 'v1', shadow: 1, confirm: false } } })
  await sides.call(INVOICES, { perPage: 500 })
  await sides.compared(1)
  expect(await found(sides, 'invoice-list')).toMatchObject({
    proposals: [],
    unexplained: [{ path: 'data[].number' }],
    limits: ['of some exchanges, what v1 itself answered is not known'],
  })
})
