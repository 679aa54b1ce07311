import { describe, expect, it } from 'vitest'
import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import { fakeCutover, report } from '../support/cutover-sources.ts'
import {
  dashboardSources,
  difference,
  experiment,
  NOW,
  noExperiments,
  reference,
} from '../support/dashboard-sources.ts'
import { knownFrom, used } from '../support/known-usage.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { textOf } from '../support/read-html.ts'

/** A rollout file in which legacy answers all, all are compared, and writes never are. */
const onLegacy = () => {
  const quiet = dashboardSources().rollout()
  const isWrite = (operation: string): boolean => reference.find(({ id }) => id === operation)?.effect === 'write'
  return {
    ...quiet,
    operations: quiet.operations.map((row) => ({
      ...{ ...row, serve: 'legacy' as const, shadow: 1 },
      ...(isWrite(row.operation) && { neverCompared: 'a write' }),
    })),
  }
}

const at = new Date(NOW).toISOString()
/** Anna calls everything but what is listed. */
const callingAllBut = (...unused: readonly string[]) =>
  knownFrom(
    reference.flatMap(({ id }) => (unused.includes(id) ? [] : [used('anna', id, at)])),
    NOW,
  )

async function tasksOf(said: Partial<DashboardSources>): Promise<string> {
  const dashboard = await openDashboard(dashboardSources({ rollout: onLegacy, usage: callingAllBut(), ...said }))
  const html = (await dashboard.get('/')).text
  return /What to do (.*) Since yesterday/.exec(textOf(html))?.[1] ?? ''
}

const comparing = (...operations: readonly ReturnType<typeof experiment>[]) => ({
  experiments: () => ({ ...noExperiments, operations }),
})

describe('what to do', () => {
  it('is told by what it is, and what differs since yesterday comes first', async () => {
    const old = difference({ since: '2025-03-01T08:00:00.000Z', until: '2025-03-02T08:00:00.000Z' })
    const failing = difference({ kind: 'failure', path: '', since: at, until: at })
    const tasks = await tasksOf({
      ...comparing(
        experiment('city-list', { verdict: 'not ready', differences: [old] }),
        experiment('price', { verdict: 'not ready', differences: [failing] }),
        experiment('unit-list'),
        experiment('county-list'),
      ),
      usage: callingAllBut('export-code-list', 'import-complete'),
    })
    expect(tasks).toMatch(
      /^Correct what differs price new : 1 difference counts, last seen on 2025-03-04: no usable answer of v1 in 1 call\. city-list : 1 difference counts, last seen on 2025-03-02: data\[\]\.priceTry changed in 1 call\. Agree with the clients on what to do instead charge-list : v1 has no equivalent: .* Decide document , package , import-create : a write is compared only .* Move to v1 (unit-list , county-list|county-list , unit-list) : proven: in the rollout file, .* Ask whether anybody needs it import-complete , export-code-list : not called since 2025-03-04 \. Nothing to do yet: .* wait for calls or time\.$/,
    )
  })

  it('does not repeat what is stopped or awaits approval, and has what is paused', async () => {
    const plans = [
      report('price', { state: 'stopped', percent: 0, why: 'the brake' }),
      report('unit-list', { state: 'awaiting approval', percent: 50, next: 100 }),
      report('city-list', { state: 'paused', why: 'paused by Ada: a holiday' }),
    ]
    const tasks = await tasksOf({ cutover: fakeCutover(plans) })
    expect(tasks).not.toMatch(/price|unit-list/)
    expect(tasks).toContain('city-list : paused by Ada: a holiday.')
  })

  it('is nothing where v1 answers all, and where only calls are missing', async () => {
    const mapped = reference.filter(({ effect, v1 }) => v1 !== undefined && effect !== 'write')
    expect(await tasksOf({ reference: mapped })).toMatch(/Nothing needs you now\. Nothing to do yet: .* wait for calls/)
    const proven = comparing(...mapped.map(({ id }) => experiment(id)))
    const done = await tasksOf({ reference: mapped, rollout: dashboardSources().rollout, ...proven })
    expect(done).toBe('Nothing needs you now.')
  })
})
