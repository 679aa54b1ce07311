import { describe, expect, it } from 'vitest'
import { EVENTS } from '../../src/control-plane/cutover/audit.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { busyCutover, entry, fakeCutover, noCutover } from '../support/cutover-sources.ts'
import { dashboardSources } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { textOf } from '../support/read-html.ts'

const dashboardOf = (cutover: Parameters<typeof dashboardSources>[0] & object) =>
  openDashboard(dashboardSources(cutover))

describe('the page Audit', () => {
  it('shows what happened in order: when, what, by whom, why, and on which counts', async () => {
    const { get } = await dashboardOf({ cutover: busyCutover() })
    const shown = textOf((await get('/audit')).text)
    expect(shown).toMatch(
      /2025-03-04 11:58:07 invoice-list was stopped by the brake : from running at 5 % to stopped at 0 %, by the gateway itself\. 9 of 412 calls failed, .* v1: 412 calls, 9 failures; mapping 5f0c2ad91b3e, v1 2026\.11\.3/,
    )
    expect(shown).toMatch(
      /city-list was paused : from running at 5 % to paused at 5 %, by ada@example\.com\. the month ends/,
    )
  })

  it('shows how the rollout file changed, line by line, without blaming anybody', async () => {
    const { get } = await dashboardOf({ cutover: busyCutover() })
    const { text } = await get('/audit')
    expect(textOf(text)).toContain('The rollout file was changed . price: plan.steps 1, 100 → 1, 5, 25, 50, 100')
    expect(text).toContain('ignore: <del>removed {')
  })

  it('has words for everything that can happen', async () => {
    const entries = EVENTS.map((event, number) => entry(event, { id: `id-${number}` }))
    const { get } = await dashboardOf({ cutover: fakeCutover([], entries) })
    const { text } = await get('/audit')
    for (const event of EVENTS.filter((name) => name.includes('-'))) expect(text).not.toContain(event)
    expect(text.match(/<li>/g)?.length).toBeGreaterThanOrEqual(EVENTS.length)
  })

  it('is read page by page, each entry once, and filtered by operation', async () => {
    const entries = Array.from({ length: 120 }, (_, number) =>
      entry('advanced', {
        ...{ id: `id-${number}`, why: `decision ${number}.`, operation: number % 2 === 0 ? 'price' : 'city-list' },
        at: new Date(Date.UTC(2025, 2, 4) - number * 60_000).toISOString(),
      }),
    )
    const { get } = await dashboardOf({ cutover: fakeCutover([], entries) })
    const read = async (path: string) => {
      const found: string[] = []
      for (let next: string | undefined = path; next !== undefined; ) {
        const { text } = await get(next)
        found.push(...Array.from(text.matchAll(/decision (\d+)\./g), ([, number = '']) => number))
        next = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      }
      return found
    }
    expect(await read('/audit')).toEqual(entries.map((_, number) => String(number)))
    expect(await read('/audit?operation=price')).toEqual(Array.from({ length: 60 }, (_, number) => String(number * 2)))
  })

  it('says when there is nothing, and when the state cannot be read', async () => {
    expect(textOf((await (await dashboardOf({})).get('/audit')).text)).toContain('Nothing has been decided yet.')
    const audit = async () => {
      throw new StateError('the database is away', true)
    }
    const { status, text } = await (await dashboardOf({ cutover: { ...noCutover, audit } })).get('/audit')
    expect([status, textOf(text).includes('The audit cannot be read now,')]).toEqual([503, true])
  })

  it('is a page for browsers and JSON for programs, and says so to caches', async () => {
    const { get, call } = await dashboardOf({ cutover: busyCutover() })
    const [page, json] = [await get('/audit'), await call({ path: '/audit' })]
    expect([page.headers['content-type'], page.headers.vary]).toEqual(['text/html; charset=UTF-8', 'Accept'])
    expect([json.headers['content-type'], json.headers.vary]).toEqual(['application/json', 'Accept'])
    expect(JSON.parse(json.text).entries).toHaveLength(5)
  })

  it('shows text from elsewhere as text', async () => {
    const evil = '<script>alert(1)</script>'
    const cutover = fakeCutover(
      [],
      [
        entry('stopped', {
          operation: evil,
          by: evil,
          from: evil,
          to: 'x',
          why: evil,
          lineage: JSON.stringify({ [evil]: evil }),
        }),
        entry('rollout-changed', { id: 'x', operation: '*', why: `${evil} -> ${evil}\nignore: added ${evil}` }),
      ],
    )
    const { text } = await (await dashboardOf({ cutover })).get(`/audit?operation=${encodeURIComponent(evil)}`)
    const all = await (await dashboardOf({ cutover })).get('/audit')
    for (const html of [text, all.text]) expect(html).not.toContain('<script>alert')
    expect(all.text.split('&lt;script&gt;').length).toBeGreaterThan(7)
  })
})
