import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { counting, DEMO, IMPORT, line, replayOver, type Services, startServices } from '../support/run-replay.ts'

const DOCUMENT = 'POST /api/consignment/document'
const PACKAGE = 'POST /api/consignment/package/advance'
const COMPLETE = 'POST /api/single/point/import/complete'

const [document = {}] = GOOD_BODIES['/api/consignment/document'] ?? []
const [parcel = {}] = GOOD_BODIES['/api/consignment/package/advance'] ?? []

const WRITES = [...DEMO, '--include-writes', '--target', '0.5'] as const

/** A line with the answer that legacy gave when it was recorded. */
const answeredLine = (request: string, body: object, answer: object): string => {
  const recorded = JSON.parse(line(request, body)) as object
  return `${JSON.stringify({ ...recorded, response: { status: 200, ms: 1, body: answer } })}\n`
}

async function post(url: string, body: object, token?: string): Promise<Readonly<Record<string, unknown>>> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return (await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Record<
    string,
    unknown
  >
}

/** Makes the v1 copy give other ids than the legacy one: it has imports, which are complete, and shipments. */
async function sendAhead({ v1Url }: Services): Promise<void> {
  const account = { clientId: 'demo-client', secretKey: 'demo-secret' }
  const { token } = (await post(`${v1Url}/api/v1/auth/application`, account)).data as { readonly token: string }
  const v1 = (path: string, body: object) => post(`${v1Url}/api/v1/shipment/${path}`, body, token)
  for (const at of [1, 2, 3]) {
    const made = await v1('single-point-imports', { name: `ahead ${at}`, carrierShipmentId: 'x' })
    const { id } = made.data as { readonly id: number }
    expect(await v1(`single-point-imports/${id}/complete`, {})).toMatchObject({ success: true })
  }
  for (const _ of [1, 2]) expect(await v1('shipments/documents', document)).toMatchObject({ success: true })
}

const imports = (count: number, from: number): string =>
  Array.from({ length: count }, (_, at) => {
    const id = from + at
    const made = { name: `import ${id}`, shipmentId: `G${id}` }
    return (
      answeredLine(IMPORT, made, { id, ...made }) +
      line(PACKAGE, { ...parcel, singlePointImportId: id }) +
      line(COMPLETE, { id })
    )
  }).join('')

describe.concurrent('a replay of writes against copies', { timeout: 120_000 }, () => {
  it('proves them although the copies give other ids, which later requests use', async () => {
    const services = await startServices()
    await sendAhead(services)
    const documents = Array.from({ length: 6 }, (_, at) => line(DOCUMENT, { ...document, referenceNumbers: [`${at}`] }))
    const ran = await replayOver(services, imports(6, 7_001) + documents.join(''), WRITES)
    const { operations, totals } = ran.json()
    expect(totals, ran.output).toMatchObject({ requests: 24, mismatched: 0, failed: 0, skipped: 0 })
    for (const id of ['import-create', 'import-complete', 'package', 'document']) {
      expect(
        operations.find(({ operation }) => operation === id),
        id,
      ).toMatchObject({
        ...{ verdict: 'ready', missing: [], units: { distinct: 6 } },
      })
    }
    expect(ran.errors).toContain('Writes are sent to both services.')
  })

  it('takes legacy’s ids for those of the recording where the recording has no answers', async () => {
    const services = await startServices()
    await sendAhead(services)
    const account = { clientId: 'demo-client', secretKey: 'demo-secret' }
    const { token } = await post(`${services.legacyUrl}/auth/application`, account)
    const first = await post(
      `${services.legacyUrl}/api/single/point/import`,
      { name: 'first', shipmentId: 'x' },
      `${token}`,
    )
    const [second, third] = [Number(first.id) + 1, Number(first.id) + 2]
    const recorded = [
      ...['second', 'third'].map((name) => line(IMPORT, { name, shipmentId: name })),
      // Some programs send an id as text.
      ...[second, `${third}`].map((id) => line(COMPLETE, { id })),
    ]
    const { operations } = (await replayOver(services, recorded.join(''), WRITES)).json()
    expect(operations.find(({ operation }) => operation === 'import-complete')).toMatchObject({
      ...{ totals: { matched: 2 }, errors: { matched: 0 }, units: { distinct: 2 } },
    })
  })

  it('finds what v1 does wrong in a write, also at what it gives itself', async () => {
    const services = await startServices()
    await sendAhead(services)
    const path = '/api/v1/shipment/shipments/packages'
    await services.plant('v1', { path, kind: 'change', at: 'data.products[].piece', to: 99 })
    await services.plant('v1', { path, kind: 'change', at: 'data.id', to: '17' })
    await services.plant('v1', { path, kind: 'change', at: 'data.trackingNumber', to: '' })
    await services.plant('v1', { path, kind: 'change', at: 'data.updatedAt', to: 'yesterday' })
    await services.plant('v1', { path, kind: 'remove', at: 'data.barcode' })
    const ran = await replayOver(services, line(PACKAGE, parcel), WRITES)
    expect(ran.exit).toBe(1)
    expect(counting(ran.json(), 'package').toSorted()).toEqual([
      'changed products[].piece < data.products[].piece: 1 (1)',
      'changed trackingNumber < data.trackingNumber: 1 (1)',
      'changed updatedAt < data.updatedAt: 1 (1)',
      'missing barcode < data.barcode: 1 (1)',
      'type id < data.id: 1 (1)',
    ])
    expect(ran.json().operations).toMatchObject([{ verdict: 'not ready' }])
  })

  it('sends nothing to a service that may not be a copy', async () => {
    const connections: Socket[] = []
    const server = createServer((socket) => void connections.push(socket.end()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closeAtEnd(() => server.close())
    const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const services of [
      { legacyUrl: local, v1Url: 'https://v1.invalid' },
      { legacyUrl: 'https://legacy.invalid', v1Url: local },
    ]) {
      const { exit, errors, output } = await replayOver(services, line(DOCUMENT, document), WRITES)
      expect({ exit, output, connections: connections.length }).toEqual({ exit: 2, output: '', connections: 0 })
      expect(errors).toContain('if both are copies, say so with --these-are-copies')
    }
  })
})
