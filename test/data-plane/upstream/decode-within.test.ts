import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ANSWER_FACTOR, Holder, MemoryBudget } from '../../../src/data-plane/upstream/memory-budget.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { openTestUpstream, read } from '../../support/open-upstream.ts'

const MB = 1024 ** 2

/** An upstream that answers with this many bytes, as a few in gzip. */
async function answering(length: number) {
  const body = gzipSync(Buffer.alloc(length, ' '))
  const server = await startHttpServer((_, response) => response.setHeader('content-encoding', 'gzip').end(body))
  return openTestUpstream(server.url)
}

describe('the memory of an answer that is decoded', () => {
  test.each([100_000, 900_000, 3_000_000, 10_000_000])('is that of the decoded text: %d bytes', async (length) => {
    const upstream = await answering(length)
    const account = { memory: new MemoryBudget(1_000 * MB), holder: new Holder(), mayExceed: false }
    await upstream.call({ ...read, account })
    expect(account.holder.answer).toBe(length * ANSWER_FACTOR)
    account.memory.end(account.holder)
    expect(account.memory.used).toBe(0)
  })

  test('is waited for, and nobody waits in vain', async () => {
    const upstream = await answering(900_000)
    const memory = new MemoryBudget(16 * MB)
    let most = 0
    const calls = Array.from({ length: 60 }, async () => {
      const holder = new Holder()
      const { body } = await upstream.call({ ...read, account: { memory, holder, mayExceed: false } })
      most = Math.max(most, memory.used)
      memory.end(holder)
      return body.length
    })
    expect(await Promise.all(calls)).toEqual(Array(60).fill(900_000))
    expect(most).toBeLessThanOrEqual(memory.limit)
    expect(memory.used).toBe(0)
  })
})
