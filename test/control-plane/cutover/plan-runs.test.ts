import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CutoverGateway, clientsBetween, QUICK, rolloutOf, startCutoverBed } from './support/cutover-bed.ts'

const SOON = { interval: 10 }
/** Time for many decisions, three of which are taken in 150 ms. */
const TURNS_MS = 750
const [first = ''] = clientsBetween(0, 1, 1)
const [middle = ''] = clientsBetween(30, 40, 1)
const [last = ''] = clientsBetween(95, 100, 1)

/** Makes calls until a condition holds. */
async function callUntil(
  gateway: CutoverGateway,
  tokens: readonly string[],
  holds: () => Promise<boolean>,
): Promise<void> {
  for (const end = performance.now() + 30_000; performance.now() < end; await wait(10)) {
    for (const token of tokens) await gateway.ask(token)
    if (await holds()) return
  }
  throw new Error(`it did not happen; the plan is ${await gateway.state()} at ${await gateway.percent()} %`)
}

describe('a plan', () => {
  it('takes its steps one after the other until v1 answers everything', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50, 100], ...QUICK }))
    const gateway = await bed.start()
    const seen = new Set<unknown>()
    await callUntil(gateway, [first, middle, last], async () => {
      seen.add(await gateway.percent())
      return (await gateway.state()) === 'done'
    })
    expect([...seen].filter((percent) => ![0, 5, 50, 100].includes(percent as number))).toEqual([])
    for (const token of [first, middle, last]) expect(await gateway.answeredBy(token)).toBe('v1')
    const moves = gateway.log.filter(({ msg }) => msg === 'a plan has moved')
    expect(moves.map(({ event, to }) => [event, to])).toEqual([
      ['advanced', 5],
      ['advanced', 50],
      ['advanced', 100],
      ['done', 100],
    ])
  })

  it('does not advance without calls of v1, however long it takes', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 100], ...QUICK, calls: 3 }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    for (let call = 0; call < 5; call++) expect(await gateway.answeredBy(last)).toBe('legacy')
    await wait(TURNS_MS)
    expect(await gateway.percent()).toBe(5)
    for (let call = 0; call < 3; call++) expect(await gateway.answeredBy(first)).toBe('v1')
    await expect.poll(() => gateway.percent(), SOON).toBe(100)
  })

  it('stays where it is across a restart', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [50, 100], ...QUICK, calls: 1_000 }))
    const before = await bed.start()
    await expect.poll(() => before.percent(), SOON).toBe(50)
    await before.close()
    const after = await bed.start()
    expect(await after.answeredBy(middle)).toBe('v1')
    expect(await after.answeredBy(last)).toBe('legacy')
    expect(await after.percent()).toBe(50)
  })

  it('gives way to clients of the file, and to the file once it is taken out', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [100], ...QUICK }, { clients: {} }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), SOON).toBe(100)
    writeFileSync(bed.rolloutFile, '{')
    await expect.poll(() => gateway.log.some(({ msg }) => String(msg).includes('refused'))).toBe(true)
    expect(await gateway.answeredBy(last), 'a file that is refused changes nothing').toBe('v1')
    bed.write(rolloutOf(undefined))
    await expect.poll(() => gateway.answeredBy(last), SOON).toBe('legacy')
    expect(await gateway.percent()).toBe(undefined)
  })
})

describe('the audit', () => {
  it('has each change of the rollout file once, with what differs, and what was refused', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 100], ...QUICK, calls: 1_000 }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    bed.write(rolloutOf({ steps: [5, 50, 100], ...QUICK, calls: 1_000 }))
    const about = async (event: string) => (await gateway.audit()).filter((entry) => entry.event === event)
    await expect
      .poll(() => about('rollout-changed'), SOON)
      .toEqual([expect.objectContaining({ operation: '*', why: 'invoice-list: plan.steps 5, 100 -> 5, 50, 100' })])
    writeFileSync(bed.rolloutFile, '{')
    await expect
      .poll(() => about('rollout-refused'), SOON)
      .toEqual([expect.objectContaining({ operation: '*', to: 'refused', why: expect.stringContaining('not JSON') })])
    expect(await about('advanced')).toEqual([
      expect.objectContaining({ operation: 'invoice-list', by: 'auto', from: 'waiting at 0 %', to: 'running at 5 %' }),
    ])
  })
})

/** The brake looks at most ten times a second. */
const PACE_MS = 25

describe('the brake', () => {
  it('stops a v1 that fails everything within 5 s at 20 calls a second', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 100], ...QUICK, calls: 1_000 }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    bed.failV1(503)
    const clients = clientsBetween(0, 5, 20)
    let failed = 0
    for (let call = 0; call < 100; call++) {
      const { status } = await gateway.ask(clients[call % clients.length] ?? '')
      if (status !== 500) break
      failed++
      await wait(PACE_MS)
    }
    // At 20 calls a second these are fewer than 5 s.
    expect(failed).toBeGreaterThan(0)
    expect(failed).toBeLessThan(60)
    for (const token of clients.slice(0, 5)) expect(await gateway.answeredBy(token)).toBe('legacy')
    expect(await gateway.state()).toBe('stopped')
    const stopped = gateway.log.filter(({ event }) => event === 'braked')
    expect(stopped).toEqual([expect.objectContaining({ operation: 'invoice-list', from: 5, to: 0, by: 'auto' })])
  })

  it('is on after a restart', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [100], ...QUICK, calls: 1_000 }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), SOON).toBe(100)
    bed.failV1(503)
    for (let call = 0; call < 60 && (await gateway.ask(first)).status === 500; call++) await wait(PACE_MS)
    expect(await gateway.state()).toBe('stopped')
    await gateway.close()
    const after = await bed.start({ stateCache: join(bed.folder, 'cache.json') })
    expect(await after.state()).toBe('stopped')
    await wait(TURNS_MS)
    expect(await after.answeredBy(first)).toBe('legacy')
  })
})
