import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/control-plane/cutover/audit.ts'
import type { CutoverReport } from '../../../src/control-plane/cutover/cutover.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { runBin } from '../../support/run-bin.ts'
import { runCommand } from '../../support/run-command.ts'
import {
  type CutoverBed,
  type CutoverGateway,
  clientsBetween,
  rolloutOf,
  startCutoverBed,
} from './support/cutover-bed.ts'

const TOKEN = 'a-token-of-the-admin'
const PLAN = { steps: [50, 100], calls: 1_000, minutes: 60, approve: [100] }
const [middle = ''] = clientsBetween(30, 40, 1)
const [last = ''] = clientsBetween(95, 100, 1)

let bed: CutoverBed
let gateway: CutoverGateway
beforeAll(async () => {
  bed = await startCutoverBed(rolloutOf(PLAN))
  gateway = await bed.start({ adminToken: TOKEN })
})

const env = { ADMIN_TOKEN: TOKEN }
const words = (...given: readonly string[]) => ['cutover', ...given, '--admin', gateway.adminUrl]
const cutover = (...given: readonly string[]) => runCommand(words(...given), env)
const order = (action: string, why: string, ...more: readonly string[]) =>
  cutover(action, 'invoice-list', '--by', 'Ada', '--why', why, ...more)

async function read<T>(path: string): Promise<T> {
  const { status, text } = await callLegacy(gateway.adminUrl, { path, headers: { authorization: `Bearer ${TOKEN}` } })
  expect(status).toBe(200)
  return JSON.parse(text) as T
}

describe('orders on the command line', { timeout: 60_000 }, () => {
  it('move clients to v1 and back, and the audit records it', async () => {
    const [waiting] = await read<CutoverReport[]>('/cutover')
    expect(Object.keys(waiting ?? {}).sort()).toEqual(
      [
        ...[
          'brake',
          'calls',
          'next',
          'operation',
          'percent',
          'run',
          'seed',
          'since',
          'state',
          'step',
          'steps',
          'version',
          'why',
        ],
      ].sort(),
    )
    expect(waiting).toMatchObject({
      operation: 'invoice-list',
      state: 'waiting',
      percent: 0,
      step: 0,
      version: 0,
      next: 50,
    })
    expect(await gateway.answeredBy(middle)).toBe('legacy')

    const why = ['--by', 'Ada', '--why', 'the test system was fine']
    const advanced = await runBin(words('advance', 'invoice-list', ...why, '--version', '0'), env)
    expect([advanced.exit, advanced.errors]).toEqual([0, ''])
    expect(advanced.output).toMatch(/^invoice-list: running at 50 %, step 1 of 2, version 1; /)
    // In effect at once where it was ordered.
    expect([await gateway.answeredBy(middle), await gateway.answeredBy(last)]).toEqual(['v1', 'legacy'])

    const stale = await order('advance', 'again', '--version', '0')
    expect([stale.exit, stale.output]).toEqual([1, ''])
    expect(stale.errors).toMatch(/has changed meanwhile: it is now running at 50 %, version 1\nNow: running at 50 %/)
    expect(await order('advance', 'again')).toMatchObject({
      exit: 1,
      errors: expect.stringContaining('needs an approval'),
    })
    expect(await order('approve', 'the team is told')).toMatchObject({ exit: 0 })
    expect(await order('pause', 'a holiday')).toMatchObject({ output: expect.stringContaining('paused at 50 %') })
    expect(await order('resume', 'back')).toMatchObject({ exit: 0 })
    expect(await order('advance', 'all of them')).toMatchObject({ output: expect.stringContaining('at 100 %') })
    expect(await gateway.answeredBy(last)).toBe('v1')

    const stopped = await order('stop', 'clients report wrong totals')
    expect(stopped).toMatchObject({
      exit: 0,
      output: expect.stringMatching(/stopped at 0 %.*clients report wrong totals/),
    })
    expect(await gateway.answeredBy(middle)).toBe('legacy')
    expect(await order('advance', 'quick')).toMatchObject({
      exit: 1,
      errors: expect.stringContaining('resume it first'),
    })

    const told = (entries: readonly AuditEntry[]) =>
      entries
        .filter(({ by }) => by === 'Ada')
        .map(({ event, from, to, why: reason }) => [event, from, to, reason])
        .toReversed()
    const story = [
      ['advanced', 'waiting at 0 %', 'running at 50 %', 'the test system was fine'],
      ['approved', 'running at 50 %', 'running at 50 %', 'the team is told'],
      ['paused', 'running at 50 %', 'paused at 50 %', 'a holiday'],
      ['resumed', 'paused at 50 %', 'running at 50 %', 'back'],
      ['advanced', 'running at 50 %', 'running at 100 %', 'all of them'],
      ['stopped', 'running at 100 %', 'stopped at 0 %', 'clients report wrong totals'],
    ]
    const { entries } = await read<{ entries: AuditEntry[] }>('/audit?operation=invoice-list')
    expect(told(entries)).toEqual(story)
    expect((await cutover('audit')).output).toMatch(
      /invoice-list {2}stopped by Ada: running at 100 % → stopped at 0 %\n {4}clients report wrong totals\n/,
    )

    const body = JSON.stringify({ operation: 'invoice-list', by: 'Ada', why: 'v1 was repaired' })
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    expect((await callLegacy(gateway.adminUrl, { path: '/evidence/reset', headers, body })).status).toBe(200)
    const newest = async () => (await read<{ entries: AuditEntry[] }>('/audit?limit=1')).entries[0]?.event
    await expect.poll(newest, { interval: 10 }).toBe('evidence-reset')
    const pages: AuditEntry[] = []
    for (let query = '?limit=2'; query !== ''; ) {
      const page = await read<{ entries: AuditEntry[]; next: string | null }>(`/audit${query}`)
      pages.push(...page.entries)
      query = page.next === null ? '' : `?limit=2&before=${encodeURIComponent(page.next)}`
    }
    expect(pages).toEqual((await read<{ entries: AuditEntry[] }>('/audit')).entries)
  })

  it('are refused without the token, and nothing moves', async () => {
    const before = await read<CutoverReport[]>('/cutover')
    const ran = await runCommand(words('resume', 'invoice-list', '--why', 'so'))
    expect([ran.exit, ran.errors]).toEqual([2, expect.stringContaining('refuses the token')])
    expect(await read<CutoverReport[]>('/cutover')).toEqual(before)
  })
})
