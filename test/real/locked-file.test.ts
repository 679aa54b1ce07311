import { expect, it } from 'vitest'
import { clientsBetween, QUICK, rolloutOf, startCutoverBed } from '../control-plane/cutover/support/cutover-bed.ts'
import { holdLock } from '../support/hold-lock.ts'
import { callLegacy, type Reply } from '../support/legacy-client.ts'
import { until } from '../support/start-gateway.ts'

it('while another process has locked STATE_DB, calls are answered, orders are refused in words, and a stop acts', async () => {
  const bed = await startCutoverBed(rolloutOf({ steps: [50, 100], ...QUICK, calls: 1_000 }))
  const gateway = await bed.start()
  const order = (action: string): Promise<Reply> =>
    callLegacy(gateway.adminUrl, {
      path: `/cutover/invoice-list/${action}`,
      body: JSON.stringify({ by: 'Ada', why: 'a test' }),
      headers: { 'content-type': 'application/json' },
    })
  await expect.poll(() => gateway.percent()).toBe(50)
  const [below = ''] = clientsBetween(0, 50, 1)
  const lock = await holdLock(bed.stateDb, 'BEGIN IMMEDIATE')
  expect(await gateway.answeredBy(below)).toBe('v1')
  const refused = await order('pause')
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('check whether the plan has moved')])
  expect(await order('stop')).toMatchObject({ status: 200 })
  expect(await gateway.answeredBy(below)).toBe('legacy')
  expect((await gateway.audit()).some(({ event }) => event === 'stopped')).toBe(false)
  await lock.release()
  const stored = async () => (await gateway.audit()).filter(({ event }) => event === 'stopped').length === 1
  await expect.poll(stored).toBe(true)
  await until(() => gateway.log.some(({ msg }) => String(msg).includes('stored again')))
  expect(await gateway.answeredBy(below)).toBe('legacy')
}, 60_000)
