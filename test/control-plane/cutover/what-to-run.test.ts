import { copyFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CutoverReport } from '../../../src/control-plane/cutover/cutover.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { type Ran, runCommand } from '../../support/run-command.ts'
import { wordsIn } from '../../support/shell-words.ts'
import { startSideBySide } from '../../support/side-by-side.ts'
import { type CutoverGateway, clientsBetween, QUICK, rolloutOf, startCutoverBed } from './support/cutover-bed.ts'
import { failUntilBraked, orderAt } from './support/fleets.ts'

const SOON = { interval: 10, timeout: 20_000 }
const [first = ''] = clientsBetween(0, 5, 1)

type WithAdmin = Pick<CutoverGateway, 'adminUrl'>

const runAt = async ({ adminUrl }: WithAdmin): Promise<string | null> =>
  (JSON.parse((await callLegacy(adminUrl, { path: '/cutover' })).text) as CutoverReport[])[0]?.run as string | null

/** Runs a printed command as its reader would, with the admin port where the variables say. */
function carryOut({ adminUrl }: WithAdmin, command: string | null): Promise<Ran> {
  const [program, ...words] = wordsIn(command ?? '')
  expect(program).toBe('legacy-gateway')
  const { hostname, port } = new URL(adminUrl)
  const there = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' }
  return runCommand(words, { ...there, ADMIN_HOST: hostname, ADMIN_PORT: port })
}

describe('what GET /cutover says is to be run', () => {
  it('is nothing while a plan waits, and otherwise a command that does it', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 50], ...QUICK, approve: [50] }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
    expect(await runAt(gateway)).toBeNull()

    await gateway.ask(first)
    await expect.poll(() => gateway.state(), SOON).toBe('awaiting approval')
    const approve = await runAt(gateway)
    expect(approve).toBe('legacy-gateway cutover approve invoice-list --why …')
    expect(await carryOut(gateway, approve)).toMatchObject({ exit: 0, errors: '' })
    await expect.poll(() => gateway.percent(), SOON).toBe(50)

    await orderAt(gateway, 'pause')
    const resume = await runAt(gateway)
    expect(resume).toBe('legacy-gateway cutover resume invoice-list --why …')
    expect(await carryOut(gateway, resume)).toMatchObject({ exit: 0, errors: '' })

    bed.failV1(503)
    await failUntilBraked(gateway)
    const look = await runAt(gateway)
    expect(look).toBe('legacy-gateway cutover audit --operation invoice-list')
    const seen = await carryOut(gateway, look)
    expect([seen.exit, seen.output]).toEqual([0, expect.stringContaining('braked by auto')])
    bed.failV1(undefined)

    await orderAt(gateway, 'resume')
    await orderAt(gateway, 'stop')
    const again = await runAt(gateway)
    expect(again).toBe('legacy-gateway cutover resume invoice-list --why …')
    expect(await carryOut(gateway, again)).toMatchObject({ exit: 0, errors: '' })
    await expect.poll(() => gateway.percent(), SOON).toBe(5)
  })

  it('is in cutover --json too', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5], ...QUICK, approve: [5] }))
    const gateway = await bed.start()
    await expect.poll(() => gateway.state(), SOON).toBe('awaiting approval')
    const { output } = await carryOut(gateway, 'legacy-gateway cutover --json')
    expect(JSON.parse(output)).toMatchObject([
      { operation: 'invoice-list', run: 'legacy-gateway cutover approve invoice-list --why …' },
    ])
  })
})

describe('what GET /experiments says is to be run', () => {
  it('is what finds lines for differences, what a plan waits for, or nothing', async () => {
    const side = await startSideBySide(
      {
        operations: {
          '*': { serve: 'legacy', shadow: 1 },
          price: { plan: { steps: [5], approve: [5], withoutVerdict: 'a test' } },
        },
      },
      { settings: (folder) => ({ stateDb: `${folder}/state.db` }) },
    )
    await side.plant('v1', { path: '/api/v1/finance/invoices', kind: 'status', status: 400, calls: 'all' })
    await side.call('/api/invoice/list', {})
    await side.call('/api/calculate/price', {})
    await side.call('/country/all')
    await side.compared(3)
    const runs = async (): Promise<Readonly<Record<string, string | null>>> => {
      const { operations } = JSON.parse((await callLegacy(side.adminUrl, { path: '/experiments' })).text) as {
        readonly operations: readonly { readonly operation: string; readonly run: string | null }[]
      }
      return Object.fromEntries(operations.map(({ operation, run }) => [operation, run]))
    }
    await expect.poll(async () => (await runs()).price, SOON).toBe('legacy-gateway cutover approve price --why …')
    const { 'invoice-list': propose = null, 'country-list': wait } = await runs()
    expect(propose).toBe(`legacy-gateway propose --admin ${side.adminUrl}`)
    expect(wait).toBeNull()
    const proposed = await carryOut(side, propose)
    expect([proposed.exit, proposed.errors]).toEqual([expect.toBeOneOf([0, 3]), ''])
  })
})

describe('rollout check --json', () => {
  const ENV = { V1_BASE_URL: 'http://127.0.0.1:9', LEGACY_BASE_URL: 'http://127.0.0.1:10', STATE_DB: 'state.db' }

  it('says what the file means, and that the gateway can be asked what it would do', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5], ...QUICK }))
    const { exit, output, errors } = await runCommand(['rollout', 'check', bed.rolloutFile, '--json'], ENV)
    expect([exit, errors]).toEqual([0, ''])
    const { mistakes, operations, run } = JSON.parse(output)
    expect([mistakes, run]).toEqual([[], `legacy-gateway cutover plan ${bed.rolloutFile} --dry-run`])
    expect(operations).toContainEqual({
      ...{ operation: 'invoice-list', answers: 'legacy, v1 by its plan', compared: 'no', ignoreRules: 0 },
      plan: expect.stringContaining('v1 for 5 % of clients'),
    })
    const gateway = await bed.start()
    const forecast = await carryOut(gateway, run)
    expect([forecast.exit, forecast.output]).toEqual([0, expect.stringMatching(/^invoice-list +5 %, running/m)])
  })

  it('lists the mistakes, and has nothing to run', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5, 1] }))
    const { exit, output, errors } = await runCommand(['rollout', 'check', bed.rolloutFile, '--json'], ENV)
    expect(exit).toBe(1)
    expect(JSON.parse(output)).toEqual({ mistakes: errors.trim().split('\n'), run: null })
    expect(errors).toContain('here 1 follows 5')
  })

  it('names a file so that a shell reads it', async () => {
    const bed = await startCutoverBed(rolloutOf({ steps: [5], ...QUICK }))
    const odd = `${bed.folder}/it's $HOME; exit.json`
    copyFileSync(bed.rolloutFile, odd)
    const { output } = await runCommand(['rollout', 'check', odd, '--json'], ENV)
    expect(wordsIn(JSON.parse(output).run)).toEqual(['legacy-gateway', 'cutover', 'plan', odd, '--dry-run'])
  })
})
