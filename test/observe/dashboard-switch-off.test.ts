import { describe, expect, it } from 'vitest'
import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import { StateError } from '../../src/control-plane/store/state-error.ts'
import { busyDashboard } from '../support/busy-dashboard.ts'
import { busyCutover, entry, fakeCutover, report } from '../support/cutover-sources.ts'
import {
  alone,
  dashboardSources,
  difference,
  experiment,
  NOW,
  noExperiments,
  reference,
  replica,
  trafficAt,
  well,
} from '../support/dashboard-sources.ts'
import { knownFrom, used } from '../support/known-usage.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, stagesOf, textOf } from '../support/read-html.ts'

const htmlOf = async (said: Partial<DashboardSources> = {}): Promise<string> =>
  (await (await openDashboard(dashboardSources(said))).get('/')).text

const cutover = (...plans: Parameters<typeof report>[]) => fakeCutover(plans.map((plan) => report(...plan)))

/** A rollout file in which the legacy service answers all, except for the given members of operations. */
const onLegacy =
  (rows: Readonly<Record<string, object>> = {}) =>
  () => {
    const quiet = dashboardSources().rollout()
    return {
      ...quiet,
      operations: quiet.operations.map((row) => ({ ...row, serve: 'legacy' as const, ...rows[row.operation] })),
    }
  }

const rowOf = (html: string, operation: string) => stagesOf(html).find(([id]) => id === operation)

/** Its text without the names below each number. */
const numbersOf = (html: string) =>
  textOf(html.replaceAll(/(<li class="need-.*?)<small class="needing">[\s\S]*?<\/small>/g, '$1'))

describe('the page Switch-off', () => {
  it('says in a sentence how many operations can be switched off, and what the others do', async () => {
    const { text } = await (await openDashboard(busyDashboard())).get('/')
    expect(textOf(text)).toContain('0 of 15 operations can be switched off; 1 is proven and on the way; 1 is stopped.')
  })

  it('begins with one bar of what operations need, and names these operations', async () => {
    const { text } = await (await openDashboard(busyDashboard())).get('/')
    expect(numbersOf(text)).toContain(
      'Switch-off 1 differs 11 need traffic 1 needs a decision 1 has no equivalent 1 proven 0 of 15',
    )
    expect(text).toContain(
      '<strong>1</strong> differs<small class="needing"><a href="#operation-invoice-list">invoice-list</a></small>',
    )
    expect(textOf(text)).toMatch(/1 has no equivalent charge-list 1 proven [a-z-]+ 0 of 15/)
    const widths = [...text.matchAll(/<rect class="need-\w+" x="\d+" width="(\d+)"/g)].map(([, width]) => Number(width))
    expect(widths).toEqual([1, 11, 1, 1, 1])
  })

  it('tells what traffic proves from what someone must decide', async () => {
    const needs = async (row: object) => {
      const html = await htmlOf({ rollout: onLegacy({ price: row }) })
      return /Switch-off (.*?) 0 of 15/.exec(numbersOf(html))?.[1]
    }
    const others = '1 has no equivalent 0 proven'
    expect(await needs({ shadow: 0.5 })).toBe(`2 need traffic 12 need a decision ${others}`)
    expect(await needs({ shadow: 0 })).toBe(`1 needs traffic 13 need a decision ${others}`)
    expect(await needs({ shadow: 0.5, neverCompared: 'a write' })).toBe(`1 needs traffic 13 need a decision ${others}`)
    const word = { plan: { withoutVerdict: 'tried in the shop' } }
    expect(await needs(word)).toBe(
      '1 needs traffic 12 need a decision 1 has no equivalent 1 on a person’s word 0 proven',
    )
  })

  it('puts what is proven and has no plan before what only needs traffic', async () => {
    const rollout = onLegacy({ price: { shadow: 1 }, 'unit-list': { shadow: 1 } })
    const experiments = () => ({ ...noExperiments, operations: [experiment('unit-list')] })
    const order = stagesOf(await htmlOf({ rollout, experiments })).map(([operation]) => operation ?? '')
    expect(order.indexOf('unit-list')).toBeLessThan(order.indexOf('price'))
  })

  it('puts the login behind all that needs someone, unless it differs', async () => {
    const order = async (said: Parameters<typeof experiment>[1]) => {
      const operations = [experiment('auth', said), experiment('price', { verdict: 'insufficient data' })]
      const html = await htmlOf({ rollout: onLegacy(), experiments: () => ({ ...noExperiments, operations }) })
      return stagesOf(html).map(([operation]) => operation)
    }
    expect((await order({ verdict: 'insufficient data' })).at(-1)).toBe('auth')
    expect((await order({ verdict: 'not ready', differences: [difference()] }))[0]).toBe('auth')
  })

  it('says how many are proven in the words of the page Side by side', async () => {
    const dashboard = await openDashboard(busyDashboard())
    const proven = '1 of the 11 operations that can be compared is proven, each with 95 % confidence.'
    for (const path of ['/', '/side-by-side']) expect(textOf((await dashboard.get(path)).text)).toContain(proven)
  })

  it('says that all can go where v1 answers everything that clients may call', async () => {
    const mapped = reference.filter(({ v1 }) => v1 !== undefined)
    const operations = mapped.map(({ id }) => experiment(id))
    const proven = () => ({ ...noExperiments, operations })
    expect(numbersOf(await htmlOf({ reference: mapped, experiments: proven }))).toContain(
      '14 proven All 14 operations can be switched off.',
    )
    expect(numbersOf(await htmlOf({ reference: mapped, rollout: onLegacy() }))).toContain(
      '1 needs traffic 13 need a decision 0 proven 0 of 14 operations can be switched off.',
    )
  })

  it.each([
    ['2025-07-01T00:00:00Z', /119 days are left until 2025-07-01 00:00:00 , when the legacy interface ends/],
    ['2025-03-05T12:34:56Z', /1 day is left until 2025-03-05/],
    ['2025-03-04T12:34:56Z', /The legacy interface ended on 2025-03-04 12:34:56/],
    [undefined, /SUNSET is not set, so clients do not learn when the legacy interface ends/],
  ])('says how long the legacy interface lives: %s', async (sunset, says) => {
    const date = sunset === undefined ? undefined : new Date(sunset)
    expect(textOf(await htmlOf({ cutover: { ...cutover(), sunset: date } }))).toMatch(says)
  })

  it('names first what is stopped and why, then what awaits approval, before all operations', async () => {
    const shown = textOf(
      await htmlOf({
        cutover: cutover(
          ['price', { state: 'awaiting approval', percent: 50, next: 100, why: 'waits for the approval of 100 %' }],
          ['invoice-list', { state: 'stopped', percent: 0, step: 0, why: 'the brake: 9 of 412 calls failed' }],
        ),
      }),
    )
    expect(shown).toMatch(
      /invoice-list is stopped\. The brake: 9 of 412 calls failed\. The legacy service answers all its clients\..* price awaits approval of 100 %\. Approve.*Operations/,
    )
  })

  it('has no box for what is stopped while nothing is', async () => {
    expect(await htmlOf({ cutover: cutover(['price']) })).not.toMatch(/class="(alert|wanted)/)
  })

  it('puts what needs a person first, and what is done last', async () => {
    const html = await htmlOf({
      rollout: onLegacy({ auth: { serve: 'v1' } }),
      experiments: () => ({ ...noExperiments, operations: [experiment('auth'), experiment('unit-list')] }),
      cutover: cutover(
        ['price'],
        ['city-list', { state: 'paused' }],
        ['unit-list', { state: 'done', percent: 100, next: null }],
        ['package', { state: 'awaiting approval' }],
        ['country-list', { state: 'stopped', percent: 0 }],
      ),
    })
    const order = stagesOf(html).map(([operation]) => operation)
    expect(order.slice(0, 3)).toEqual(['country-list', 'package', 'city-list'])
    expect(order.slice(-2).sort()).toEqual(['auth', 'unit-list'])
  })

  it('folds operations that no plan moves: what to do for them is told above', async () => {
    const html = await htmlOf({
      rollout: onLegacy({ price: { serve: 'v1' } }),
      experiments: () => ({ ...noExperiments, operations: [experiment('unit-list')] }),
      cutover: cutover(
        ['city-list', { state: 'stopped', percent: 0 }],
        ['unit-list', { state: 'done', percent: 100, next: null }],
        ['package'],
      ),
    })
    const namesIn = (id: string) => rowsOf(html, id).map(([operation]) => operation)
    expect(namesIn('stages')).toEqual(['city-list', 'package'])
    expect(namesIn('stages-at-rest')).toEqual(expect.arrayContaining(['price', 'unit-list', 'charge-list']))
    expect(html).toContain(`<details><summary>${reference.length - 2} operations that no plan moves</summary>`)
  })

  it('folds no operation where no plan moves any', async () => {
    expect(await htmlOf()).toContain(
      `<details open><summary>${reference.length} operations that no plan moves</summary>`,
    )
  })

  it('does not say that nothing differs where the differences that count are too many to be listed', async () => {
    const operations = [experiment('price', { verdict: 'not ready', differences: [] })]
    const html = await htmlOf({ rollout: onLegacy(), experiments: () => ({ ...noExperiments, operations }) })
    expect(rowOf(html, 'price')?.[2]).toContain('Differences count that are too many to be listed.')
  })

  it.each([
    [
      'is not compared',
      undefined,
      {},
      '○ not compared ○ not proven ○ 0 % on v1 ○ not done',
      'None of its calls has been compared yet: in the rollout file, give it "shadow": 1, which does not change who answers.',
    ],
    [
      'is never compared',
      {
        verdict: 'insufficient data',
        missing: ['units 0 of 299'],
        totals: { requests: 2, matched: 0, ignored: 0, mismatched: 0, failed: 0, skipped: 2 },
      } as const,
      { neverCompared: 'a login for which only v1 is asked' },
      '○ not compared ○ not proven ○ 0 % on v1 ○ not done',
      'A login for which only v1 is asked is never compared; otherwise a plan must say why it may go unproven (withoutVerdict).',
    ],
    [
      'is not proven',
      { verdict: 'insufficient data', missing: ['units 125 of 299'] } as const,
      { v1Percent: 25 },
      '✓ compared ○ not proven ◐ 25 % on v1 ○ not done',
      'Not proven yet: units 125 of 299.',
    ],
    [
      'differs',
      { verdict: 'not ready', differences: [difference(), difference({ ignored: 'drift' })] } as const,
      {},
      '✓ compared ✗ differs ○ 0 % on v1 ○ not done',
      '1 difference counts, last seen on 2025-03-04: data[].priceTry changed in 1 call.',
    ],
    [
      'is proven',
      {},
      {},
      '✓ compared ✓ proven ○ 0 % on v1 ○ not done',
      'Proven: in the rollout file, give it a plan, or "serve": "v1", with which v1 answers all clients at once.',
    ],
    [
      'is done',
      {},
      { serve: 'v1' },
      '✓ compared ✓ proven ✓ 100 % on v1 ✓ done',
      'Nothing: v1 answers all clients. It is proven.',
    ],
    [
      'is done but for a client',
      {},
      { serve: 'v1', clients: { anna: 'legacy', berta: 'v1' } },
      '✓ compared ✓ proven ✓ 100 % on v1 ○ not done',
      'The rollout file keeps anna on legacy.',
    ],
    [
      'is done but for clients that choose',
      {},
      { serve: 'v1', mayChoose: '*' },
      '✓ compared ✓ proven ✓ 100 % on v1 ○ not done',
      'The rollout file lets clients choose legacy.',
    ],
    [
      'has been cut over and differs now',
      { verdict: 'not ready', differences: [difference(), difference({ path: 'x' })] } as const,
      { serve: 'v1' },
      '✓ compared ✗ differs ✓ 100 % on v1 ○ not done',
      'v1 answers differently from legacy: 2 differences count, last seen on 2025-03-04: data[].priceTry changed in 1 call and x changed in 1 call.',
    ],
  ])(
    'tells the stage and what is missing of an operation without a plan that %s',
    async (_, found, row, bar, waits) => {
      const html = await htmlOf({
        rollout: onLegacy({ price: row }),
        experiments: () => ({
          ...noExperiments,
          operations: found === undefined ? [] : [experiment('price', found)],
        }),
      })
      const [, stage, why, , orders] = rowOf(html, 'price') ?? []
      expect([stage, orders]).toEqual([bar, ''])
      expect(why?.startsWith(waits), why).toBe(true)
    },
  )

  it('takes the word of a plan: where it stands, what it waits for, and which orders make sense', async () => {
    const html = await htmlOf({
      rollout: onLegacy(),
      cutover: cutover(
        ['price'],
        ['package', { state: 'awaiting approval', percent: 50, step: 4, why: 'waits for the approval of 100 %' }],
        ['city-list', { state: 'paused' }],
        ['country-list', { state: 'stopped', percent: 0, step: 0, why: 'v1 failed' }],
        ['unit-list', { state: 'done', percent: 100, step: 5, next: null, why: 'the last step is taken' }],
      ),
    })
    const of = (operation: string) => (rowOf(html, operation) ?? []).slice(1)
    expect(of('price')).toEqual([
      '○ not compared ○ not proven ◐ 5 % on v1 ○ not done running, step 2 of 5',
      'Waits for 312 more calls and 14 minutes. Since 2025-03-04 09:00:00 . Decisions',
      'none',
      'Advance Pause Stop',
    ])
    expect(of('package').at(-1)).toBe('Approve Pause Stop')
    expect(of('city-list').at(-1)).toBe('Resume Stop')
    expect(of('country-list')).toEqual([
      expect.stringContaining('✗ stopped'),
      expect.stringContaining('v1 failed.'),
      'none',
      'Resume',
    ])
    expect(of('unit-list')).toEqual([
      '○ not compared ○ not proven ✓ 100 % on v1 ○ not done done, step 5 of 5',
      expect.stringContaining('v1 answers all clients, but none of its calls has been compared yet'),
      'none',
      'Stop',
    ])
  })

  const at100 = {
    ...{ percent: 100, step: 5, next: null, why: 'done: v1 answers 100 % of the clients' },
    state: 'done' as const,
  }
  const NOT_DONE = '○ not compared ○ not proven ✓ 100 % on v1 ○ not done'
  const ON_WORD = '○ not compared ○ not proven ✓ 100 % on v1 ✓ done on a person’s word'

  it.each([
    [
      'nothing but SERVE or serve',
      {},
      [],
      NOT_DONE,
      /^v1 answers all clients, but none of its calls has been compared yet: .*"shadow": 1/,
    ],
    [
      'nothing, though it is compared',
      { shadow: 1 },
      [],
      NOT_DONE,
      /^v1 answers all clients, but none of its calls has been compared yet\. /,
    ],
    [
      'nothing, and it is never compared',
      { neverCompared: 'a write' },
      [],
      NOT_DONE,
      /but a write is compared only with a copy of v1 .*; nobody has said why it may go unproven/,
    ],
    [
      'the reason in its plan',
      { serve: 'legacy', plan: { withoutVerdict: 'tried in the shop' } },
      [],
      ON_WORD,
      /^Nothing: v1 answers all clients\. It is not proven, but its plan said why no verdict is needed: Tried in the shop\./,
    ],
    [
      'an order in the audit',
      {},
      [entry('advanced', { operation: 'price', by: 'ada', why: 'the shop has tried it' })],
      ON_WORD,
      /It is not proven, but ada ordered the last step at 2025-03-04 09:00:00 ?: The shop has tried it\./,
    ],
    [
      'the reason of a plan that is gone',
      {},
      [
        entry('advanced', {
          operation: 'price',
          why: 'v1 failed 0 of 100 calls in 10 minutes; no verdict is needed (tried (twice))',
        }),
      ],
      ON_WORD,
      /its plan said why no verdict is needed at 2025-03-04 09:00:00 ?: Tried \(twice\)\./,
    ],
    [
      'an order before somebody took it back',
      {},
      [entry('stopped', { operation: 'price', by: 'ada' }), entry('advanced', { operation: 'price', by: 'ada' })],
      NOT_DONE,
      /none of its calls has been compared yet/,
    ],
    [
      'a step that the verdict allowed, which is no longer so',
      {},
      [entry('advanced', { operation: 'price', why: 'the verdict is ready' })],
      NOT_DONE,
      /none of its calls has been compared yet/,
    ],
    [
      'an order for another operation',
      {},
      [entry('advanced', { operation: 'package', by: 'ada' })],
      NOT_DONE,
      /none of its calls has been compared yet/,
    ],
  ])('switches off no operation that v1 merely answers, with %s', async (_, row, entries, bar, says) => {
    const plans = 'plan' in row ? [report('price', at100)] : []
    const rollout = onLegacy({ price: { serve: 'v1', ...row } })
    const html = await htmlOf({ rollout, cutover: fakeCutover(plans, entries) })
    const [, stage = '', why = ''] = rowOf(html, 'price') ?? []
    expect([stage.startsWith(bar), why]).toEqual([true, expect.stringMatching(says)])
    const done =
      bar === ON_WORD
        ? '1 of 15 operations can be switched off, 1 of them on a person’s word.'
        : '0 of 15 operations can be switched off.'
    expect(textOf(html)).toContain(done)
  })

  it('counts nobody’s word while the audit cannot be read, and says so', async () => {
    const audit = async () => Promise.reject(new StateError('the database is away', false))
    const html = await htmlOf({ cutover: { ...fakeCutover([]), audit } })
    expect(rowOf(html, 'price')?.[2]).toMatch(
      /it is not proven, and the audit, which may say who ordered it, cannot be read now/,
    )
  })

  it('claims nothing where there is no legacy service to compare with', async () => {
    const { legacy: _, ...alone } = well
    const state = async () => ({ ...alone, services: { v1: 'https://v1.test' } })
    const html = await htmlOf({ state })
    expect(rowOf(html, 'price')?.[2]).toMatch(
      /has been compared yet; without a legacy service, nothing can be compared/,
    )
    expect(textOf(html)).toContain('0 of 15 operations can be switched off')
  })

  it('says who still calls, most calls of the legacy service first, and links their traffic', async () => {
    const traffic = trafficAt()
    for (let call = 0; call < 3; call++) traffic.at(5, 'price', 'anna')
    traffic.unknown('/old', 'berta')
    const html = await htmlOf({ traffic: traffic.snapshot })
    expect(rowsOf(html, 'callers')).toEqual([
      ['berta', '1', '1', '1', '2025-03-04 12:34:56'],
      ['anna', '0', '3', '1', '2025-03-04 12:29:56'],
    ])
    expect(html).toContain('href="/traffic?client=anna"')
    expect(textOf(await htmlOf())).toContain('Nobody has called since 2025-03-04 07:34:56')
  })

  it('says who calls by the usage of 30 days where that is known, and links to their pages', async () => {
    const usage = knownFrom(
      [
        used('anna', 'price', '2025-03-04T08:00:00.000Z', { calls: 4 }),
        used('anna', 'charge-list', '2025-03-01T08:00:00.000Z', { byV1: 0, byLegacy: 1 }),
        used('berta', 'price', '2025-02-10T08:00:00.000Z', { calls: 3, byV1: 0, byLegacy: 3 }),
        used('carla', 'price', '2025-01-10T08:00:00.000Z'),
        used('unidentified', 'price', '2025-03-04T08:00:00.000Z'),
      ],
      NOW,
    )
    const html = await htmlOf({ usage })
    expect(rowsOf(html, 'callers').map((row) => row.slice(0, 4))).toEqual([
      ['berta', '3', '3', '1'],
      ['anna', '1', '5', '2'],
      ['unidentified', '0', '1', '1'],
    ])
    expect(html).toContain('href="/clients/anna"')
    expect(rowOf(html, 'price')?.[3]).toBe('2 clients and unidentified')
    expect(rowOf(html, 'charge-list')?.[3]).toBe('1 client')
    expect(rowOf(html, 'city-list')?.[3]).toBe('none')
    expect(html).toContain('href="/clients?operation=price"')
    expect(textOf(html)).toContain(
      '1 client still calls (1 today); 2 have stopped. Some calls have no identified client.',
    )
    expect(textOf(html)).toContain('2 clients have called in the last 30 days.')
    expect(textOf(html)).toContain('charge-list : anna (1 call)')
    expect(textOf(await htmlOf({ usage: knownFrom([], NOW) }))).toContain('Nobody has called in the last 30 days.')
  })

  it('does not count calls without an identified client, and those counted together, as clients', async () => {
    const at = '2025-03-04T08:00:00.000Z'
    const usage = knownFrom([used('unidentified', 'price', at), used('others', 'charge-list', at)], NOW)
    const html = await htmlOf({ usage })
    const shown = textOf(html)
    expect(shown).toContain(
      'No identified client calls; none has stopped. Some calls have no identified client. Some calls are of further clients, which count together.',
    )
    expect(shown).toContain('No identified client has called since 2025-03-04 .')
    expect(rowOf(html, 'price')?.[3]).toBe('unidentified')
    expect(rowOf(html, 'charge-list')?.[3]).toBe('others')
    expect(rowOf(html, 'city-list')?.[3]).toBe('none')
  })

  it('shows the first rows of many callers', async () => {
    const traffic = trafficAt()
    for (let client = 0; client < 60; client++) traffic.at(5, 'price', `client-${client}`)
    traffic.at(5, 'price', 'unidentified')
    const html = await htmlOf({ traffic: traffic.snapshot })
    expect(textOf(html)).toContain(
      '60 clients have called since 2025-03-04 07:34:56 . Some calls have no identified client.',
    )
    expect(textOf(html)).toContain('first: 5 of 61 rows')
  })

  it('says who calls by what was counted in memory while usage cannot be read, and that it does', async () => {
    const traffic = trafficAt()
    traffic.at(5, 'price', 'anna')
    const html = await htmlOf({ traffic: traffic.snapshot })
    expect(rowOf(html, 'price')?.[3]).toBe('1 client')
    expect(html).toContain('href="/traffic?operation=price"')
    expect(textOf(html)).toContain(
      'Usage cannot be read now: these calls were counted in memory since 2025-03-04 07:34:56',
    )
    expect(textOf(html)).not.toContain('stopped')
  })

  it('names the paths that no mapping knows, how often they were called and by whom', async () => {
    const traffic = trafficAt()
    for (let call = 0; call < 3; call++) traffic.unknown('/api/labels/reprint', 'anna')
    for (let path = 0; path < 120; path++) traffic.unknown(`/scan/${path}`, 'unidentified')
    const html = await htmlOf({ traffic: traffic.snapshot })
    expect(rowsOf(html, 'unknown')[0]).toEqual(['GET /api/labels/reprint', '3', 'anna', '2025-03-04 12:34:56'])
    expect(rowsOf(html, 'unknown')).toHaveLength(50)
    expect(textOf(html)).toContain('21 more calls went to paths that are no longer listed')
  })

  it('says who calls what v1 cannot answer', async () => {
    const traffic = trafficAt()
    for (let call = 0; call < 12; call++) traffic.at(5, 'charge-list', `client-${call}`)
    traffic.at(5, 'charge-list', 'client-7')
    expect(textOf(await htmlOf({ traffic: traffic.snapshot }))).toMatch(
      /charge-list : client-7 \(2 calls\), client-0 \(1 call\),.* and 2 more/,
    )
    expect(textOf(await htmlOf())).toContain('charge-list : nobody has called it since 2025-03-04 07:34:56')
  })

  it('lists every declared loss, and in how many compared calls it was seen', async () => {
    const loss = difference({
      ...{ kind: 'missing', path: 'taxNumber', requests: 40, ignored: 'loss: v1 does not return it' },
      mapping: { legacy: 'taxNumber', v1: null, change: 'lost', reason: 'v1 does not return it' },
    })
    const html = await htmlOf({
      experiments: () => ({ ...noExperiments, operations: [experiment('document', { differences: [loss] })] }),
    })
    const losses = rowsOf(html, 'losses-declared')
    expect(losses).toHaveLength(reference.flatMap(({ lines }) => lines.filter(({ basis }) => basis === 'lost')).length)
    expect(losses[0]).toEqual([
      'document',
      'taxNumber',
      expect.stringContaining('v1 does not return it'),
      '40 of 1,268 calls',
    ])
    expect(losses.find(([operation, legacy]) => operation === 'package' && legacy === 'orderData')?.at(-1)).toBe(
      'not compared',
    )
    expect(losses.find(([, legacy]) => legacy === 'products[].unitOfMeasure.name')?.at(-1)).toBe('no answer shows it')
    expect(losses.find(([operation, legacy]) => operation === 'document' && legacy === 'orderData')?.at(-1)).toBe(
      '0 of 1,268 calls',
    )
  })

  it('lists the brownouts to come and the clients that they hit, and leaves out those that are over', async () => {
    const { text } = await (await openDashboard(busyDashboard())).get('/')
    expect(rowsOf(text, 'brownouts-ahead')).toEqual([
      [
        ...['1', '2025-05-03 09:00:00 +03:00', '2025-05-03 10:00:00 +03:00', 'all', '10 % of calls, with 503', '1'],
        'rehearsal of the switch-off Never: demo-client.',
      ],
    ])
    const busy = await busyDashboard().brownouts()
    const over = { ...busy, brownouts: busy.brownouts.map((one) => ({ ...one, state: 'over' as const })) }
    expect(textOf(await htmlOf({ brownouts: async () => over }))).toContain('No brownout is under way or to come.')
  })

  it('says that a brownout may hit more clients than are listed', async () => {
    const { brownouts: all, ...report } = await busyDashboard().brownouts()
    const clients = Array.from({ length: 1_000 }, (_, at) => ({
      client: `client-${at}`,
      ...{ before: 1, refused: 0, since: 0 },
    }))
    const others = { before: 1, refused: 0, since: 0 }
    const brownouts = async () => ({ ...report, brownouts: all.map((one) => ({ ...one, clients, others })) })
    expect(rowsOf(await htmlOf({ brownouts }), 'brownouts-ahead')[0]).toContain('at least 1,000')
    const page = await openDashboard(dashboardSources({ brownouts }))
    const { text } = await page.get('/brownouts')
    expect(textOf(text)).toContain(': 100 of at least 1,000 clients')
    expect(rowsOf(text, 'clients-1').at(-1)?.[0]).toBe('beyond 1,000, or not identified')
  })

  it('lists calls without an identified client last, even where more clients called than are shown', async () => {
    const { brownouts: all, ...report } = await busyDashboard().brownouts()
    const client = (at: number) => ({ client: `client-${at}`, before: 1, refused: 0, since: 0 })
    const clients = Array.from({ length: 101 }, (_, at) => client(at))
    const others = { before: 3, refused: 0, since: 0 }
    const brownouts = async () => ({ ...report, brownouts: all.map((one) => ({ ...one, clients, others })) })
    const page = await openDashboard(dashboardSources({ brownouts }))
    const rows = rowsOf((await page.get('/brownouts')).text, 'clients-1')
    expect([rows.length, rows.at(-1)?.slice(0, 2)]).toEqual([101, ['not identified', '3']])
  })

  it('says that calls are those of one replica where there are several', async () => {
    const traffic = trafficAt()
    traffic.at(1, 'price', 'anna')
    const replicas = () => ({ ...alone, replicas: [replica('gateway-1'), replica('gateway-2')] })
    expect(textOf(await htmlOf({ replicas, traffic: traffic.snapshot }))).toMatch(
      /Calls of this replica \( ?gateway-1 ?\), one of 2 replicas/,
    )
  })

  it('links nothing that is not there', async () => {
    const dashboard = await openDashboard(busyDashboard({ cutover: busyCutover() }))
    const { text } = await dashboard.get('/')
    const links = new Set(
      Array.from(text.matchAll(/href="(\/[^"#]*)/g), ([, path = '']) => path.replaceAll('&amp;', '&')),
    )
    const ofPrograms = [
      '/experiments',
      '/proposals',
      '/replicas',
      '/metrics',
      '/openapi.json',
      '/openapi-v1.json',
      '/postman.json',
    ]
    for (const path of [...links].filter((one) => !ofPrograms.includes(one))) {
      expect([path, (await dashboard.get(path)).status]).toEqual([path, 200])
    }
    expect(links.size).toBeGreaterThan(50)
  })
})

describe('links to the page Traffic, where it was before', () => {
  it.each(['/?operation=price', '/?client=anna&minutes=15', '/?operation=&client=&minutes=180'])(
    'lead to where it is: %s',
    async (path) => {
      const { status, headers } = await (await openDashboard(dashboardSources())).get(path)
      expect([status, headers.location]).toEqual([302, `/traffic${path.slice(1)}`])
    },
  )

  it('do not keep others from the page Switch-off', async () => {
    const { status, text } = await (await openDashboard(dashboardSources())).get('/?utm=1')
    expect([status, textOf(text).includes('can be switched off')]).toEqual([200, true])
  })
})
