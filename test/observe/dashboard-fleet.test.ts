import { describe, expect, it } from 'vitest'
import type { Replica, ReplicasReport } from '../../src/control-plane/store/replicas.ts'
import { busyDashboard } from '../support/busy-dashboard.ts'
import { alone, dashboardSources, experiment, noExperiments, replica } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const SINCE = '2025-03-04T12:30:00.000Z'

const fleet = (replicas: readonly Replica[], state: 'ok' | 'degraded' = 'ok'): ReplicasReport => ({
  engine: { kind: 'postgresql', state, since: SINCE },
  self: replicas[0]?.id ?? '',
  replicas,
})
const three = ['a', 'b', 'c'].map((id) => replica(id))

/** A page of a dashboard that shows results, when this was last heard of the fleet. */
async function pageOf(path: string, report: ReplicasReport): Promise<string> {
  const results = { ...noExperiments, operations: [experiment('price')], rules: busyRules }
  const dashboard = await openDashboard(dashboardSources({ replicas: () => report, experiments: () => results }))
  return (await dashboard.get(path)).text
}
const busyRules = (await busyDashboard().experiments()).rules

/** The text of a page without its foot, which is the same everywhere. */
const mainOf = (page: string): string => textOf(page.slice(0, page.indexOf('<footer')))

/** The cells of the table of replicas: build, mapping, rollout file and clock of each. */
const versionsIn = (page: string) =>
  rowsOf(page, 'replicas').map(([id, , , build, mapping, rollout, , clock]) => [id, build, mapping, rollout, clock])

describe('the page Fleet', () => {
  it('shows the engine, its state, and each replica with what it runs', async () => {
    const page = await pageOf(
      '/fleet',
      fleet([replica('a', { position: { price: 25, 'city-list': 0.5 }, clockOffsetMs: -12.4 }), replica('b')]),
    )
    expect(textOf(page)).toContain('Engine PostgreSQL State ok Since 2025-03-04 12:30:00 Replicas 2')
    expect(rowsOf(page, 'replicas')).toEqual([
      [
        ...['a this one', '2025-03-04 07:34:56', '2025-03-04 12:34:55', '0.2.0', '9d1f0a77c2e4', '51bb0c2f4e88'],
        ...['price 25 % city-list 0.5 %', '12 ms behind'],
      ],
      [
        ...['b', '2025-03-04 07:34:56', '2025-03-04 12:34:55', '0.2.0', '9d1f0a77c2e4', '51bb0c2f4e88'],
        ...['', '0 ms'],
      ],
    ])
    expect(page).not.toMatch(/class="alert"|differs|wrong/)
  })

  it('shows a gateway with SQLite alone', async () => {
    const page = await pageOf('/fleet', alone)
    expect(textOf(page)).toContain('Engine SQLite State ok Since 2025-03-04 07:34:56 Replicas 1')
    expect(textOf(page)).toContain('with SQLite, it shares its results with no other')
    expect(rowsOf(page, 'replicas')).toHaveLength(1)
    expect(page).not.toMatch(/class="alert"|differs|wrong/)
  })

  it('marks in words what differs from most, and says so first', async () => {
    const other = { build: '0.3.0', mapping: '40c19b7e5d02', rollout: null }
    const page = await pageOf('/fleet', fleet([...three, replica('d', other)]))
    const same = ['0.2.0', '9d1f0a77c2e4', '51bb0c2f4e88', '0 ms']
    expect(versionsIn(page)).toEqual([
      ['a this one', ...same],
      ['b', ...same],
      ['c', ...same],
      ['d', '0.3.0 differs', '40c19b7e5d02 differs', 'none differs', '0 ms'],
    ])
    expect(textOf(page)).toContain('Not all replicas run the same build, mappings, and rollout file.')
  })

  it('marks all of them when no version is that of most', async () => {
    const page = await pageOf('/fleet', fleet([replica('a'), replica('b', { mapping: '40c19b7e5d02' })]))
    expect(versionsIn(page).map(([, build, mapping]) => [build, mapping])).toEqual([
      ['0.2.0', '9d1f0a77c2e4 differs'],
      ['0.2.0', '40c19b7e5d02 differs'],
    ])
    expect(textOf(page)).toContain('Not all replicas run the same mappings.')
  })

  it('marks in words a clock that is off by more than 2 s', async () => {
    const offsets = [2_000, 2_001, -3_240, 8_640_000_000]
    const page = await pageOf(
      '/fleet',
      fleet(offsets.map((clockOffsetMs) => replica(`${clockOffsetMs}`, { clockOffsetMs }))),
    )
    expect(versionsIn(page).map(([, , , , clock]) => clock)).toEqual([
      '2.0 s ahead',
      '2.0 s ahead wrong',
      '3.2 s behind wrong',
      '100 days ahead wrong',
    ])
    expect(textOf(page)).toContain('The clocks of 3 replicas are off by more than 2 s.')
  })

  it('says that it is what was last seen while the database is away', async () => {
    const text = textOf(await pageOf('/fleet', fleet(three, 'degraded')))
    expect(text).toContain('State degraded Since 2025-03-04 12:30:00')
    expect(text).toContain('The database is unavailable: results stay in memory until it is back')
    expect(text).toContain('as last seen before')
  })
})

const ADDING_UP = ['/side-by-side', '/side-by-side/price', '/rollout']
const LINK = 'Results of <a href="/fleet">3 replicas</a>.'

describe('a page that adds up', () => {
  it.each(ADDING_UP)('says of how many replicas its results are: %s', async (path) => {
    const page = await pageOf(path, fleet(three))
    expect(page.split(LINK)).toHaveLength(2)
    expect(page).not.toContain('database is away')
  })

  it.each(ADDING_UP)('says nothing of that where there is one: %s', async (path) => {
    for (const report of [
      alone,
      { ...alone, engine: { ...alone.engine, state: 'degraded' as const } },
      fleet([replica('a')]),
    ]) {
      expect(mainOf(await pageOf(path, report))).not.toMatch(/replica|database/)
    }
  })

  it.each(ADDING_UP)('says what is not in them while the database is away: %s', async (path) => {
    const LACKING =
      'The database is unavailable: these results lack what other replicas have found since 2025-03-04 12:30:00.'
    for (const replicas of [three, three.slice(0, 1)]) {
      const text = textOf(await pageOf(path, fleet(replicas, 'degraded'))).replaceAll(/ (?=[.:])/g, '')
      expect(text).toContain(LACKING)
    }
  })
})

describe('what is of one replica', () => {
  it('says so where there are several: traffic, the queue, examples', async () => {
    expect(textOf(await pageOf('/traffic', fleet(three)))).toMatch(
      /Calls of this replica \( ?a ?\), one of 3 replicas ?\./,
    )
    expect(textOf(await pageOf('/side-by-side', fleet(three)))).toContain('Queue of this replica')
    const busy = await openDashboard(busyDashboard())
    expect(textOf((await busy.get('/side-by-side/invoice-list')).text)).toContain(
      'kept in memory only, separately by each replica',
    )
  })

  it('is not told from others where there are none', async () => {
    expect(mainOf(await pageOf('/traffic', fleet([replica('a')])))).not.toContain('replica')
    expect(mainOf(await pageOf('/traffic', alone))).not.toContain('replica')
  })

  it.each(['/mappings', '/mappings/price', '/explain'])('is nothing on %s', async (path) => {
    expect(textOf(await pageOf(path, fleet(three, 'degraded')))).not.toMatch(/\d replicas|database is away/)
  })
})
