import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'
import { fileOf, line, runReplay } from '../support/run-replay.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
const PAGE = { data: [{ id: 1 }], pagination: { count: 1, page: 1, perPage: 25, lastPage: 1 } }
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** A legacy service that answers invoices with these headers. */
const legacyWith = (headers: Readonly<Record<string, string | readonly string[]>>): Promise<HttpServer> =>
  startHttpServer(({ target }, response) => {
    if (target !== INVOICES) return end(response, { token: 't' })
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
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

describe.each(['v1', 'legacy'])('where %s answers, the headers of both sides', (serve) => {
  it.each([
    ['match, apart from parameters and the gateway’s own headers', JSON_TYPE, []],
    ['differ where programs would notice', ODD, FOUND],
  ])('%s', async (_, headers, expected) => {
    const { url: legacyUrl } = await legacyWith(headers)
    const rollout = { operations: { '*': { serve, shadow: 1 } } }
    const sides = await startSideBySide(rollout, { legacyUrl, v1Url: (await v1()).url })
    await sides.call(INVOICES, {})
    const { operations } = await sides.compared(1)
    const report = operations.find(({ operation }) => operation === 'invoice-list')
    const differences = report?.differences ?? []
    expect(differences.map(({ path, details }) => [path, details])).toEqual(expected)
    expect(differences.map(({ kind }) => kind)).toEqual(expected.map(() => 'header'))
    expect(report?.totals.mismatched).toBe(expected.length === 0 ? 0 : 1)
    expect(JSON.stringify(report)).not.toMatch(/s3cret|4711/)
  })
})

it('a replay compares headers too', { timeout: 60_000 }, async () => {
  const { url: legacyUrl } = await legacyWith(ODD)
  const sides = ['--legacy', legacyUrl, '--v1', (await v1()).url]
  const { json, exit } = await runReplay([fileOf(line(`POST ${INVOICES}`, {})), ...sides])
  expect(exit).toBe(1)
  const differences = json().operations[0]?.differences ?? []
  expect(differences.map(({ path, details }) => [path, details])).toEqual(FOUND)
})
