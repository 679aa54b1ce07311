import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askLegacy, type LegacyPage } from './legacy/legacy-client.ts'
import { type OpenFaces, openFaces } from './legacy/open-faces.ts'
import { ask, type ErrorBody, type ListBody } from './sandbox-client.ts'
import { documentBody, documents, imports, packageBody, packages, type ShipmentBody } from './shipment-requests.ts'

let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces()
})
afterAll(() => faces.close())

const post = <Body>(path: string, body: object, language = 'tr') =>
  ask<Body>(faces, path, { body, language, token: faces.v1Tokens.demo })
const drafts = () => faces.db.prepare('SELECT id FROM shipmentDrafts ORDER BY id').all()
const newest = () => Number(drafts().at(-1)?.id)

describe('an invoice', () => {
  test('has the same status in both interfaces', async () => {
    for (const [id, slug] of [
      [1, 'NEW'],
      [2, 'WAITING'],
      [3, 'COMPLETED'],
    ] as const) {
      const path = `/api/v1/finance/invoices?perPage=200&statusId=${id}`
      const v1 = await ask<ListBody<{ status: object }>>(faces, path, { token: faces.v1Tokens.demo })
      expect(v1.body.items.length).toBeGreaterThan(0)
      for (const { status } of v1.body.items) expect(status).toEqual({ id, slug })
      const body = { statusId: id, perPage: 200 }
      const legacy = await faces.ask<LegacyPage<{ status: object }>>('/api/invoice/list', { body })
      expect(legacy.body.data.map(({ status }) => status)).toEqual(v1.body.items.map(({ status }) => status))
    }
  })

  test('of status 4 can be requested in the legacy interface, but no longer in v1', async () => {
    const body = { statusId: 4 }
    expect((await askLegacy(faces, '/api/invoice/list', { token: faces.tokens.demo, body })).status).toBe(200)
    const path = '/api/v1/finance/invoices?statusId=4'
    const reply = await ask<ErrorBody>(faces, path, { token: faces.v1Tokens.demo })
    expect([reply.status, reply.body.errors?.map((error) => error.path)]).toEqual([422, ['statusId']])
  })
})

describe.each([
  ['package', packages, packageBody],
  ['document', documents, documentBody],
] as const)('a new %s shipment', (_, path, makeBody) => {
  test('whose request completes is registered with the carrier: 201, and no draft remains', async () => {
    const before = drafts()
    const { status, body } = await post<ShipmentBody>(path, makeBody())
    expect(status).toBe(201)
    expect(body.data.trackingNumber).not.toBe('')
    expect(faces.db.prepare('SELECT id FROM shipments WHERE id = ?').get(body.data.id)).toBeDefined()
    expect(drafts()).toEqual(before)
  })

  test('whose request cannot be completed leaves a draft, and each further attempt without its id another one', async () => {
    const count = drafts().length
    const failing = { senderAddressId: 2 }
    expect((await post(path, makeBody(failing))).status).toBe(400)
    expect(drafts()).toHaveLength(count + 1)
    const id = newest()
    expect((await post(path, makeBody({ ...failing, id }))).status).toBe(400)
    expect(drafts()).toHaveLength(count + 1)
    expect((await post(path, makeBody(failing))).status).toBe(400)
    expect(drafts()).toHaveLength(count + 2)
    expect(newest()).toBeGreaterThan(id)
    const { status, body } = await post<ShipmentBody>(path, makeBody({ id }))
    expect([status, body.data.id]).toEqual([201, id])
    expect(drafts()).toHaveLength(count + 1)
  })
})

test('an import is open until it is completed, and stays completed whatever shipment tries to use it', async () => {
  const created = await post<{ data: { id: number } }>(imports, { name: 'States', carrierShipmentId: 'GCCN' })
  const { id } = created.body.data
  const completedAt = () => faces.db.prepare('SELECT completedAt FROM singlePointImports WHERE id = ?').get(id)
  expect((await post(packages, packageBody({ singlePointImportId: id }))).status).toBe(201)
  expect(completedAt()).toEqual({ completedAt: null })
  const reply = await post<object>(`${imports}/${id}/complete`, {}, 'en')
  expect([reply.status, reply.body]).toEqual([200, { success: true, message: 'Tek noktadan ithalat tamamlandı.' }])
  const before = completedAt()
  expect(before?.completedAt).toMatch(/^\d{4}-.*Z$/)
  for (const language of ['tr', 'en']) {
    const refused = await post<ErrorBody>(packages, packageBody({ singlePointImportId: id }), language)
    expect(refused.status).toBe(400)
    expect(refused.body.code).toBe('SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE')
    expect(completedAt()).toEqual(before)
  }
})
