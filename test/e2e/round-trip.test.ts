import { describe, expect, it } from 'vitest'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { startHttpServer } from '../support/http-server.ts'
import { textOf } from '../support/read-html.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const DOCUMENT = '/api/consignment/document'
const PACKAGE = '/api/consignment/package/advance'
const COMPLETE = '/api/single/point/import/complete'

const recipientAddress = {
  ...{ countryId: 57, firstName: 'Deneme', lastName: 'Alıcı', company: 'Örnek GmbH', email: 'alici@ornek.example' },
  ...{ phone: '+4900000000', zipCode: '50667', state: 'NRW', city: 'Köln', address1: 'Musterweg 1', address2: '' },
}
const document = { recipientAddress, referenceNumbers: ['PO-1'], isRecipientCompany: false, senderAddressId: 1 }

const MISSING = ['writes compared with a copy of v1, or a replay against copies of both services']

const start = (more: object = {}, legacyUrl?: string) =>
  startSideBySide(
    { operations: { '*': { serve: 'legacy', shadow: 1, shadowWrites: 'translate-only' } }, ...more },
    legacyUrl === undefined ? {} : { legacyUrl },
  )

const counting = (report: { readonly differences: readonly { readonly ignored: string | null }[] } | undefined) =>
  report?.differences.filter(({ ignored }) => ignored === null)

describe('a write that legacy accepted', () => {
  it('survives the round trip to v1’s shape and back, also without its optional members, which proves nothing about v1', async () => {
    const sides = await start()
    expect((await sides.call(DOCUMENT, document)).status).toBe(200)
    for (const body of GOOD_BODIES[PACKAGE] ?? []) expect((await sides.call(PACKAGE, body)).status).toBe(200)
    const created = await sides.call('/api/single/point/import', { name: 'Bir', shipmentId: 'G1' })
    const { id } = JSON.parse(created.text) as { readonly id: number }
    expect((await sides.call(COMPLETE, { id })).status).toBe(204)
    const [parcel = {}] = GOOD_BODIES[PACKAGE] ?? []
    const optional = ['company', 'state', 'address2', 'email']
    const address = Object.fromEntries(Object.entries(recipientAddress).filter(([name]) => !optional.includes(name)))
    const nothing = { ...recipientAddress, company: null, state: null, address2: null }
    for (const recipient of [address, nothing]) {
      for (const [path, body] of [
        [DOCUMENT, {}],
        [PACKAGE, parcel],
      ] as const) {
        const { status, text } = await sides.call(path, { ...body, recipientAddress: recipient })
        expect(status, text).toBe(200)
      }
    }
    const calls = {
      package: 2 + (GOOD_BODIES[PACKAGE]?.length ?? 0),
      document: 3,
      'import-create': 1,
      'import-complete': 1,
    }
    const { operations } = await sides.compared(Object.values(calls).reduce((sum, one) => sum + one))
    expect(Object.fromEntries(operations.map(({ operation, totals }) => [operation, totals.requests]))).toEqual(calls)
    for (const report of operations) {
      const { requests } = report.totals
      expect(report).toMatchObject({
        ...{ totals: { skipped: requests }, verdict: 'insufficient data', missing: MISSING },
        ...{ roundTrip: { checked: requests, differed: 0 }, droppedMembers: {}, units: { distinct: 0 } },
      })
      expect(counting(report), report.operation).toEqual([])
    }
  })

  it('differs at its legacy path if a member has another type or is not in the mapping', async () => {
    const sides = await start()
    const plant = (at: string, to: unknown) => sides.plant('legacy', { path: DOCUMENT, kind: 'change', at, to })
    await plant('id', '17')
    await plant('createdAt', '2025-01-31 10:24:19')
    await plant('carrier', { id: 1, name: 'x', service: 'y', slug: 'z', colour: 'red' })
    await plant('referenceNumbers', ['a', 5])
    await plant('packages[].desi', null)
    await sides.call(DOCUMENT, document)
    const { operations } = await sides.compared(1)
    const [report] = operations
    expect(report).toMatchObject({
      verdict: 'not ready',
      roundTrip: { checked: 1, differed: 1 },
      units: { distinct: 0 },
    })
    const seen = counting(report)?.map((one) => ({ ...one, count: undefined, drift: undefined }))
    expect(seen).toHaveLength(5)
    const from = { from: 'round trip', requests: 1 }
    expect(seen).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...from, kind: 'type', path: 'id', details: { 'string → integer': 1 } }),
        expect.objectContaining({ ...from, kind: 'type', path: 'createdAt', details: { 'string → timestamp': 1 } }),
        expect.objectContaining({ ...from, kind: 'missing', path: 'carrier.colour' }),
        expect.objectContaining({
          ...from,
          kind: 'type',
          path: 'referenceNumbers[]',
          details: { 'number → string': 1 },
        }),
        expect.objectContaining({ ...from, kind: 'type', path: 'packages[].desi', details: { 'null → number': 1 } }),
      ]),
    )
  })

  it('differs if a success of legacy has another status or body than the mapping says', async () => {
    const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
      '/auth/application': [200, '{"token":"t"}'],
      '/api/single/point/import': [201, '{"id":1,"name":"Bir","shipmentId":"G1"}'],
      [COMPLETE]: [204, ''],
      [DOCUMENT]: [200, '[]'],
    }
    const legacy = await startHttpServer(({ target }, response) => {
      const [status, body] = answers[target] ?? [404, '']
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    const sides = await start({}, legacy.url)
    await sides.call('/api/single/point/import', { name: 'Bir', shipmentId: 'G1' })
    await sides.call(COMPLETE, { id: 1 })
    await sides.call(DOCUMENT, document)
    const { operations } = await sides.compared(3)
    const of = (id: string) => operations.find(({ operation }) => operation === id)
    expect(counting(of('import-create'))).toMatchObject([
      { kind: 'status', from: 'round trip', details: { '201 → 200': 1 } },
    ])
    expect(of('import-complete')).toMatchObject({
      verdict: 'insufficient data',
      roundTrip: { checked: 1, differed: 0 },
    })
    expect(counting(of('document'))).toMatchObject([
      { kind: 'type', path: '', from: 'round trip', details: { 'array → object': 1 } },
    ])
  })

  it('is counted apart from a write that the gateway would have refused', async () => {
    const legacy = await startHttpServer(({ target }, response) =>
      target === COMPLETE ? response.writeHead(204).end() : response.end('{"token":"t"}'),
    )
    const sides = await start({}, legacy.url)
    await sides.call(COMPLETE, { id: 'x' })
    const [report] = (await sides.compared(1)).operations
    expect(report).toMatchObject({
      ...{ verdict: 'not ready', units: { distinct: 0 }, totals: { mismatched: 1 } },
      roundTrip: { checked: 1, differed: 0 },
    })
    expect(report?.differences).toMatchObject([{ kind: 'status', path: '', details: { '204 → 400': 1 } }])
    expect(report?.differences[0]).not.toHaveProperty('from')
  })

  it('reports the paths of members that v1 would not get, but not their values', async () => {
    const sides = await start()
    await sides.call(DOCUMENT, { ...document, gsm: 'secret-1', note: { text: 'secret-2' } })
    await sides.call(DOCUMENT, { ...document, gsm: 'secret-3' })
    const { operations } = await sides.compared(2)
    expect(operations).toMatchObject([
      { verdict: 'not ready', droppedMembers: { gsm: 2, note: 1 }, roundTrip: { checked: 2, differed: 0 } },
    ])
    expect(JSON.stringify(operations)).not.toContain('secret')
    const page = await (await fetch(`${sides.adminUrl}/side-by-side/document`)).text()
    expect(textOf(page)).toContain('2 writes made the round trip ; 0 of them differed')
    expect(page).toContain('<code>gsm</code> (2)')
  })

  it('may differ where an ignore rule covers it', async () => {
    const sides = await start({ ignore: [{ operation: 'document', path: 'id', why: 'known' }] })
    await sides.plant('legacy', { path: DOCUMENT, kind: 'change', at: 'id', to: '17' })
    await sides.call(DOCUMENT, document)
    const { operations } = await sides.compared(1)
    expect(operations).toMatchObject([
      { verdict: 'insufficient data', missing: MISSING, roundTrip: { checked: 1, differed: 0 } },
    ])
    expect(operations[0]?.differences).toContainEqual(
      expect.objectContaining({ path: 'id', from: 'round trip', ignored: 'rule: known' }),
    )
  })

  it('is not judged if request and answer are too large', async () => {
    const legacy = await startHttpServer(({ target }, response) =>
      response.end(target === DOCUMENT ? JSON.stringify({ comment: 'x'.repeat(2_200_000) }) : '{"token":"t"}'),
    )
    const sides = await start({}, legacy.url)
    await sides.call(DOCUMENT, document)
    expect((await sides.compared(1)).operations).toMatchObject([{ unjudged: { 'too large': 1 }, roundTrip: null }])
  })
})
