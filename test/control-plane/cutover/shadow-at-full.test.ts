import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type SideBySide, startSideBySide } from '../../support/side-by-side.ts'
import { until } from '../../support/start-gateway.ts'

const rollout = (steps: readonly number[]): object => ({
  operations: {
    'invoice-list': { serve: 'legacy', shadow: 1, target: 0.5, plan: { steps, calls: 1, minutes: 0 } },
  },
  confidence: 0.5,
})

const answeredBy = ({ gateway }: SideBySide): unknown => gateway.log.findLast(({ msg }) => msg === 'call')?.answeredBy

/** Asks for different invoices, so that each call is a new piece of evidence. */
async function ask(gateway: SideBySide, number: number): Promise<unknown> {
  await gateway.call('/api/invoice/list', { page: 1, limit: number + 1 })
  return answeredBy(gateway)
}

const totals = async (gateway: SideBySide) =>
  (await gateway.experiments()).operations.find(({ operation }) => operation === 'invoice-list')?.totals

it('at 100 % calls are compared with the sides swapped, and a regression of v1 brakes', async () => {
  const gateway = await startSideBySide(rollout([100]), {
    settings: (folder) => ({ stateDb: join(folder, 'state.db') }),
  })
  let calls = 0
  expect(await ask(gateway, calls++)).toBe('legacy')
  for (const end = performance.now() + 30_000; (await ask(gateway, calls++)) !== 'v1'; await wait(20)) {
    if (performance.now() > end) throw new Error(JSON.stringify(await gateway.experiments()))
  }
  await gateway.compared(calls)
  expect(await totals(gateway)).toMatchObject({ matched: calls, mismatched: 0, failed: 0 })

  // What legacy does wrong is the control's failure, although v1 answers.
  await gateway.plant('legacy', { path: '/api/invoice/list', kind: 'status', status: 503, calls: 1 })
  expect(await ask(gateway, calls++)).toBe('v1')
  await gateway.compared(calls)
  expect(await totals(gateway)).toMatchObject({ mismatched: 0, failed: 1 })
  expect(await ask(gateway, calls++)).toBe('v1')

  // What v1 does wrong is the candidate's difference.
  await gateway.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 400, calls: 'all' })
  expect(await ask(gateway, calls++)).toBe('v1')
  await until(() => gateway.gateway.log.some(({ event }) => event === 'braked'), 20_000)
  // The calls themselves hear of it a moment later.
  await expect.poll(() => ask(gateway, calls++)).toBe('legacy')
}, 60_000)
