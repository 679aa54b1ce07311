import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { until } from '../support/start-gateway.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const INVOICES = '/api/invoice/list'
const served = (serve: 'v1' | 'legacy') => ({ operations: { '*': { serve, shadow: 1, confirm: false } } })
const rows = [{ id: 1 }]

/** A service that answers logins and lists at once, and all other calls when the test says so. */
async function startHeld(login: object, answer: object) {
  const held: ServerResponse[] = []
  const { url } = await startHttpServer(({ target }, response) => {
    if (/\/(auth|shared|country)\//.test(target)) response.end(JSON.stringify(login))
    else held.push(response)
  })
  const answerAll = (): void => {
    for (const response of held.splice(0)) response.end(JSON.stringify(answer))
  }
  return { url, held, answerAll }
}
const heldV1 = () => startHeld(v1Record({ token: 't' }), v1Page(rows, { perPage: 25 }))
const heldLegacy = () => startHeld({ token: 't' }, { data: rows, pagination: {} })

async function ofInvoices(sides: SideBySide) {
  const { operations, queue } = await sides.experiments()
  return { ...operations.find(({ operation }) => operation === 'invoice-list'), dropped: queue.dropped }
}

/** What is shown of the one call that nobody can judge. */
const unjudged = (reason: string) => ({
  totals: { requests: 1, mismatched: 0, failed: 0, skipped: 1 },
  ...{
    unjudged: { [reason]: 1 },
    verdict: 'insufficient data',
    missing: expect.arrayContaining(['judged 0 % of 99 %']),
  },
})

/** Sends an invoice call as it is, and nothing after it. */
function send({ gateway, token }: SideBySide, headers: readonly string[], body: string) {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.on('error', () => undefined).resume()
  const lines = [`POST ${INVOICES} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${token}`, ...headers]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/** Another call: when it is answered, the gateway has taken those before. */
const OTHER = { path: '/country/all', method: 'OPTIONS' }

const recorded = ({ folder }: SideBySide): string => readFileSync(join(folder, 'recording.ndjson'), 'utf8')
const recording = (folder: string) => ({ recordFile: join(folder, 'recording.ndjson') })

describe('a call for which the gateway itself is overloaded is not judged', () => {
  it('when v1 has no slot left for the comparison', async () => {
    const v1 = await heldV1()
    const sides = await startSideBySide(served('legacy'), {
      v1Url: v1.url,
      settings: () => ({ lanes: { limit: 1, maxWaiting: 8, maxWaitMs: 50 } }),
    })
    await sides.call(INVOICES, {})
    await until(() => v1.held.length === 1)
    await sides.call(INVOICES, { page: 2 })
    await expect.poll(() => ofInvoices(sides)).toMatchObject({ ...unjudged('dropped: overloaded'), dropped: 1 })
    v1.answerAll()
  })

  it('when v1 has no slot left for the call', async () => {
    const [v1, legacy] = [await heldV1(), await heldLegacy()]
    const sides = await startSideBySide(served('v1'), {
      ...{ v1Url: v1.url, legacyUrl: legacy.url },
      settings: () => ({ lanes: { limit: 1, maxWaiting: 8, maxWaitMs: 50 } }),
    })
    const first = sides.call(INVOICES, {})
    await until(() => v1.held.length === 1)
    expect((await sides.call(INVOICES, { page: 2 })).headers).toMatchObject({ 'x-gateway-error': 'overloaded' })
    expect(await ofInvoices(sides)).toMatchObject({ ...unjudged('dropped: overloaded'), dropped: 1 })
    expect(legacy.held).toEqual([])
    v1.answerAll()
    await first
    legacy.answerAll()
  })

  it('when there is no memory for its body', async () => {
    const legacy = await heldLegacy()
    const sides = await startSideBySide(served('v1'), {
      legacyUrl: legacy.url,
      settings: (folder) => ({ memoryBytes: 2 ** 20, ...recording(folder) }),
    })
    const { headers } = await sides.call(INVOICES, { search: 'x'.repeat(2 ** 19) })
    expect(headers).toMatchObject({ 'x-gateway-error': 'overloaded' })
    expect(await ofInvoices(sides)).toMatchObject({ ...unjudged('dropped: overloaded'), dropped: 1 })
    await sides.gateway.close()
    expect(recorded(sides)).not.toContain(INVOICES)
  })
})

describe('a call of a client that hangs up is neither judged nor recorded', () => {
  const AT_ONCE = ['Content-Length: 2']
  it.each([
    ['before v1 answers', 'v1', AT_ONCE, '{}'],
    ['before legacy answers', 'legacy', AT_ONCE, '{}'],
    ['before its body has arrived', 'v1', ['Content-Length: 50'], '{"page"'],
    ['before its body has arrived at legacy', 'legacy', ['Content-Length: 50'], '{"page"'],
  ] as const)('%s', async (_, serve, headers, body) => {
    const [v1, legacy] = [await heldV1(), await heldLegacy()]
    const asked = serve === 'v1' ? v1 : legacy
    const sides = await startSideBySide(served(serve), {
      ...{ v1Url: v1.url, legacyUrl: legacy.url, settings: recording },
    })
    const socket = send(sides, headers, body)
    if (headers === AT_ONCE) await until(() => asked.held.length === 1)
    else await sides.gateway.call(OTHER)
    socket.resetAndDestroy()
    await sides.gateway.call(OTHER)
    // A call of legacy is not given up.
    legacy.answerAll()
    await expect.poll(() => ofInvoices(sides)).toMatchObject(unjudged('client gone'))
    await sides.gateway.close()
    expect(recorded(sides)).not.toContain(INVOICES)
  })

  it('while legacy’s answer is passed through', async () => {
    const legacy = await heldLegacy()
    const sides = await startSideBySide(served('legacy'), { legacyUrl: legacy.url, settings: recording })
    const socket = send(sides, AT_ONCE, '{}')
    await until(() => legacy.held.length === 1)
    legacy.held[0]?.writeHead(200, { 'content-length': 500 }).write('{"data":[')
    await new Promise((resolve) => socket.once('data', resolve))
    socket.resetAndDestroy()
    await expect.poll(() => ofInvoices(sides)).toMatchObject(unjudged('client gone'))
    await sides.gateway.close()
    expect(recorded(sides)).not.toContain(INVOICES)
  })

  it('but a write is skipped as any other write', async () => {
    const legacy = await heldLegacy()
    const sides = await startSideBySide(served('legacy'), { legacyUrl: legacy.url })
    const socket = connect(Number(new URL(sides.gateway.url).port), '127.0.0.1').on('error', () => undefined)
    socket.write('POST /api/single/point/import HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{"a"')
    await sides.gateway.call(OTHER)
    socket.resetAndDestroy()
    const operations = async () => (await sides.experiments()).operations
    await expect.poll(operations).toContainEqual(
      expect.objectContaining({
        ...{ operation: 'import-create', unjudged: {} },
        totals: expect.objectContaining({ skipped: 1 }),
      }),
    )
  })
})

describe('a call whose body the gateway refused unread is neither judged nor recorded', () => {
  it.each([
    [413, 'too large', 'v1', 'Content-Length: 5000'],
    [413, 'too large', 'legacy', 'Content-Length: 5000'],
    [415, 'the body was not read', 'v1', 'Content-Length: 5\r\nContent-Encoding: br'],
  ] as const)('%i: %s, where %s serves', async (status, reason, serve, header) => {
    const legacy = await heldLegacy()
    const sides = await startSideBySide(served(serve), {
      legacyUrl: legacy.url,
      settings: (folder) => ({ maxBodyBytes: 4_096, ...recording(folder) }),
    })
    const socket = send(sides, [header], '')
    const [answer] = await new Promise<[string]>((resolve) => socket.once('data', (data) => resolve([String(data)])))
    expect(answer).toContain(`HTTP/1.1 ${status} `)
    await expect.poll(() => ofInvoices(sides)).toMatchObject(unjudged(reason))
    expect(legacy.held).toEqual([])
    await sides.gateway.close()
    expect(recorded(sides)).not.toContain(INVOICES)
  })
})
