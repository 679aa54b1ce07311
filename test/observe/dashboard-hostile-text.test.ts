import { describe, expect, it } from 'vitest'
import { fakeCutover, report } from '../support/cutover-sources.ts'
import {
  dashboardSources,
  difference,
  experiment,
  NOW,
  noExperiments,
  replica,
  trafficAt,
} from '../support/dashboard-sources.ts'
import { knownFrom, used } from '../support/known-usage.ts'
import { openDashboard } from '../support/open-dashboard.ts'

const AT = '2025-03-04T12:31:00.000Z'

describe('text from elsewhere', () => {
  const EVIL = `<script>alert(1)</script>"onload='x' & <b>`
  /** In place of one of a few words. */
  const WORD = EVIL as never
  const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;onload=&#39;x&#39; &amp; &lt;b&gt;'
  const traffic = trafficAt()
  traffic.at(1, 'price', EVIL)
  traffic.unknown(EVIL, EVIL)
  const rule = {
    operation: EVIL,
    path: EVIL,
    kind: WORD,
    details: EVIL,
    client: EVIL,
    until: EVIL,
    by: EVIL,
    why: EVIL,
  }
  const found = {
    ...{ kind: WORD, path: EVIL, v1Path: EVIL, details: { [EVIL]: 1 } },
    mapping: { legacy: EVIL, v1: EVIL, change: WORD, reason: EVIL },
  }
  const counting = difference({ ...found, excusing: { rules: [rule], requests: 1 } })
  const ignored = difference({ ...found, ignored: EVIL })
  const evil = experiment(EVIL, {
    ...{ roundTrip: { checked: 1, differed: 0 }, droppedMembers: { [EVIL]: 1 } },
    differences: [counting, ignored],
    assumptions: [
      {
        ...{ part: 'answer', legacy: EVIL, v1: EVIL, change: EVIL, reason: EVIL },
        ...{ matched: 0, differed: 0, standing: 'untested' },
      },
    ],
  })
  const line = {
    part: 'request',
    legacy: EVIL,
    v1: EVIL,
    change: WORD,
    says: EVIL,
    basis: 'assumed',
    reason: EVIL,
  } as const
  const message = { line: EVIL, body: EVIL }
  const marks = { [EVIL]: 1 }
  const seen = {
    ...{ calls: 1, members: marks, empty: marks, removed: marks, other: 1 },
    ...{ answered: marks, statuses: marks, violations: marks, languages: marks },
  }
  const route = { method: WORD, path: EVIL }
  const opened = openDashboard(
    dashboardSources({
      traffic: traffic.snapshot,
      usage: knownFrom([used(EVIL, EVIL, '2025-03-04T12:31:00.000Z', { agents: [EVIL], seen })], NOW),
      experiments: () => ({
        ...noExperiments,
        operations: [evil],
        rules: [{ ...rule, holds: true, lastExcused: null, stale: false }],
        rollout: { loadedAt: null, error: EVIL },
      }),
      cutover: fakeCutover([report(EVIL, { why: EVIL, since: AT })]),
      replicas: () => ({
        ...{ engine: { kind: 'postgresql', state: 'degraded', since: AT }, self: EVIL },
        replicas: [
          replica('other'),
          replica(EVIL, { build: EVIL, mapping: EVIL, rollout: EVIL, position: { [EVIL]: 5 } }),
        ],
      }),
      examples: () => [
        {
          values: [{ kind: WORD, path: EVIL, control: EVIL, candidate: EVIL }],
          ...{ method: EVIL, path: EVIL, body: EVIL, at: AT, curl: EVIL, legacyCurl: EVIL, explain: EVIL },
        },
      ],
      explain: () => ({
        operation: EVIL,
        says: EVIL,
        legacy: route,
        requests: [{ ...route, url: EVIL, headers: { [EVIL]: EVIL }, body: EVIL, curl: EVIL }],
        // biome-ignore lint/suspicious/noThenProperty: it is a text, which nothing takes for a promise
        then: EVIL,
        dropped: [EVIL],
        refusal: { status: 400, body: { [EVIL]: EVIL }, why: [EVIL] },
        lines: [line, { ...line, change: 'same', says: null, basis: 'documented' }],
      }),
      reference: [
        {
          id: EVIL,
          says: EVIL,
          legacy: route,
          v1: route,
          effect: WORD,
          authorization: 'none',
          lines: [line],
          ...{ assumed: 1, lost: 0 },
          examples: { request: { legacy: message, v1: message }, answer: undefined },
        },
      ],
      rollout: () => ({
        operations: [
          {
            operation: EVIL,
            serve: 'v1',
            v1Percent: 0,
            clients: { [EVIL]: 'v1' },
            shadow: 0,
            mayChoose: [],
            noise: false,
            confirm: false,
            shadowWrites: WORD,
            require: undefined,
            plan: undefined,
            target: 0.9,
          },
        ],
        limits: { queue: 1, concurrency: 1, timeoutMs: 1, copyWritesPerSecond: 2 },
        serve: 'v1',
        loadedAt: null,
        error: EVIL,
      }),
    }),
  )
  const id = encodeURIComponent(EVIL)

  it.each([
    ['/', 10],
    [`/cutover/${id}/advance`, 6],
    [`/cutover/${id}/stop`, 6],
    ['/traffic', 6],
    [`/traffic?operation=${id}&client=${id}`, 2],
    ['/clients', 3],
    [`/clients?operation=${id}&client=${id}`, 5],
    [`/clients/${id}`, 9],
    ['/side-by-side', 2],
    [`/side-by-side/${id}`, 20],
    ['/mappings', 4],
    [`/mappings/${id}`, 10],
    [`/explain?operation=${id}`, 2],
    ['/rollout', 9],
    ['/fleet', 6],
  ])('is shown as text on %s', async (path, times) => {
    const { status, text } = await (await opened).get(path)
    expect(status).toBe(200)
    expect(text).not.toMatch(/<script>|"onload|'x' &|<b>/)
    expect(text.split(ESCAPED).length - 1).toBeGreaterThanOrEqual(times)
  })

  it('is shown as text on the explain page', async () => {
    const body = new URLSearchParams({
      method: 'POST',
      path: `/"onload='x'<script>`,
      language: EVIL,
      body: EVIL,
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, text } = await (await opened).call({ path: '/explain', headers, body })
    expect(status).toBe(200)
    expect(text).not.toMatch(/<script>|"onload|'x' &|<b>/)
    expect(text).toContain('value="/&quot;onload=&#39;x&#39;&lt;script&gt;"')
    expect(text.split(ESCAPED).length - 1).toBeGreaterThanOrEqual(14)
  })
})
