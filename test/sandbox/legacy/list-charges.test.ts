import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentBody } from '../shipment-requests.ts'
import { type LegacyError, type LegacyPage, legacyTime } from './legacy-client.ts'
import { type OpenFaces, openFaces } from './open-faces.ts'

interface Charge {
  id: number
  amount: number
  createdAt: string
  transaction: { id: number; trackingNumber: string; type: { id: number; slug: string } }
  billingStatus: { id: number; slug: string }
  typeMask: string
}

const path = '/api/transaction/charge/list'
let faces: OpenFaces
beforeAll(async () => {
  faces = await openFaces(() => Date.parse('2025-02-03T04:05:06.789Z'))
  faces.db.prepare('UPDATE tokens SET expiresAtMs = ?').run(Number.MAX_SAFE_INTEGER)
})
afterAll(() => faces.close())

async function list(filters: unknown, token = faces.tokens.demo) {
  const reply = await faces.ask<LegacyPage<Charge>>(path, { body: filters, token })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

test('an empty object, an empty array or no body gives 25 records of the contract, newest id first', async () => {
  const body = await list({})
  expect(body.pagination).toEqual({ count: 36, page: 1, perPage: 25, lastPage: 2 })
  expect(body.data).toHaveLength(25)
  for (const charge of body.data) {
    expect(charge).toEqual({
      id: expect.any(Number),
      amount: expect.any(Number),
      createdAt: expect.stringMatching(legacyTime),
      transaction: {
        id: expect.any(Number),
        trackingNumber: expect.any(String),
        type: expect.toBeOneOf([
          { id: 1, slug: 'PACKAGE' },
          { id: 2, slug: 'DOCUMENT' },
        ]),
      },
      billingStatus: { id: 1, slug: 'READY' },
      typeMask: expect.stringMatching(/^[01]{5}$/),
    })
  }
  const ids = body.data.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect((await faces.ask(path, { method: 'POST' })).body).toEqual(body)
  expect((await faces.ask(path, { body: '[]' })).body).toEqual(body)
})

test('pages and sorts as the invoice list does', async () => {
  const { data: whole } = await list({ perPage: 5000, sortBy: 'amount', sortOrder: 'asc' })
  expect(whole).toHaveLength(36)
  expect(whole.map(({ amount }) => amount)).toEqual(whole.map(({ amount }) => amount).toSorted((a, b) => a - b))
  const page = await list({ page: '2', perPage: 30, sortBy: 'amount', sortOrder: 'ASC', unknown: 1 })
  expect(page).toEqual({ data: whole.slice(30), pagination: { count: 36, page: 2, perPage: 30, lastPage: 2 } })
  for (const filters of [{ perPage: 5001 }, { page: 0 }, { sortBy: 'typeMask' }, { sortOrder: 'up' }]) {
    const reply = await faces.ask<LegacyError>(path, { body: filters })
    expect(reply.status).toBe(400)
    expect(reply.body.violations?.map(({ propertyPath }) => propertyPath)).toEqual(Object.keys(filters))
  }
})

test('shows the charge of a new shipment to its organization, and to no other', async () => {
  const shipment = await faces.ask<{ id: number; trackingNumber: string }>('/api/consignment/document', {
    body: documentBody(),
  })
  const { data, pagination } = await list({ perPage: 1 })
  expect(pagination.count).toBe(37)
  expect(data).toEqual([
    {
      id: expect.any(Number),
      amount: 26.55,
      createdAt: '2025-02-03T04:05:06+00:00',
      transaction: {
        id: shipment.body.id,
        trackingNumber: shipment.body.trackingNumber,
        type: { id: 2, slug: 'DOCUMENT' },
      },
      billingStatus: { id: 1, slug: 'READY' },
      typeMask: '11000',
    },
  ])
  const theirs = await list({ perPage: 5000 }, faces.tokens.other)
  expect(theirs.pagination.count).toBe(12)
  expect(theirs.data.map(({ transaction }) => transaction.id)).not.toContain(shipment.body.id)
})
