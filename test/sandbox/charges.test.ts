import { expect, test } from 'vitest'
import { openStore } from '../../src/sandbox/store/sandbox-store.ts'

const charges = () => openStore(':memory:').prepare('SELECT * FROM charges ORDER BY id').all()

test('a new store has a few dozen charges, of both organizations and both types, all of them READY', () => {
  const seeded = charges()
  const count = (member: string, value: unknown) => seeded.filter((charge) => charge[member] === value).length
  expect(seeded).toHaveLength(48)
  expect([count('organizationId', 1), count('organizationId', 2)]).toEqual([36, 12])
  expect(count('typeId', 1) + count('typeId', 2)).toBe(48)
  expect(Math.min(count('typeId', 1), count('typeId', 2))).toBeGreaterThan(5)
  expect(count('billingStatusId', 1)).toBe(48)
  for (const charge of seeded) {
    expect(charge).toEqual({
      id: expect.any(Number),
      organizationId: expect.any(Number),
      amountHundredths: expect.any(Number),
      createdAt: expect.stringMatching(/^2025-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      transactionId: expect.any(Number),
      trackingNumber: expect.stringMatching(/^NX9\d{8}TR$/),
      typeId: expect.any(Number),
      billingStatusId: 1,
      typeMask: expect.stringMatching(/^11[01]{3}$/),
    })
  }
  expect(new Set(seeded.map(({ trackingNumber }) => trackingNumber)).size).toBe(48)
})
