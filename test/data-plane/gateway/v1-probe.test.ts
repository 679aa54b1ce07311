import { expect, it } from 'vitest'
import { isV1Answer } from '../../../src/data-plane/gateway/v1-probe.ts'

const pageWith = (name: string) => ({
  ...{ status: 200, headers: {}, milliseconds: 1 },
  body: Buffer.from(JSON.stringify({ success: true, items: [{ name }], meta: { page: 1 } })),
})

it('a page of one row comes from v1, and one of 256 KB or more does not, as it is not parsed', () => {
  expect(isV1Answer(pageWith('Türkiye'))).toBe(true)
  expect(isV1Answer(pageWith('a'.repeat(256 * 1024)))).toBe(false)
})
