import { describe, expect, it } from 'vitest'
import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import type { Experiment } from '../../src/control-plane/admin/dashboard/sources.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { entry, fakeCutover } from '../support/cutover-sources.ts'
import { dashboardSources, difference, experiment, NOW, noExperiments } from '../support/dashboard-sources.ts'
import { awayUsage, knownFrom, used } from '../support/known-usage.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { textOf } from '../support/read-html.ts'
import { someProposals } from '../support/some-proposals.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const iso = (ago: number): string => new Date(NOW - ago).toISOString()
const quiet = { cutover: fakeCutover([]), usage: knownFrom([], NOW) }

/** Returns what the page says has changed. */
async function told(said: Partial<DashboardSources> = {}, path = '/'): Promise<string> {
  const { text } = await (await openDashboard(dashboardSources({ ...quiet, ...said }))).get(path)
  return textOf(`<main>${/<h2 id="since">.*?(?=<h2)/s.exec(text)?.[0]}`)
}

const found = (...operations: readonly Experiment[]) => ({ experiments: () => ({ ...noExperiments, operations }) })

describe('what has changed since yesterday', () => {
  it('is nothing where everything is older', async () => {
    const old = difference({ since: iso(2 * DAY_MS) })
    const said = found(experiment('price', { verdict: 'not ready', differences: [old] }))
    const cutover = fakeCutover([], [entry('braked', { at: iso(2 * DAY_MS) })])
    expect(await told({ ...said, cutover })).toMatch(/From 2025-03-03 12:34:56 : .* Nothing has changed\./)
  })

  it('is each new difference that counts', async () => {
    const differences = [
      difference({ since: iso(2 * HOUR_MS), requests: 3, clients: { distinct: 2, estimated: false } }),
      difference({ path: 'drifting', since: iso(HOUR_MS), ignored: 'drift' }),
    ]
    const shown = await told(found(experiment('price', { verdict: 'not ready', differences })))
    expect(shown).toContain(
      '1 new difference 2025-03-04 10:34:56 price data[].priceTry changed in 3 calls of 2 clients so far',
    )
    expect(shown).not.toContain('drifting')
  })

  it.each([
    ['status', '', 'price the status differs in 1 call'],
    ['failure', '', 'price no usable answer of v1 in 1 call'],
    ['changed', '', 'price the whole body changed in 1 call'],
    ['dropped', '', 'price all further names dropped in 1 call'],
  ] as const)('names a difference without a path once: %s', async (kind, path, says) => {
    const differences = [difference({ kind, path, since: iso(HOUR_MS), requests: 1 })]
    expect(await told(found(experiment('price', { verdict: 'not ready', differences })))).toContain(says)
  })

  it('are verdicts that flipped, as the audit has them, and no difference twice', async () => {
    const changed = (id: string, operation: string, from: string, to: string, ago = HOUR_MS) =>
      entry('verdict-changed', { id, operation, from, to, at: iso(ago) })
    const cutover = fakeCutover(
      [],
      [
        changed('1', 'price', 'ready', 'not ready'),
        changed('2', 'city-list', 'insufficient data', 'ready', 2 * HOUR_MS),
        entry('difference-new', { id: '3', operation: 'price', at: iso(HOUR_MS) }),
        entry('new-difference', { id: '4', operation: 'price', at: iso(HOUR_MS), from: 'ready' }),
        changed('5', 'unit-list', 'insufficient data', 'ready', 3 * DAY_MS),
      ],
    )
    const shown = await told({ cutover })
    expect(shown).toContain('2 verdicts 2025-03-04 11:34:56 price was proven, and is differing now')
    expect(shown).toContain('2025-03-04 10:34:56 city-list was not proven, and is proven now')
    expect(shown).not.toMatch(/unit-list|new differences? 2025|decision /)
  })

  it('are releases, once each', async () => {
    const past = {
      ...{ lineage: { mapping: '5f0c2ad91b3e', v1: '2026.11.2', legacy: null }, requests: 500 },
      verdict: 'ready',
      ...{ since: iso(5 * DAY_MS), until: iso(DAY_MS), endedBy: null },
    } as const
    const begun = (ago: number) => ({ verdict: 'insufficient data', since: iso(ago), history: [past] }) as const
    const shown = await told(
      found(experiment('price', begun(2 * HOUR_MS)), experiment('city-list', begun(3 * HOUR_MS))),
    )
    expect(shown).toContain(
      '1 release 2025-03-04 09:34:56 v1 2026.11.2 → 2026.11.3: the evidence of 2 operations starts over',
    )
  })

  it('are brakes, orders, files and operations that are called again', async () => {
    const at = iso(HOUR_MS)
    const entries = [
      entry('braked', { id: '1', at, from: 'running at 5 %', to: 'stopped at 0 %' }),
      entry('paused', { id: '2', at, operation: 'price', by: 'ada', from: 'running at 5 %', to: 'paused at 5 %' }),
      entry('rollout-changed', { id: '3', at, operation: '*' }),
      entry('legacy-used-again', { id: '4', at, operation: 'unit-list' }),
      entry('advanced', { id: '5', at: iso(3 * DAY_MS) }),
    ]
    const shown = await told({ cutover: fakeCutover([], entries) })
    expect(shown).toMatch(/1 stop 2025-03-04 11:34:56 invoice-list was stopped by the brake, running at 5 % → stopped/)
    expect(shown).toContain('2 decisions')
    expect(shown).toContain('price was paused, running at 5 % → paused at 5 %, by ada')
    expect(shown).toContain('The rollout file was changed')
    expect(shown).toContain('unit-list is called again')
    expect(shown).toContain('No verdict, no new difference, no proposal, no release.')
    expect(await told({ cutover: fakeCutover([], entries) }, '/?since=week')).toContain('3 decisions')
  })

  it('are clients that have stopped or came back, by day', async () => {
    const call = (client: string, ...days: readonly number[]) =>
      days.map((day) => used(client, 'price', iso(day * DAY_MS)))
    const usage = knownFrom(
      [
        ...call('steady', 8, 5, 1, 0),
        ...call('stops', 20, 7),
        ...call('stopped-before', 20, 9),
        ...call('back', 30, 0),
        ...call('back-before', 30, 5, 0),
        ...call('unidentified', 7),
      ],
      NOW,
    )
    const shown = await told({ usage })
    expect(shown).toContain('2 changes of callers')
    expect(shown).toContain('2025-03-04 stops has stopped: its last call came on 2025-02-25')
    expect(shown).toContain('2025-03-04 back came back after 30 days without a call')
    expect(await told({ usage }, '/?since=week')).toContain('4 changes of callers')
  })

  it('are proposals in trial since then', async () => {
    const trial = { since: iso(HOUR_MS), matched: 0, mismatched: 0, settled: [], caused: [] }
    const proposals = () => ({ operations: [{ ...someProposals, operation: 'price', trial }] })
    expect(await told({ proposals })).toMatch(
      /1 proposal 2025-03-04 11:34:56 price \d+ certain lines? (is|are) proposed/,
    )
  })

  it('unfold beyond the first five', async () => {
    const differences = Array.from({ length: 8 }, (_, at) => difference({ path: `p${at}`, since: iso(HOUR_MS) }))
    const shown = await told(found(experiment('price', { verdict: 'not ready', differences })))
    expect(shown).toMatch(/8 new differences .* 3 more /)
  })

  it('says what cannot be read, and not that nothing has changed', async () => {
    const away = async () => Promise.reject(new StateError('the database is away', false))
    const shown = await told({ cutover: { ...fakeCutover([]), audit: away }, usage: dashboardSources().usage })
    expect(shown).toContain('Not complete: the audit and usage cannot be read now.')
    expect(shown).not.toMatch(/Nothing has changed|No verdict|no decision/)
    const differences = [difference({ since: iso(HOUR_MS) })]
    const some = { ...found(experiment('price', { verdict: 'not ready', differences })), usage: awayUsage }
    expect(await told(some)).toMatch(/1 new difference(?!.*No stop)/)
  })

  it('says where the audit has more entries than it looks at', async () => {
    const paused = Array.from({ length: 1_000 }, (_, at) => entry('paused', { id: `${at}`, at: iso(HOUR_MS + at) }))
    expect(await told({ cutover: fakeCutover([], paused) })).toContain(
      'Not complete: of the audit, only the latest 1,000 entries are told.',
    )
    const older = [...paused.slice(1), entry('paused', { id: 'last', at: iso(3 * DAY_MS) })]
    expect(await told({ cutover: fakeCutover([], older) })).not.toContain('Not complete')
  })
})

describe('since the last visit', () => {
  const visit = async (path: string, cookie?: string, headers = {}) => {
    const dashboard = await openDashboard(dashboardSources(quiet))
    const sent = { accept: 'text/html', ...(cookie !== undefined && { cookie }), ...headers }
    const { text, headers: got } = await dashboard.call({ path, headers: sent })
    const set = `${got['set-cookie'] ?? ''}`
    return { shown: textOf(text), set, cookie: set.split(';')[0] ?? '' }
  }
  const cookieOf = (before: number, latest: number) => `legacy-gateway-visit=${before}-${latest}`

  it('is known from a cookie, which no script reads and no other site sends', async () => {
    const first = await visit('/?since=visit')
    expect(first.shown).toContain('Since yesterday')
    expect(first.shown).toContain('Last visit: none is known')
    expect(first.cookie).toBe(cookieOf(0, NOW))
    expect(first.set).toMatch(/HttpOnly; SameSite=Strict/)
  })

  it('begins where the visit before ended, and stays there while this visit lasts', async () => {
    const then = NOW - 3 * DAY_MS
    const next = await visit('/?since=visit', cookieOf(0, then))
    expect(next.shown).toContain('Since your last visit')
    expect(next.shown).toContain('From 2025-03-01 12:34:56 :')
    expect(next.cookie).toBe(cookieOf(then, NOW))
    const reload = await visit('/?since=visit', cookieOf(then, NOW - 60_000))
    expect(reload.shown).toMatch(/From 2025-03-01 12:34:56 : .* Nothing has changed\./)
    expect(reload.cookie).toBe(cookieOf(then, NOW))
  })

  it('does not count pages that renew themselves, even over plain HTTP, where browsers do not say so', async () => {
    expect((await visit('/', undefined, { 'x-renewal': '1' })).set).toBe('')
  })

  it.each(['nonsense', '1-', '-5', '9'.repeat(40), `${NOW + DAY_MS}-${NOW + DAY_MS}`])(
    'ignores a cookie that no gateway has set: %s',
    async (value) => {
      const { shown, cookie } = await visit('/?since=visit', `legacy-gateway-visit=${value}`)
      expect(shown).toContain('Since yesterday')
      expect(cookie).toBe(cookieOf(0, NOW))
    },
  )
})
