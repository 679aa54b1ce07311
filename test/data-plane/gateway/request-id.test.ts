import { expect, test } from 'vitest'
import { newRequestId } from '../../../src/data-plane/gateway/request-head.ts'

test('ids of requests are all different, also once the pooled random bytes are used up', () => {
  const ids = Array.from({ length: 1_000 }, newRequestId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/)
})
