import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { startCountingCopy } from '../support/counting-copy.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { account, copyAt, ROLLOUT, startCopied as start, startRecordedCopy } from '../support/recorded-copy.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { until } from '../support/start-gateway.ts'

const DOCUMENT = '/api/consignment/document'
const PACKAGE = '/api/consignment/package/advance'
const IMPORT = '/api/single/point/import'
const COMPLETE = '/api/single/point/import/complete'
const [document = {}] = GOOD_BODIES[DOCUMENT] ?? []
const [parcel = {}] = GOOD_BODIES[PACKAGE] ?? []

const reportOf = async (sides: SideBySide, requests: number, operation: string) => {
  const { operations } = await sides.compared(requests)
  return operations.find((report) => report.operation === operation)
}

const createImport = async (sides: SideBySide, name: string): Promise<number> => {
  const created = await sides.call(IMPORT, { name, shipmentId: 'G1' })
  expect(created.status, created.text).toBe(200)
  return (JSON.parse(created.text) as { readonly id: number }).id
}

const metricsOf = async ({ adminUrl }: SideBySide): Promise<string> =>
  (await callLegacy(adminUrl, { path: '/metrics' })).text

describe('a write that legacy has answered', () => {
  it('is sent to the copy once, and compared, with the copy’s own values in place of legacy’s', async () => {
    const copy = await startRecordedCopy()
    const sides = await start(copy.url)
    // From here on, ids of legacy and of the copy differ.
    const path = '/api/v1/shipment/single-point-imports'
    const authorization = `Bearer ${await tokenAt(copy.url)}`
    await callLegacy(copy.url, {
      path,
      headers: { authorization },
      body: JSON.stringify({ name: 'x', carrierShipmentId: 'y' }),
    })
    const before = copy.received.length

    for (const name of ['Bir', 'İki', 'Üç', 'Dört', 'Beş']) {
      const id = await createImport(sides, name)
      expect((await sides.call(PACKAGE, { ...parcel, description: name, singlePointImportId: id })).status).toBe(200)
      expect((await sides.call(COMPLETE, { id: String(id) })).status).toBe(204)
      expect((await sides.call(DOCUMENT, { ...document, referenceNumbers: [name] })).status).toBe(200)
    }
    const { operations, overall } = await sides.compared(20)
    for (const operation of ['document', 'package', 'import-create', 'import-complete']) {
      expect(operations.find((report) => report.operation === operation)).toMatchObject({
        ...{
          totals: { requests: 5, mismatched: 0, failed: 0, skipped: 0 },
          units: { distinct: 5 },
          unjudged: {},
          missing: [],
        },
        ...{ verdict: 'ready', against: 'a copy', says: expect.stringMatching(/^ready; against a copy/) },
        ...{ shadow: 1, neverCompared: null, roundTrip: null },
      })
    }
    expect(overall).toMatchObject({ ready: 4, says: expect.stringContaining('insufficient data; against a copy: ') })
    const writes = copy.received.slice(before).filter(({ target }) => target.startsWith('/api/v1/shipment'))
    expect(writes.filter(({ target }) => target.endsWith('/complete'))).toHaveLength(5)
    expect(new Set(writes.map(({ target, body }) => `${target} ${body}`)).size).toBe(20)
    expect(writes).toHaveLength(20)
    expect(await metricsOf(sides)).toContain(
      'legacy_gateway_copied_writes_total{operation="import-complete",outcome="compared"} 5',
    )
    const page = (await callLegacy(sides.adminUrl, { path: '/side-by-side/document' })).text
    expect(page).toContain('against a copy')
    const dossier = JSON.parse((await callLegacy(sides.adminUrl, { path: '/dossier' })).text) as {
      operations: { operation: string; verdict: string }[]
      services: { copy: string }
    }
    expect(dossier.services.copy).toBe(copy.url)
    expect(dossier.operations.find(({ operation }) => operation === 'document')?.verdict).toMatch(
      /^A write, compared against a copy of v1\. 5 units of 1 client within an hour: with 95 % confidence/,
    )
  })

  it('belongs to the release that the copy states', async () => {
    const copy = await startRecordedCopy()
    const sides = await start(copy.url, ROLLOUT, { releaseHeader: 'x-release' })
    await createImport(sides, 'Bir')
    expect(await reportOf(sides, 1, 'import-create')).toMatchObject({ lineage: { v1: 'copy-7' } })
  })

  it('is not sent by default, nor if it is only to be checked', async () => {
    const copy = await startRecordedCopy()
    const operations = { '*': { serve: 'legacy', shadow: 1 }, document: { shadowWrites: 'translate-only' } }
    const sides = await start(copy.url, { operations })
    await createImport(sides, 'Bir')
    await sides.call(DOCUMENT, document)
    await sides.compared(2)
    expect(copy.received).toEqual([])
  })

  it('is not judged if it refers to what the copy has not given', async () => {
    const copy = await startRecordedCopy()
    const sides = await start(copy.url, {
      ...ROLLOUT,
      operations: { ...ROLLOUT.operations, 'import-create': { shadowWrites: 'translate-only' } },
    })
    const id = await createImport(sides, 'Bir')
    await sides.call(COMPLETE, { id })
    await sides.call(PACKAGE, { ...parcel, singlePointImportId: id })
    await sides.call(PACKAGE, { ...parcel, singlePointImportId: null })
    const { operations } = await sides.compared(4)
    const of = (id: string) => operations.find(({ operation }) => operation === id)
    const unjudged = { 'the copy has not seen what it refers to': 1 }
    expect(of('import-complete')).toMatchObject({ unjudged, totals: { skipped: 1 }, units: { distinct: 0 } })
    expect(of('package')).toMatchObject({ unjudged, totals: { skipped: 1, matched: 1 } })
    expect(copy.received.filter(({ target }) => target.startsWith('/api/v1/shipment'))).toHaveLength(1)
  })

  it('counts as a difference with v1’s code if the copy refuses what legacy accepted, with a rule for each code', async () => {
    const refusal = (status: number, code: string) => ({
      status,
      body: JSON.stringify({ success: false, message: 'no', code, errors: [] }),
    })
    const refusals = [refusal(406, 'BALANCE_IS_NOT_ENOUGH'), refusal(404, 'SENDER_ADDRESS_IS_NOT_FOUND')]
    const copy = await startRecordedCopy((target, nth) =>
      target.endsWith('/documents') ? refusals[nth - 1] : undefined,
    )
    const sides = await start(copy.url)
    await sides.call(DOCUMENT, document)
    await sides.call(DOCUMENT, { ...document, referenceNumbers: ['PO-2'] })
    const report = await reportOf(sides, 2, 'document')
    expect(report).toMatchObject({
      ...{ verdict: 'not ready', says: 'not ready; against a copy' },
      differences: [
        {
          ...{ kind: 'status', path: '' },
          details: { '200 → 406 BALANCE_IS_NOT_ENOUGH': 1, '200 → 404 SENDER_ADDRESS_IS_NOT_FOUND': 1 },
        },
      ],
    })
    // A difference is not confirmed by a second call.
    expect(copy.received.filter(({ target }) => target.endsWith('/documents'))).toHaveLength(2)
    const rules = report?.differences[0]?.excusing?.rules ?? []
    expect(rules.map(({ details }) => details).sort()).toEqual([
      '200 → 404 SENDER_ADDRESS_IS_NOT_FOUND',
      '200 → 406 BALANCE_IS_NOT_ENOUGH',
    ])
    expect((await callLegacy(sides.adminUrl, { path: '/side-by-side/document' })).text).toContain(
      '200 → 406 BALANCE_IS_NOT_ENOUGH',
    )
  })

  it('is compared as an error too, but not sent if legacy refused the client', async () => {
    const copy = await startRecordedCopy()
    const sides = await start(copy.url)
    await sides.plant('legacy', { path: COMPLETE, kind: 'status', status: 500, calls: 1 })
    expect((await sides.call(COMPLETE, { id: 1 })).status).toBe(500)
    expect((await sides.call(DOCUMENT, {})).status).toBe(400)
    expect((await sides.gateway.call({ path: DOCUMENT, body: JSON.stringify(document) })).status).toBe(401)
    const { operations } = await sides.compared(3)
    const of = (id: string) => operations.find(({ operation }) => operation === id)
    expect(of('document')).toMatchObject({ errors: { matched: 1, mismatched: 0 }, unjudged: { 'control: 401': 1 } })
    expect(of('import-complete')).toMatchObject({ unjudged: { 'control: 500': 1 }, totals: { failed: 1 } })
    expect(copy.received.filter(({ target }) => target.startsWith('/api/v1/shipment'))).toHaveLength(1)
  })

  it('is sent in the order of the answers, also if the first body was packed and the second was not', async () => {
    let id = 100
    const legacy = await startHttpServer(({ target }, response) => {
      const json =
        target === IMPORT
          ? { id: ++id, name: `n${id}`, shipmentId: 'x', senderAddress: null, createdAt: null }
          : { token: 't' }
      if (target === COMPLETE) response.writeHead(204).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
    const copy = await startCountingCopy()
    closeAtEnd(copy.close)
    const sides = await startSideBySide(ROLLOUT, {
      legacyUrl: legacy.url,
      settings: () => ({ copy: copyAt(copy.url) }),
    })
    const headers = { authorization: `Bearer ${sides.token}`, 'content-type': 'application/json' }
    for (let nth = 1; nth <= 5; nth++) {
      const body = gzipSync(JSON.stringify({ name: `n${id + 1}`, shipmentId: 'x' }))
      await sides.gateway.call({ path: IMPORT, headers: { ...headers, 'content-encoding': 'gzip' }, body })
      await sides.gateway.call({ path: COMPLETE, headers, body: JSON.stringify({ id }) })
    }
    await sides.compared(10)
    const names = [101, 102, 103, 104, 105].flatMap((nth) => [`create n${nth}`, `complete n${nth}`])
    expect([...copy.arrived.keys()]).toEqual(names)
  })

  it('is sent a second time only if the copy refused the token, after a new login', async () => {
    const copy = await startRecordedCopy((target, nth) =>
      target.startsWith('/api/v1/shipment') && nth === 2
        ? { status: 401, body: JSON.stringify({ success: false, message: 'expired', code: 'UNAUTHORIZED' }) }
        : undefined,
    )
    const sides = await start(copy.url)
    await createImport(sides, 'Bir')
    await sides.compared(1)
    await createImport(sides, 'İki')
    expect(await reportOf(sides, 2, 'import-create')).toMatchObject({
      totals: { requests: 2, mismatched: 0 },
      unjudged: {},
    })
    const targets = copy.received.map(({ target }) => target.replace(/.*\//, ''))
    expect(targets).toHaveLength(5)
    expect(targets.filter((name) => name === 'single-point-imports')).toHaveLength(3)
    expect(targets[3]).not.toBe('single-point-imports')
  })
})

describe('a copy that gives no answer', () => {
  it('leaves writes unjudged, is told of once a minute, and nobody else notices: it is not there', async () => {
    const sides = await start('http://127.0.0.1:1')
    for (const name of ['Bir', 'İki', 'Üç']) await createImport(sides, name)
    expect(await reportOf(sides, 3, 'import-create')).toMatchObject({
      ...{ unjudged: { 'copy: unreachable': 3 }, verdict: 'insufficient data', against: null },
      missing: ['units 0 of 5', 'judged 0 % of 99 %'],
    })
    const lines = sides.gateway.log.filter(({ upstream }) => upstream === 'copy')
    expect(lines).toMatchObject([{ level: 40, operation: 'import-create', problem: 'unreachable', writes: 1 }])
    expect(await metricsOf(sides)).toContain(
      'legacy_gateway_copied_writes_total{operation="import-create",outcome="unreachable"} 3',
    )
    expect((await callLegacy(sides.adminUrl, { path: '/side-by-side/import-create' })).text).toContain(
      'copy: unreachable',
    )
  })

  it('is slow', async () => {
    const copy = await startRecordedCopy()
    const hanging = await startHttpServer(async ({ target, headers, body, method }, response) => {
      if (target.startsWith('/api/v1/shipment')) return
      const passed = await callLegacy(copy.url, {
        method,
        path: target,
        body,
        headers: { 'content-type': String(headers['content-type']) },
      })
      response.writeHead(passed.status, { 'content-type': 'application/json' }).end(passed.text)
    })
    const sides = await start(hanging.url, { ...ROLLOUT, limits: { copyWritesPerSecond: 500, timeoutMs: 300 } })
    await createImport(sides, 'Bir')
    expect(await reportOf(sides, 1, 'import-create')).toMatchObject({ unjudged: { 'copy: timeout': 1 } })
    expect(hanging.received.filter(({ target }) => target.startsWith('/api/v1/shipment'))).toHaveLength(1)
  })

  it('refuses the account, and is not asked to log in for each write', async () => {
    const copy = await startRecordedCopy()
    const wrong = { clientId: 'demo-client', secretKey: 'wrong' }
    const sides = await start(copy.url, ROLLOUT, { account: wrong })
    for (const name of ['Bir', 'İki']) await createImport(sides, name)
    expect(await reportOf(sides, 2, 'import-create')).toMatchObject({ unjudged: { 'copy: refused the account': 2 } })
    expect(copy.received).toHaveLength(1)
  })

  it('is left alone when the gateway stops: what is under way is finished or not judged', async () => {
    let answered = 0
    const copy = await startRecordedCopy((target) => {
      if (target.startsWith('/api/v1/shipment')) answered++
      return undefined
    })
    const sides = await start(copy.url, { ...ROLLOUT, limits: { copyWritesPerSecond: 2 } })
    for (let nth = 0; nth < 4; nth++) await createImport(sides, `Ada ${nth}`)
    await until(() => answered > 0)
    await sides.gateway.close()
    const sent = answered
    expect(sent).toBeLessThan(4)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(answered).toBe(sent)
  })
})

async function tokenAt(v1Url: string): Promise<string> {
  const answer = await callLegacy(v1Url, { path: '/api/v1/auth/application', body: JSON.stringify(account) })
  return (JSON.parse(answer.text) as { readonly data: { readonly token: string } }).data.token
}
