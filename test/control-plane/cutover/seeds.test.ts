import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chooseSide, type OperationDecision, placeOf } from '../../../src/planes/decisions.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { runCommand } from '../../support/run-command.ts'
import { clientsBetween, QUICK, rolloutOf, startCutoverBed } from './support/cutover-bed.ts'

const SOON = { interval: 10, timeout: 20_000 }
const CLIENTS = Array.from({ length: 10_000 }, (_, number) => `client-${number}`)

const drawn = (v1Percent: number, seed?: string): ReadonlySet<string> => {
  const decision: OperationDecision = { serve: 'legacy', v1Percent, clients: {}, mayChoose: [], shadow: 0, seed }
  return new Set(CLIENTS.filter((client) => chooseSide(decision, () => client) === 'v1'))
}
const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((client) => other.has(client)).length

describe('the clients that a plan draws', () => {
  it('are as before where it has no seed', () => {
    expect(['demo-client', 'warehouse-izmir', ''].map((client) => placeOf(client).toFixed(6))).toEqual([
      '0.737868',
      '7.653405',
      '88.941599',
    ])
  })

  it('are as many with any seed, and others', () => {
    const [none, spring, autumn] = [drawn(5), drawn(5, 'spring'), drawn(5, 'autumn')]
    for (const clients of [none, spring, autumn]) {
      expect(clients.size).toBeGreaterThan(400)
      expect(clients.size).toBeLessThan(600)
    }
    // 25 of 500 are expected to be drawn twice.
    for (const [one, other] of [
      [none, spring],
      [none, autumn],
      [spring, autumn],
    ] as const) {
      expect(shared(one, other)).toBeLessThan(60)
    }
  })

  it('stay drawn at each later step', () => {
    const [few, many] = [drawn(5, 'spring'), drawn(25, 'spring')]
    expect(shared(few, many)).toBe(few.size)
  })

  it('are no others because of where the seed ends and the id begins', () => {
    expect(placeOf('b', 'a')).not.toBe(placeOf('', 'ab'))
    expect(placeOf('","b', 'a')).not.toBe(placeOf('b', 'a","'))
  })
})

/** Clients that stay at legacy at 50 % without a seed. */
const LATE = clientsBetween(50, 100, 24)

describe('gateways with a rollout file with a seed', () => {
  it('draw the same clients at each replica, and move some when it changes', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [50], ...QUICK }))
    const one = await bed.start()
    const other = await bed.start({ stateDb: `${bed.folder}/other.db` })
    const at = async (gateway: typeof one): Promise<readonly unknown[]> => {
      await expect.poll(() => gateway.percent(), SOON).toBe(50)
      const sides: unknown[] = []
      for (const client of LATE) sides.push(await gateway.answeredBy(client))
      return sides
    }
    const before = await at(one)
    expect(before).toEqual(LATE.map(() => 'legacy'))
    bed.write(rolloutOf({ steps: [50], ...QUICK, seed: 'spring' }))
    await expect.poll(async () => new Set(await at(one)), SOON).toEqual(new Set(['v1', 'legacy']))
    await expect.poll(() => at(other), SOON).toEqual(await at(one))
    expect(JSON.parse((await callLegacy(one.adminUrl, { path: '/cutover' })).text)).toMatchObject([{ seed: 'spring' }])
    const [changed] = (await one.audit()).filter(({ event }) => event === 'rollout-changed')
    expect(changed?.why).toBe('invoice-list: plan.seed not set -> spring')
  }, 30_000)

  it('keep each client on one side everywhere without seeds, and spread the risk with them', async () => {
    const half = (seed?: string) => ({ serve: 'legacy', plan: { steps: [50], ...QUICK, seed } })
    const bed = await startCutoverBed({ operations: { 'invoice-list': half(), price: half() } })
    const gateway = await bed.start()
    const sides = async (path: string): Promise<readonly unknown[]> => {
      const answering: unknown[] = []
      for (const client of CLIENTS.slice(0, 24)) {
        await gateway.call({ path, body: '{}', headers: { authorization: `Bearer ${client}` } })
        answering.push(gateway.log.findLast(({ msg }) => msg === 'call')?.answeredBy)
      }
      return answering
    }
    const atAllSteps = async (): Promise<unknown> =>
      (JSON.parse((await callLegacy(gateway.adminUrl, { path: '/cutover' })).text) as { percent: number }[]).map(
        ({ percent }) => percent,
      )
    await expect.poll(atAllSteps, SOON).toEqual([50, 50])
    const everywhere = await sides('/api/invoice/list')
    expect(new Set(everywhere)).toEqual(new Set(['v1', 'legacy']))
    expect(await sides('/api/calculate/price')).toEqual(everywhere)

    bed.write({ operations: { 'invoice-list': half('spring'), price: half('autumn') } })
    await expect.poll(() => sides('/api/invoice/list'), SOON).not.toEqual(everywhere)
    const [invoices, prices] = [await sides('/api/invoice/list'), await sides('/api/calculate/price')]
    expect(prices).not.toEqual(invoices)
    expect(prices).not.toEqual(everywhere)
  }, 30_000)

  it('are told by the check that another seed moves clients, and how many', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK, seed: 'spring' }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    const env = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' }
    const checked = await runCommand(['rollout', 'check', bed.rolloutFile], env)
    expect(checked.output).toContain('the seed "spring" draws the clients: another one moves them')
    const plan = ['cutover', 'plan', bed.rolloutFile, '--dry-run', '--admin', gateway.adminUrl]
    expect((await runCommand(plan, env)).output).not.toContain('another seed')
    writeFileSync(`${bed.folder}/next.json`, JSON.stringify(rolloutOf({ steps: [5, 50], ...QUICK })))
    const next = plan.with(2, `${bed.folder}/next.json`)
    expect((await runCommand(next, env)).output).toContain(
      'another seed draws the clients: about 4.75 % of the clients move to v1, and as many back to legacy, at once',
    )
    // Also if the same percentage stands in place of the plan.
    writeFileSync(`${bed.folder}/next.json`, JSON.stringify(rolloutOf(undefined, { v1Percent: 5 })))
    expect((await runCommand(next, env)).output).toContain('another seed draws the clients: about 4.75 %')
  })

  it.each([[''], ['x'.repeat(101)], [7]])('refuse the seed %j', async (seed) => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5], seed }))
    const env = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' }
    const { exit, errors } = await runCommand(['rollout', 'check', bed.rolloutFile], env)
    expect([exit, errors]).toEqual([
      1,
      expect.stringContaining(
        'operations.invoice-list.plan.seed: must be a text of 1 to 100 characters, for instance "2027-03"',
      ),
    ])
  })
})
