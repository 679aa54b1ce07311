import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { clientsBetween, rolloutOf, startCutoverBed } from '../support/cutover-bed.ts'
import { orderAt } from '../support/fleets.ts'
import { planOf, read, reportAt, startGate } from '../support/gate-server.ts'

const SECRET = { webhookSecret: 'sixteen-letters-', tickMs: 20 }
const SOON = { interval: 10, timeout: 20_000 }
const TIMEOUT_MS = 300
const [first = ''] = clientsBetween(0, 5, 1)
const [later = ''] = clientsBetween(5, 50, 1)
const SILENT = `waits for the gate (it did not answer: no answer within ${TIMEOUT_MS} ms)`

it('a gate that falls silent at a step lets the plan wait there: nothing is braked, and the next step comes when it answers', async () => {
  const gate = await startGate(200)
  const plan = planOf(gate, { gate: { url: gate.url, timeoutMs: TIMEOUT_MS } })
  const bed = await startCutoverBed(rolloutOf(plan))
  const gateway = await bed.start(SECRET)
  await expect.poll(() => gateway.percent(), SOON).toBe(5)

  // The first question of a gateway that has just started may come too late for this short a wait.
  const entriesBefore = (await gateway.audit()).length
  gate.answer = undefined
  expect(await gateway.answeredBy(first)).toBe('v1')
  await expect.poll(async () => (await reportAt(gateway))?.why, SOON).toBe(SILENT)
  expect(await reportAt(gateway)).toMatchObject({ percent: 5, state: 'running', next: 50, run: null })
  const asked = gate.asked().length
  // Asked again in each minute, which is 60 turns, it still says nothing.
  await expect.poll(() => gate.asked().length, SOON).toBeGreaterThan(asked + 1)
  expect(await gateway.percent()).toBe(5)
  expect([await gateway.answeredBy(first), await gateway.answeredBy(later)]).toEqual(['v1', 'legacy'])
  expect(await read(gateway, '/metrics')).toMatch(
    /^legacy_gateway_cutover_state\{operation="invoice-list",state="running"\} 1$/m,
  )
  const events = (await gateway.audit()).map(({ event }) => event)
  expect(events.slice(0, events.length - entriesBefore)).toEqual(['gate-waits'])

  gate.answer = { status: 200 }
  await expect.poll(() => gateway.percent(), SOON).toBe(50)
  expect(await gateway.answeredBy(later)).toBe('v1')
}, 60_000)

it('a silent gate holds no order of a person', async () => {
  const gate = await startGate(200)
  gate.answer = undefined
  const plan = planOf(gate, { gate: { url: gate.url, timeoutMs: TIMEOUT_MS } })
  const bed = await startCutoverBed(rolloutOf(plan))
  const gateway = await bed.start(SECRET)
  await expect.poll(async () => (await reportAt(gateway))?.why, SOON).toBe(SILENT)
  expect(await reportAt(gateway)).toMatchObject({ percent: 0 })
  expect(JSON.parse((await orderAt(gateway, 'advance')).text)).toMatchObject({ percent: 5 })
}, 60_000)

it('what a plan asks its gate is signed, and each question has an id of its own', async () => {
  const gate = await startGate(409, 'not yet')
  const bed = await startCutoverBed(rolloutOf(planOf(gate)))
  const gateway = await bed.start(SECRET)
  await expect.poll(() => gate.received.length, SOON).toBeGreaterThanOrEqual(3)
  await gateway.close()
  for (const { headers, body } of gate.received) {
    const signed = createHmac('sha256', 'sixteen-letters-').update(body).digest('hex')
    expect(headers).toMatchObject({ 'x-signature': `sha256=${signed}`, 'content-type': 'application/json' })
    expect(JSON.parse(body)).toMatchObject({ operation: 'invoice-list', step: 0, next: 5 })
  }
  const ids = gate.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).not.toContain(undefined)
  expect(new Set(ids).size).toBe(ids.length)
}, 60_000)
