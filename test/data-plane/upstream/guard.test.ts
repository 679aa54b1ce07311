import { expect, test } from 'vitest'
import { guardUpstream, openGuard } from '../../../src/data-plane/upstream/guard.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { openTestUpstream, read, write } from '../../support/open-upstream.ts'

const options = { probe: async () => undefined, onBreaker: () => undefined, limit: 2, maxWaiting: 2, maxWaitMs: 60_000 }

/** A service that answers only once this many calls have arrived at the same time. */
async function slowService(together: number) {
  let most = 0
  let now = 0
  const held: (() => void)[] = []
  const service = await startHttpServer((_, response) => {
    most = Math.max(most, ++now)
    held.push(() => {
      now--
      response.end('{}')
    })
    if (most < together) return
    // Gives surplus calls time to arrive.
    setTimeout(() => {
      for (const answer of held.splice(0)) answer()
    }, 30)
  })
  return { upstream: guardUpstream(openTestUpstream(service.url), options), most: () => most }
}

test('limits calls under way; the others wait, and the oldest are refused when the line is full', async () => {
  const { upstream, most } = await slowService(2)
  const calls = Array.from({ length: 7 }, () => upstream.call(read))
  expect(upstream.lanes()).toMatchObject([{ lane: 'reads', running: 2, waiting: 2, isOpen: false }, { running: 0 }])
  const settled = await Promise.allSettled(calls)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  for (const one of settled) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'UpstreamError', kind: 'overloaded' })
  }
  expect(most()).toBe(2)
})

test('reads do not wait for writes, nor writes for reads', async () => {
  const { upstream, most } = await slowService(4)
  const writes = [upstream.call(write), upstream.call(write), upstream.call(write)]
  const reads = [upstream.call(read), upstream.call(read)]
  expect(upstream.lanes()).toMatchObject([
    { running: 2, waiting: 0 },
    { running: 2, waiting: 1 },
  ])
  await Promise.all([...writes, ...reads])
  expect(most()).toBe(4)
})

test('when all calls fail at once, no more fail in one turn of the event loop than may be under way', async () => {
  const guard = openGuard(['reads'], { ...options, maxWaiting: 100 })
  let failed = 0
  const call = guard.around<Record<string, never>, never>(
    () => 'reads',
    () => Promise.reject(new Error('down')),
  )
  for (let calls = 0; calls < 10; calls++) call({}).catch(() => failed++)
  const perTurn: number[] = []
  while (failed < 10) {
    const before = failed
    await new Promise((resolve) => setImmediate(resolve))
    perTurn.push(failed - before)
  }
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2)
})
