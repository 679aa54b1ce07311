import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { callsOf, clientsThat } from '../../control-plane/usage/support/asked-clients.ts'
import { storedCalls } from '../../control-plane/usage/support/stored-calls.ts'
import { startComparingProcess, stateFolder } from '../../support/comparing-process.ts'

it('a gateway that is killed loses what it counted within the last second at most', { timeout: 180_000 }, async () => {
  const file = join(stateFolder(), 'state.db')
  const killed = await startComparingProcess(file)
  await killed.call(5)
  await expect.poll(() => storedCalls(file, 'invoice-list'), { interval: 50 }).toBe(5)
  await killed.call(2)
  const gone = once(killed.service.child, 'exit')
  killed.service.child.kill('SIGKILL')
  await gone
  const kept = storedCalls(file, 'invoice-list')
  expect([5, 6, 7]).toContain(kept)
  const next = await startComparingProcess(file)
  await next.call(1)
  const report = await clientsThat(next.admin, (all) => callsOf(all, 'demo-client', 'invoice-list') === kept + 1)
  expect(callsOf(report, 'demo-client', 'auth')).toBeGreaterThanOrEqual(1)
  expect(await next.stop()).toBe(0)
  expect(storedCalls(file, 'invoice-list')).toBe(kept + 1)
})
