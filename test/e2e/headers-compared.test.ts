import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'
import { fileOf, line, runReplay } from '../support/run-replay.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
const PAGE = { data: [{ id: 1 }], pagination: { count: 1, page: 1, perPage: 25, lastPage: 1 } }
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** A legacy service that answers the second page of invoices with odd headers. */
const startLegacy = (): Promise<HttpServer> =>
  startHttpServer(({ target, body }, response) => {
    if (target !== INVOICES) return end(response, { token: 't' })
    for (const [name, value] of Object.entries(body.includes('2') ? ODD : JSON_TYPE)) response.setHeader(name, value)
    return end(response, PAGE)
  })

const v1 = (): Promise<HttpServer> =>
  startHttpServer(({ target }, response) => {
    const page = { items: [{ id: 1 }], meta: { page: 1, perPage: 25, total: 1, pageCount: 1 } }
    end(response, { success: true, ...(target.includes('invoices') ? page : { data: { token: 'v' } }) })
  })

const end = (response: ServerResponse, body: object): void => {
  if (!response.hasHeader('content-type')) response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(body))
}

const ODD = {
  'Content-Type': 'text/html',
  'Set-Cookie': ['session=s3cret; Path=/', 'lang=tr'],
  'Retry-After': '7',
  Location: `${INVOICES}/4711`,
  'X-Anything': 'else',
}
const FOUND = [
  ['content-type', { 'text/html → application/json': 1 }],
  ['location', { '/api/invoice/list/… → none': 1 }],
  ['retry-after', { 'present → none': 1 }],
  ['set-cookie', { 'lang, session → none': 1 }],
]

it.each(['v1', 'legacy'])(
  'headers match apart from parameters and the gateway’s own, and differ where programs would notice (%s answers)',
  async (serve) => {
    const rollout = { operations: { '*': { serve, shadow: 1 } } }
    const sides = await startSideBySide(rollout, { legacyUrl: (await startLegacy()).url, v1Url: (await v1()).url })
    const invoicesAfter = async (calls: number) =>
      (await sides.compared(calls)).operations.find(({ operation }) => operation === 'invoice-list')
    await sides.call(INVOICES, {})
    expect(await invoicesAfter(1)).toMatchObject({ totals: { matched: 1 }, differences: [] })
    await sides.call(INVOICES, { page: 2 })
    const report = await invoicesAfter(2)
    const differences = report?.differences ?? []
    expect(differences.map(({ path, details }) => [path, details])).toEqual(FOUND)
    expect(differences.map(({ kind }) => kind)).toEqual(FOUND.map(() => 'header'))
    expect(report?.totals).toMatchObject({ matched: 1, mismatched: 1 })
    expect(JSON.stringify(report)).not.toMatch(/s3cret|4711/)
  },
)

it('a replay compares headers too', { timeout: 60_000 }, async () => {
  const sides = ['--legacy', (await startLegacy()).url, '--v1', (await v1()).url]
  const { json, exit } = await runReplay([fileOf(line(`POST ${INVOICES}`, { page: 2 })), ...sides])
  expect(exit).toBe(1)
  const differences = json().operations[0]?.differences ?? []
  expect(differences.map(({ path, details }) => [path, details])).toEqual(FOUND)
})
