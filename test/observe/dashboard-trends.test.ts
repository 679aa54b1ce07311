import { describe, expect, it } from 'vitest'
import { zeroDay } from '../../src/control-plane/admin/dashboard/zero-day.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { dashboardSources, NOW } from '../support/dashboard-sources.ts'
import { awayUsage, knownFrom, used } from '../support/known-usage.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const DAY_MS = 86_400_000
/** NOW is on 2025-03-04. */
const dayAgo = (ago: number): string => new Date(NOW - ago * DAY_MS).toISOString().slice(0, 10)

/** The calls of each day, from the first to today. @param of returns the calls of a day that was so many days ago. */
const daily = (first: number, of: (ago: number) => number) =>
  Array.from({ length: first + 1 }, (_, at) => ({ day: dayAgo(first - at), calls: of(first - at) })).filter(
    ({ calls }) => calls > 0,
  )

describe('the day on which calls reach zero', () => {
  it('is where the line through the last four full weeks ends, whatever today has brought', () => {
    for (const today of [1, 10_000]) {
      const days = daily(60, (ago) => (ago === 0 ? today : 10 * (ago + 20)))
      expect(zeroDay(days, NOW)).toMatchObject({ kind: 'falling', day: dayAgo(-20) })
    }
  })

  it('does not depend on weekends', () => {
    const days = daily(30, (ago) => (ago % 7 < 2 ? 0 : 10 * (Math.floor((ago - 1) / 7) + 2)))
    expect(zeroDay(days, NOW)).toEqual({ kind: 'falling', weeks: [250, 200, 150, 100], day: '2025-03-14' })
  })

  it('is not said before three full weeks are counted', () => {
    const falling = (ago: number) => 10 * (ago + 20)
    expect(zeroDay([], NOW)).toEqual({ kind: 'none left' })
    expect(zeroDay(daily(20, falling), NOW)).toEqual({ kind: 'too early', until: '2025-03-05' })
    expect(zeroDay(daily(21, falling), NOW)).toMatchObject({ kind: 'falling', weeks: { length: 3 } })
  })

  it.each([
    ['grow', (ago: number) => 1_000 - ago],
    ['stay', () => 50],
    ['jump', (ago: number) => [900, 100, 800, 300][Math.floor((ago - 1) / 7)] ?? 1],
    ['fall ever more slowly', (ago) => [50, 400, 1_000, 1_800][Math.floor((ago - 1) / 7)] ?? 1],
    ['ended once, and began again', (ago: number) => (ago > 21 ? 1_000 : 1)],
  ])('is not said of calls that %s', (_, of) => {
    expect(zeroDay(daily(40, of), NOW).kind).toBe('unsteady')
  })

  it('is more than a year away for calls that hardly fall', () => {
    expect(
      zeroDay(
        daily(40, (ago) => 100_000 + ago),
        NOW,
      ),
    ).toMatchObject({ kind: 'falling', day: undefined })
  })

  it('has come when none was left in seven days', () => {
    expect(
      zeroDay(
        daily(40, (ago) => (ago < 7 ? 0 : 5)),
        NOW,
      ),
    ).toEqual({ kind: 'none left' })
  })
})

describe('trends on the page Switch-off', () => {
  const pageWith = async (usage: ReturnType<typeof knownFrom>, said: Parameters<typeof dashboardSources>[0] = {}) =>
    (await (await openDashboard(dashboardSources({ usage, ...said }))).get('/')).text

  it('are the calls of each day by who answered, and the share of v1, of all clients and operations', async () => {
    const at = (ago: number) => new Date(NOW - ago * DAY_MS).toISOString()
    const usage = knownFrom(
      [
        used('anna', 'price', at(0), { calls: 10, byV1: 9, byLegacy: 1 }),
        used('berta', 'unit-list', at(0), { calls: 30, byV1: 1, byLegacy: 29 }),
        used('anna', 'price', at(2), { calls: 2, byV1: 0, byLegacy: 0 }),
      ],
      NOW,
    )
    const html = await pageWith(usage)
    expect(rowsOf(html, 'per-day')).toEqual([
      ['2025-03-04', '40', '10', '30', '25 %', '–'],
      ['2025-03-02', '2', '0', '0', '–', '–'],
    ])
    expect(html).toContain('data-table="per-day" data-columns="2 3" data-missing="zero"')
    expect(html).toContain(`data-step="day" data-from="${Date.parse('2025-03-02') / 1_000}"`)
    expect(textOf(html)).toContain(
      'Calls that the legacy service answers: when they end can be estimated once the first is 3 full weeks ago, from 2025-03-23 on.',
    )
  })

  it('are the match rate of each day that had comparisons', async () => {
    const calls = [0, 1].map((ago) => used('anna', 'price', new Date(NOW - ago * DAY_MS).toISOString(), { calls: 9 }))
    const comparedDays = async () => [{ day: dayAgo(1), compared: 1_200, matched: 1_197 }]
    const html = await pageWith(knownFrom(calls, NOW), { comparedDays })
    expect(rowsOf(html, 'per-day').map((row) => row.at(-1))).toEqual(['–', '99.75 % of 1,200'])
    expect(html).toMatch(/Share on v1, and match rate/)
    expect(textOf(html)).toContain('Match rate: of the compared calls of that day that legacy answered with content')
    const comparedAway = async () => Promise.reject(new StateError('away', true))
    const away = await pageWith(knownFrom(calls, NOW), { comparedDays: comparedAway })
    expect(textOf(away)).toContain('Match rates cannot be read now.')
  })

  it('say when calls reach zero, as an estimate, with what it is made from', async () => {
    const rows = daily(28, (ago) => ago + 20).map(({ day, calls }) =>
      used('anna', 'price', `${day}T08:00:00.000Z`, { calls, byV1: 0, byLegacy: calls }),
    )
    expect(textOf(await pageWith(knownFrom(rows, NOW)))).toMatch(
      /Calls that the legacy service answers reach zero on about 2025-03-24 at this pace: an estimate, which extends a straight line \(315, 266, 217, 168 in the last 4 weeks\)/,
    )
  })

  it('are missing while usage cannot be read, and where nobody calls', async () => {
    expect(textOf(await pageWith(awayUsage))).toContain('Trends Usage cannot be read now.')
    const nobody = textOf(await pageWith(knownFrom([], NOW)))
    expect(nobody).toContain('Trends Nobody has called in the last 90 days.')
    // It may have counted for years.
    expect(nobody).not.toContain('no estimate')
  })
})
