import { expect, it, vi } from 'vitest'
import type { ClientGuide } from '../../../src/guide/client/client-guide.ts'
import { startSideBySide } from '../../support/side-by-side.ts'
import { inShort, partOf } from './support/guide-for.ts'

const INVOICES = '/api/invoice/list'

it('the guide of a running gateway shows the call with the members that are most frequent, and says how frequent', async () => {
  const { call, adminUrl } = await startSideBySide({ operations: { '*': { serve: 'v1' } } })
  const bodies = [{ isPayment: true, page: 1 }, { statusId: 1 }, { isPayment: false, page: 2 }, { perPage: 5 }]
  for (const body of bodies) expect((await call(INVOICES, body)).status).toBe(200)
  expect((await call(INVOICES, { statusId: 'abc' })).status).toBe(400)
  await vi.waitFor(
    async () => {
      const answer = await fetch(`${adminUrl}/clients/demo-client/guide?format=json`)
      const invoices = partOf((await answer.json()) as ClientGuide, 'invoice-list')
      expect(invoices).toMatchObject({ calls: 5, lookedAt: 5, alike: { calls: 2, of: 4 } })
      expect(JSON.parse(invoices.before?.body ?? '')).toEqual({ isPayment: false, page: 2 })
    },
    { timeout: 60_000 },
  )
  const markdown = await (await fetch(`${adminUrl}/clients/demo-client/guide`)).text()
  expect(markdown).toContain('Before (your typical call, 2 of 4): `POST /api/invoice/list`')
})

it('a running gateway makes a guide from the calls that it answered', async () => {
  const { call, adminUrl } = await startSideBySide({ operations: { '*': { serve: 'v1' } } })
  expect((await call(INVOICES, { dateAtBetween: { startAt: '31.12.2025' } })).status).toBe(400)
  expect((await call(INVOICES, { statusId: 4 })).status).toBe(200)
  expect((await call(INVOICES, { isPayment: false, search: '', paid: 1 })).status).toBe(200)
  const guide = await vi.waitFor(
    async () => {
      const answer = await fetch(`${adminUrl}/clients/demo-client/guide?format=json`)
      expect(answer.status).toBe(200)
      const made = (await answer.json()) as ClientGuide
      expect(partOf(made, 'invoice-list')).toMatchObject({ calls: 3, lookedAt: 3, isOwnCall: true })
      return made
    },
    { timeout: 60_000 },
  )
  const invoices = partOf(guide, 'invoice-list')
  expect(JSON.parse(invoices.before?.body ?? '')).toEqual({ isPayment: false, search: '', paid: 1 })
  expect(invoices.after[0]?.url).toMatch(/\/api\/v1\/finance\/invoices\?isPaid=false&page=1&perPage=25$/)
  expect(inShort(invoices.request)).toEqual([
    'isPayment → ?isPaid: renamed, moves into the query',
    'dateAtBetween.startAt → ?dateFrom: renamed, moves into the query',
    'paid → null: left out',
    'search → null: left out',
  ])
  expect(inShort(invoices.errors)).toEqual([
    '400 → 422 VALIDATION_FAILED: status',
    'violations[].propertyPath: dateAtBetween.startAt → errors[].path: dateFrom: violation',
  ])
  expect(inShort(invoices.lost)).toEqual(['statusId: 4 → null: removed value'])
  expect(inShort(invoices.answer)).toContain('data[].currency.code → items[].currencyCode: renamed')
})
