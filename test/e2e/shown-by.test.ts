import { brotliCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { textOf } from '../support/read-html.ts'
import { fileOf } from '../support/run-replay.ts'
import { DEMO_LOGIN, startSideBySide } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const EMPTY_PAGE = '{"data":[],"pagination":{"page":1,"perPage":25,"total":0,"lastPage":1}}'

it('a refusal by the gateway itself is the status that the client will get, and names the clients and what they share', async () => {
  const legacy = await startHttpServer(({ target }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(target.startsWith('/auth') ? '{"token":"legacy-token"}' : EMPTY_PAGE),
  )
  const rollout = { operations: { '*': { serve: 'legacy', shadow: 1 } } }
  const sides = await startSideBySide(rollout, { legacyUrl: legacy.url })
  for (let page = 1; page <= 3; page++) await sides.call(INVOICES, { page, perPage: 10 })
  const packed = brotliCompressSync(Buffer.from('{"search":"secret"}'))
  for (let at = 0; at < 4; at++) {
    const { status } = await sides.gateway.call({
      ...{ method: 'POST', path: INVOICES, body: packed },
      headers: {
        authorization: `Bearer ${sides.token}`,
        'content-encoding': 'x-secret',
        'content-type': 'application/json',
      },
    })
    expect(status).toBe(200)
  }
  const { operations } = await sides.compared(7)
  const [status] = operations.flatMap(({ differences }) => differences.filter(({ kind }) => kind === 'status'))
  expect(status).toMatchObject({ details: { '200 → 415': 4 } })
  const [shown] = status?.shownBy ?? []
  expect(shown).toMatchObject({
    ...{ detail: '200 → 415', requests: 4 },
    clients: { named: [{ client: DEMO_LOGIN.clientId, requests: 4 }], others: 0 },
  })
  expect(shown?.common).toContainEqual({ feature: 'Content-Encoding: another', others: 0, of: 3 })
  const { text } = await callLegacy(sides.adminUrl, { method: 'GET', path: '/side-by-side/invoice-list' })
  expect(textOf(text)).toContain(`200 → 415: shown by one client: ${DEMO_LOGIN.clientId} (4).`)
  expect(textOf(text)).toContain(
    '200 → 415: all 4 calls had Content-Encoding: another; none of the 3 other compared calls did.',
  )
  expect(JSON.stringify(operations)).not.toContain('secret')

  // The client gets that answer from v1's side, too.
  const refused = await startSideBySide({ operations: { '*': { serve: 'v1', shadow: 1 } } })
  const { status: got } = await refused.gateway.call({
    ...{ method: 'POST', path: INVOICES, body: packed },
    headers: { authorization: `Bearer ${refused.token}`, 'content-encoding': 'x-secret' },
  })
  expect(got).toBe(415)
})

/** A gateway between two services that answer any call alike. */
async function between(legacy: Reply, v1: Reply, serve = 'legacy') {
  const [control, candidate] = [await answering(legacy), await answering(v1)]
  const rolloutFile = fileOf(JSON.stringify({ operations: { '*': { shadow: 1, serve } } }))
  const gateway = await startGateway(candidate.url, { legacyUrl: control.url, settings: { rolloutFile } })
  const adminUrl = await gateway.openAdmin()
  await gateway.call({ method: 'GET', path: '/country/all?search=secret' })
  const read = async (path: string) => (await callLegacy(adminUrl, { method: 'GET', path })).text
  const countries = async () => (JSON.parse(await read('/experiments')) as Experiments).operations[0]
  await expect.poll(async () => (await countries())?.totals.requests).toBe(1)
  return { gateway, report: await countries(), page: textOf(await read('/side-by-side/country-list')) }
}

interface Reply {
  readonly body: string | Uint8Array
  readonly type?: string
}

const answering = ({ body, type = 'application/json' }: Reply) =>
  startHttpServer((_, response) => response.writeHead(200, { 'content-type': type }).end(body))

const V1_PAGE = '{"success":true,"message":"","items":[],"meta":{"page":1,"perPage":200,"total":0,"pageCount":0}}'
const LATIN_5 = { body: Buffer.from([0x5b, 0x22, 0xfe, 0x22, 0x5d]), type: 'application/json; charset=ISO-8859-9' }

it.each([
  [LATIN_5, 'control: malformed: not UTF-8: it says charset=iso-8859-9', undefined],
  [{ body: '<b>secret</b>', type: 'text/html' }, 'control: malformed: HTML or XML', undefined],
  [{ body: '[{"id":1},secret]' }, 'control: malformed: not JSON within the first 1,000 bytes', 10],
])('a malformed answer of legacy is not judged, and cause, page and log say why: %#', async (legacy, cause, byte) => {
  const { gateway, report, page } = await between(legacy, { body: V1_PAGE })
  expect(report?.unjudged).toEqual({ [cause]: 1 })
  expect(page).toContain(`${cause}: 1`)
  const line = gateway.log.find(({ msg }) => String(msg).startsWith('malformed answers'))
  expect(line).toMatchObject({ operation: 'country-list', upstream: 'legacy', reason: cause.slice('control: '.length) })
  expect(line?.byte).toBe(byte)
  expect(JSON.stringify([report, page, gateway.log])).not.toContain('secret')
})

/** Malformed answers of v1 by the search that gets them, and what is said of each. */
const MALFORMED: Readonly<Record<string, readonly [answer: Reply, said: string]>> = {
  cut: [{ body: V1_PAGE.slice(0, 40) }, 'cut off'],
  latin: [LATIN_5, 'not UTF-8: it says charset=iso-8859-9'],
  type: [{ body: '{"success":true,"items":{}}' }, 'wrong type: items is no array'],
  member: [{ body: '{"success":true,"message":""}' }, 'the answer has no items'],
  nothing: [{ body: '' }, 'empty'],
}

it.each(['legacy', 'v1'])('a malformed answer of v1 is a difference that says why (%s answers)', async (serve) => {
  const control = await answering({ body: '[{"id":1}]' })
  const candidate = await startHttpServer(({ target }, response) => {
    const search = new URLSearchParams(target.split('?')[1]).get('search') ?? ''
    const [{ body, type = 'application/json' }] = MALFORMED[search] ?? [{ body: V1_PAGE }]
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  const rollout = { operations: { '*': { shadow: 1, serve } } }
  const sides = await startSideBySide(rollout, { legacyUrl: control.url, v1Url: candidate.url })
  for (const search of Object.keys(MALFORMED))
    await sides.gateway.call({ method: 'GET', path: `/country/all?search=${search}` })
  const { operations } = await sides.compared(Object.keys(MALFORMED).length)
  const report = operations.find(({ operation }) => operation === 'country-list')
  const said = Object.values(MALFORMED).map(([, why]) => why)
  expect(report?.differences).toMatchObject([{ kind: 'failure', details: { malformed: said.length } }])
  expect(report?.differences[0]?.shownBy[0]?.malformed).toEqual(Object.fromEntries(said.map((why) => [why, 1])))
  const { text } = await callLegacy(sides.adminUrl, { method: 'GET', path: '/side-by-side/country-list' })
  for (const why of said) expect(textOf(text)).toContain(`v1’s answer was malformed: ${why} (1).`)
})

it('a write that is checked without sending it shows the status that its client would get, too', async () => {
  const legacy = await startHttpServer(({ target }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(target.startsWith('/auth') ? '{"token":"legacy-token"}' : '{"id":1}'),
  )
  const rollout = { operations: { '*': { serve: 'legacy', shadow: 1, shadowWrites: 'translate-only' } } }
  const sides = await startSideBySide(rollout, { legacyUrl: legacy.url })
  await sides.gateway.call({
    ...{ method: 'POST', path: '/api/consignment/document', body: brotliCompressSync(Buffer.from('{}')) },
    headers: { authorization: `Bearer ${sides.token}`, 'content-encoding': 'br' },
  })
  const { operations } = await sides.compared(1)
  expect(operations[0]?.differences).toContainEqual(
    expect.objectContaining({ kind: 'status', details: { '200 → 415': 1 } }),
  )
})

it('a content coding of a call whose body nobody reads refuses nothing', async () => {
  const rolloutFile = fileOf(JSON.stringify({ operations: { '*': { shadow: 1, serve: 'legacy' } } }))
  const [control, candidate] = [await answering({ body: '[]' }), await answering({ body: V1_PAGE })]
  const gateway = await startGateway(candidate.url, { legacyUrl: control.url, settings: { rolloutFile } })
  const adminUrl = await gateway.openAdmin()
  await gateway.call({ method: 'GET', path: '/country/all', headers: { 'content-encoding': 'br' } })
  const totals = async () => {
    const { text } = await callLegacy(adminUrl, { method: 'GET', path: '/experiments' })
    return (JSON.parse(text) as Experiments).operations[0]?.totals
  }
  await expect.poll(totals).toMatchObject({ requests: 1, matched: 1 })
})

it('a difference that a header of the client causes is no drift: legacy is asked again with the same headers', async () => {
  const seen: (string | undefined)[] = []
  const control = await startHttpServer(({ target, headers }, response) => {
    if (target.startsWith('/auth')) return response.end('{"token":"legacy-token"}')
    seen.push(headers['x-company'] as string | undefined)
    return headers['x-company'] === undefined
      ? response.end('{"data":[],"pagination":{"count":0,"page":1,"perPage":200,"lastPage":0}}')
      : response.writeHead(406).end('{"message":"closed"}')
  })
  const candidate = await startHttpServer(({ target }, response) =>
    response.end(target.includes('/auth/') ? '{"success":true,"message":"","data":{"token":"v1-token"}}' : V1_PAGE),
  )
  const rolloutFile = fileOf(JSON.stringify({ operations: { '*': { shadow: 1, serve: 'legacy' } } }))
  const gateway = await startGateway(candidate.url, { legacyUrl: control.url, settings: { rolloutFile } })
  const adminUrl = await gateway.openAdmin()
  const login = await gateway.call({ method: 'POST', path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
  const headers = { authorization: `Bearer ${JSON.parse(login.text).token}` }
  const call = (more: Record<string, string>) =>
    gateway.call({ method: 'POST', path: INVOICES, body: '{}', headers: { ...headers, ...more } })
  expect((await call({})).status).toBe(200)
  expect((await call({ 'x-company': 'secret', range: 'bytes=0-1', 'if-none-match': '"1"' })).status).toBe(406)
  const invoices = async () => {
    const { text } = await callLegacy(adminUrl, { method: 'GET', path: '/experiments' })
    return (JSON.parse(text) as Experiments).operations.find(({ operation }) => operation === 'invoice-list')
  }
  await expect.poll(async () => (await invoices())?.totals.requests).toBe(2)
  const report = await invoices()
  expect(report?.totals).toMatchObject({ matched: 1, mismatched: 1 })
  const status = report?.differences.find(({ kind }) => kind === 'status')
  expect(status).toMatchObject({ ignored: null, drift: 0, details: { '406 → 200': 1 } })
  expect(status?.shownBy[0]?.common).toContainEqual({ feature: 'header x-company', others: 0, of: 1 })
  // The second look has the header too.
  expect(seen).toEqual([undefined, 'secret', 'secret'])
  expect(JSON.stringify(report)).not.toContain('secret')
})
