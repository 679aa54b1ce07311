import { describe, expect, it } from 'vitest'
import type { Experiment, Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { busyDashboard } from '../support/busy-dashboard.ts'
import { dashboardSources, difference, experiment, noExperiments, reference } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const quiet = await openDashboard(dashboardSources())
const busy = await openDashboard(busyDashboard())
const AT = '2025-03-04T12:31:00.000Z'

const read = async (path: string, from = busy): Promise<string> => textOf((await from.get(path)).text)

describe('the side by side page', () => {
  it('has a row for every operation, with its verdict, its match rate and the lower bound of that', async () => {
    const rows = rowsOf((await busy.get('/side-by-side')).text, 'operations')
    expect(rows.map(([operation]) => operation)).toEqual(reference.map(({ id }) => id))
    const row = (id: string) => rows.find(([operation]) => operation === id)
    expect(row('invoice-list')).toEqual([
      'invoice-list',
      'not ready',
      '99.60 % units ≥ 99.19 % unexcused 95 %',
      '1,268',
      '1,284',
      '1,200',
      '64',
      '5',
      '40',
      '7',
      '3 control: timeout: 3',
      '12',
      'legacy',
    ])
    expect(row('price')?.slice(0, 3)).toEqual([
      'price',
      'insufficient data units 125 of 299',
      '100 % units ≥ 97.21 % unexcused 95 %',
    ])
    expect(row('auth')?.slice(1, 3)).toEqual(['insufficient data all skipped', '–'])
    expect(row('country-list')?.[1]).toBe('ready ; 7 of 18 lines were never seen')
    expect(row('document')?.[1]).toBe('not compared')
  })

  it('shows what is missing after a reset, not that all calls were skipped: there were none', async () => {
    const totals = { requests: 0, matched: 0, ignored: 0, mismatched: 0, failed: 0, skipped: 0 }
    const reset = experiment('price', { totals, verdict: 'insufficient data', missing: ['units 0 of 299'] })
    const shown = dashboardSources({ experiments: () => ({ ...noExperiments, operations: [reset] }) })
    const rows = rowsOf((await (await openDashboard(shown)).get('/side-by-side')).text, 'operations')
    const row = rows.find(([operation]) => operation === 'price')
    expect(row?.slice(1, 3)).toEqual(['insufficient data units 0 of 299', '–'])
  })

  it('shows no match rate where only errors and empty answers were equal, because they prove none', async () => {
    const totals = { requests: 30, matched: 30, ignored: 0, mismatched: 0, failed: 0, skipped: 0 }
    const alike = { totals, errors: { matched: 20, mismatched: 0 }, empty: 10, matchRate: 0, lowerBound: 0 }
    const shown = dashboardSources({
      experiments: () => ({ ...noExperiments, operations: [experiment('price', alike)] }),
    })
    const dashboard = await openDashboard(shown)
    const rows = rowsOf((await dashboard.get('/side-by-side')).text, 'operations')
    expect(rows.find(([operation]) => operation === 'price')?.[2]).toBe('–')
    expect(await read('/side-by-side/price', dashboard)).toMatch(/Match rate – .*Unexcused – /)
  })

  it('shows operations without a mapping after the others', async () => {
    const experiments = () => ({ ...noExperiments, operations: [experiment('unknown')] })
    const dashboard = await openDashboard(dashboardSources({ experiments }))
    expect(rowsOf((await dashboard.get('/side-by-side')).text, 'operations').at(-1)?.[0]).toBe('unknown')
  })

  it('says how many calls the queue has dropped', async () => {
    expect(await read('/side-by-side')).toContain('Dropped, because the queue was full or memory was short: 1,204.')
    expect(await read('/side-by-side')).toContain('1,204. They count as not judged. To drop fewer,')
    expect(await read('/side-by-side', quiet)).toContain('Dropped: none.')
  })

  it('says how to start when nothing has been compared', async () => {
    expect(await read('/side-by-side', quiet)).toMatch(
      /Nothing has been compared yet\..*"shadow": 1.*legacy-gateway replay/,
    )
  })
})

describe('the coverage of an operation', () => {
  it('names what was never seen first, then what need not be, then what was', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    expect(textOf(text)).toContain('Seen: 2 of 3 lines of the mapping, 66.66 %.')
    expect(rowsOf(text, 'never-seen')).toEqual([['request', 'paymentExpirationAtBetween.startAt']])
    expect(rowsOf(text, 'waived')).toEqual([
      ['paging', 'more than 200 rows', '0', '0', 'no client asks for so many', 'ada@example.com'],
    ])
    expect(rowsOf(text, 'exercised')).toEqual([
      ['request', 'page', '1,200', '5'],
      ['answer', 'data[].id', '1,204', '0'],
    ])
    const places = ['never-seen', 'waived', 'exercised'].map((id) => text.indexOf(`<table id="${id}"`))
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  it('is none where no line of the mapping can show', async () => {
    expect(await read('/side-by-side/country-list')).toContain('The mapping has no line that calls can show.')
  })
})

describe('the versions of an operation', () => {
  it('are those of the newest results, and older ones with what was found of them', async () => {
    const past = {
      lineage: { mapping: 'version 1', v1: null, legacy: null },
      ...{ since: '2025-01-01T00:00:00.000Z', until: '2025-02-01T00:00:00.000Z', requests: 1_542 },
      ...{ verdict: 'ready' as const, endedBy: null },
    }
    const operations = [experiment('price', { history: [past] })]
    const dashboard = await openDashboard(dashboardSources({ experiments: () => ({ ...noExperiments, operations }) }))
    const { text } = await dashboard.get('/side-by-side/price')
    expect(await read('/side-by-side/price', dashboard)).toMatch(
      /These results are for the mapping 5f0c2ad91b3e ?, v1 2026\.11\.3, legacy not reported ?\. Results of older versions do not count\./,
    )
    expect(rowsOf(text, 'history')).toEqual([
      ['version 1', 'not reported', 'not reported', '2025-01-01 00:00:00', '2025-02-01 00:00:00', 'ready', '1,542'],
    ])
  })

  it('say who reset the evidence, when and why', async () => {
    const begunBy = { at: '2025-03-01T00:00:00.000Z', by: 'Ada', why: 'v1 was <repaired>' }
    const past = {
      lineage: { mapping: '5f0c2ad91b3e', v1: '2026.11.3', legacy: null },
      ...{ since: '2025-01-01T00:00:00.000Z', until: '2025-02-01T00:00:00.000Z', requests: 3 },
      ...{ verdict: 'not ready' as const, endedBy: begunBy },
    }
    const operations = [experiment('price', { begunBy, history: [past] })]
    const dashboard = await openDashboard(dashboardSources({ experiments: () => ({ ...noExperiments, operations }) }))
    const { text } = await dashboard.get('/side-by-side/price')
    expect(await read('/side-by-side/price', dashboard)).toMatch(
      /The evidence was reset on 2025-03-01 00:00:00 by Ada: v1 was <repaired>/,
    )
    expect(rowsOf(text, 'history')[0]?.at(-1)).toMatch(/^2025-03-01 00:00:00 ?, by Ada: v1 was <repaired>$/)
  })
})

describe('a verdict that a restart would lose', () => {
  it('is shown, and says so', async () => {
    const operations = [experiment('price', { kept: false })]
    const overall = { ...noExperiments.overall, kept: false }
    const shown = dashboardSources({ experiments: () => ({ ...noExperiments, operations, overall }) })
    const dashboard = await openDashboard(shown)
    const text = await read('/side-by-side', dashboard)
    expect(text).toMatch(/ready ?\s*not kept/)
    expect(text).toContain('Not kept: the results are in memory only, and a restart loses them. Set STATE_DB')
    expect(await read('/side-by-side/price', dashboard)).toMatch(/ready ?\s*not kept/)
    expect(await read('/side-by-side', busy)).not.toMatch(/not kept/i)
  })
})

describe('the verdict of an operation', () => {
  const sentenceOf = async (said: Partial<Experiment>): Promise<string> => {
    const operations = [experiment('price', { unexcusedRate: 1, ...said })]
    const dashboard = await openDashboard(dashboardSources({ experiments: () => ({ ...noExperiments, operations }) }))
    const [, text = ''] = /<p id="why">([^<]*)/.exec((await dashboard.get('/side-by-side/price')).text) ?? []
    return text
  }
  const totals = { requests: 20, matched: 19, ignored: 0, mismatched: 1, failed: 0, skipped: 0 }
  const refuted = { verdict: 'not ready', differences: [difference()] } as const

  it('stands among six figures; the others are folded', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    const [first = '', others = ''] = text.split('<summary>All figures</summary>')
    const namesIn = (html: string) => Array.from(html.matchAll(/<dt>(?:<button[^>]*>)?([^<]*)/g), ([, name]) => name)
    expect(namesIn(first)).toEqual(['Verdict', 'Match rate', 'Units', 'Mismatched', 'Not judged', 'Served by'])
    expect(namesIn(others)).toEqual(expect.arrayContaining(['Target', 'Calls', 'Errors', 'Empty', 'Skipped']))
  })

  it('says why it is "not ready" at a match rate of 100 %: what differs is an error, and counts all the same', async () => {
    expect(await sentenceOf({ ...refuted, totals, errors: { matched: 5, mismatched: 1 } })).toBe(
      'Not ready, because 1 difference counts: a single one is enough, whatever the match rate. It counts until the mapping changes, a service reports another release, the evidence is reset, or a rule excuses it. The match rate is 100 % all the same: it counts only the 14 calls that legacy answered with content, and legacy answered the one that differs with an error.',
    )
    const three = { totals: { ...totals, mismatched: 3 }, errors: { matched: 5, mismatched: 2 }, empty: 1 }
    expect(await sentenceOf({ ...refuted, ...three })).toMatch(
      /only the 14 calls .* and legacy answered those that differ 2 with an error and 1 without content\.$/,
    )
  })

  it('says how many calls the match rate is of, where they differ', async () => {
    expect(await sentenceOf({ ...refuted, totals, matchRate: 0.95, unexcusedRate: 0.95 })).toMatch(
      /or a rule excuses it\. The match rate is 95 %: 19 of 20 calls that legacy answered with content\.$/,
    )
    const errors = { matched: 19, mismatched: 1 }
    expect(await sentenceOf({ ...refuted, totals, errors, matchRate: 0 })).toMatch(
      /Legacy answered no compared call with content, so there is no match rate\.$/,
    )
  })

  it('says that units prove, not calls, where all match and there are too few', async () => {
    const open = { verdict: 'insufficient data', missing: ['units 12 of 299'], lowerBound: 0.779 } as const
    const units = { distinct: 12, mismatched: 0, estimated: false }
    expect(await sentenceOf({ ...open, units })).toBe(
      'Insufficient data, although 100 % of the calls match: 12 units prove at least 77.90 % with 95 % confidence (equal calls of one client within an hour are one unit), and the target is 99 %. Missing: units 12 of 299.',
    )
    const skipped = { ...totals, matched: 0, mismatched: 0, requests: 20, skipped: 20 }
    expect(await sentenceOf({ ...open, totals: skipped, matchRate: 0 })).toBe(
      'Insufficient data, because every call was skipped: none was sent to both services.',
    )
  })

  it('says what proves it if it is "ready", and what rules and losses excuse', async () => {
    expect(await sentenceOf({ unexcusedRate: 0.95 })).toBe(
      'Ready, because no difference counts, and 1,268 units prove at least 99.78 % with 95 % confidence (equal calls of one client within an hour are one unit), as the target of 99 % demands. Without ignore rules, declared losses and widenings, the match rate would be 95 %.',
    )
  })
})

describe('the differences of an operation', () => {
  it('are grouped by whether they count, and why not', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    const withoutMore = (id: string) =>
      rowsOf(text, id).map((row) => row.map((cell) => cell.replace(/ (Rule and c|C)ircumstances .*/, '')))
    expect(withoutMore('counting')).toEqual([
      [
        ...['data[].priceTry changed', 'items[].priceTry'],
        'In 3 of 1,269 compared calls (0.24 %), from 2 clients; no loss is declared, and the narrowest rule would excuse 2 of them.',
        '2025-03-04 12:31:00',
      ],
      [
        ...['the status status 400 → 406 × 1 200 → 404 × 1', '–'],
        'In 2 of 1,269 compared calls (0.16 %), from 1 client; no loss is declared, and the narrowest rule would excuse none of them.',
        '2025-03-04 12:31:00',
      ],
    ])
    expect(withoutMore('not-counting').map((row) => row.slice(2))).toEqual([
      [
        'In 40 of 1,269 compared calls (3.16 %), from about 120 clients; excused: a declared loss: v1 no longer has it.',
        '2025-03-04 12:31:00',
      ],
      [
        'In 12 of 1,269 compared calls (0.95 %), from 1 client; excused: drift, the data changed between two answers.',
        '–',
      ],
    ])
  })

  it('have a table for each exchange, with its call and what differs in it, the latest first', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    expect([1, 2, 3].map((number) => rowsOf(text.replaceAll(/<.?mark>/g, ''), `exchange-${number}`))).toEqual([
      [['data[].priceTry changed', '100.00', '100.01']],
      [['the status status', '400', '406']],
      [['data[].priceTry changed', '7.5', '7.50001']],
    ])
    expect(textOf(text)).toContain('POST /api/invoice/list {"search":"DEM20250001","perPage":25} 2025-03-04 12:31:00')
    expect(text).not.toContain('goneSince')
  })

  it('say that v1 failed and that legacy did not, and want v1 repaired first', async () => {
    const failing = difference({ kind: 'failure', path: '', v1Path: null, details: { unavailable: 13 }, requests: 13 })
    const shown = {
      ...{ method: 'GET', path: '/api/price', body: null, at: AT, curl: '', legacyCurl: '' },
      values: [{ kind: 'failure' as const, path: '', control: null, candidate: null }],
    }
    const operations = [experiment('price', { verdict: 'not ready', differences: [failing] })]
    const dashboard = await openDashboard(
      dashboardSources({ experiments: () => ({ ...noExperiments, operations }), examples: () => [shown] }),
    )
    const { text } = await dashboard.get('/side-by-side/price')
    expect(rowsOf(text, 'exchange-1')).toEqual([
      ['no usable answer of v1 failure', 'answered', 'none that can be used'],
    ])
    expect(rowsOf(text, 'counting')[0]?.slice(0, 3)).toEqual([
      'no usable answer of v1 failure unavailable × 13',
      '–',
      expect.stringContaining('legacy answered: v1 has to be repaired, or its mapping.'),
    ])
  })

  it('do not blame v1 for a failure of the round trip, for which it is not asked', async () => {
    const lost = difference({ kind: 'failure', path: '', v1Path: null, from: 'round trip', details: { malformed: 1 } })
    const operations = [experiment('document', { verdict: 'not ready', differences: [lost] })]
    const dashboard = await openDashboard(dashboardSources({ experiments: () => ({ ...noExperiments, operations }) }))
    const [row] = rowsOf((await dashboard.get('/side-by-side/document')).text, 'counting')
    expect(row?.[0]).toBe('no way back of legacy’s answer failure, round trip malformed × 1')
    expect(row?.[2]).not.toContain('v1 has to be repaired')
    expect(textOf((await dashboard.get('/')).text)).toContain('no way back of legacy’s answer in 1 call')
  })

  it('are marked in both values, where these are not equal', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    expect(text).toContain('<code>100.0<mark>0</mark></code>')
    expect(text).toContain('<code>100.0<mark>1</mark></code>')
    expect(text).toContain('<code>7.5</code>')
    expect(text).toContain('<code>7.5<mark>0001</mark></code>')
    expect(text).toContain('<code>40<mark>0</mark></code>')
  })

  it('lead from an exchange to what is known of them', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    expect(text).toContain('<a href="#difference-2">the status</a>')
    expect(text.match(/id="difference-2"/g)).toHaveLength(1)
  })

  it('are all shown by the fewest exchanges; the others are folded', async () => {
    const paths = ['a', 'b', 'c']
    const shows = (at: string, ...shown: readonly string[]) => ({
      ...{ method: 'GET', path: `/${at}`, body: null, at: AT, curl: '', legacyCurl: '' },
      values: shown.map((path) => ({ kind: 'changed' as const, path, control: '1', candidate: '2' })),
    })
    const operations = [experiment('price', { differences: paths.map((path) => difference({ path })) })]
    const dashboard = await openDashboard(
      dashboardSources({
        experiments: () => ({ ...noExperiments, operations }),
        examples: () => [shows('latest', 'a'), shows('second', 'a', 'b'), shows('third', 'c'), shows('last', 'b')],
      }),
    )
    const { text } = await dashboard.get('/side-by-side/price')
    const [open = '', more = ''] = text.slice(text.indexOf('<h2>Exchanges')).split('<summary>2 more exchanges')
    const called = (part: string) => Array.from(part.matchAll(/<strong>GET \/(\w+)/g), ([, name]) => name)
    expect([called(open), called(more)]).toEqual([
      ['second', 'third'],
      ['latest', 'last'],
    ])
  })

  it('have their mapping line, and the narrowest rules that would excuse them', async () => {
    const text = await read('/side-by-side/invoice-list')
    expect(text).toContain(
      'Its line in the mapping : data[].priceTry , in v1 items[].priceTry : same. prices are in lira',
    )
    expect(text).toMatch(/The narrowest rule for it would excuse 2 calls: these show no other difference that counts\./)
    expect(text).toContain('{"operation":"invoice-list","path":"data[].priceTry","kind":"changed","why":""}')
    expect(text).toMatch(
      /would excuse 0 calls: every call that shows this difference also differs elsewhere\..*400 → 406.*\},\s*\{.*200 → 404/,
    )
  })

  it('lead to Explain, filled in with the call', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    const [, link = ''] = /<a href="(\/explain\?[^"]+)">Explain<\/a>/.exec(text) ?? []
    const form = (await busy.get(link.replaceAll('&amp;', '&'))).text
    expect(form).toContain('<option value="POST" selected>')
    expect(form).toContain('value="http://legacy.test/api/invoice/list"')
    expect(form).toContain('<option value="en" selected>')
    expect(form).toContain('{&quot;perPage&quot;:25}')
  })

  it('have long values cut', async () => {
    const whole = difference({ kind: 'type', path: '', v1Path: '' })
    const operations = [experiment('price', { differences: [whole] })]
    const dashboard = await openDashboard(
      dashboardSources({
        experiments: () => ({ ...noExperiments, operations }),
        examples: () => [
          {
            values: [{ kind: 'type', path: '', control: null, candidate: `"${'x'.repeat(5_000)}"` }],
            ...{ method: 'GET', path: '/', body: null, at: AT, curl: '', legacyCurl: '' },
          },
        ],
      }),
    )
    const text = await read('/side-by-side/price', dashboard)
    expect(text).toMatch(/nothing "x+… \(3,002 more characters\)/)
  })

  it('are shown beside what the answers say of the assumptions', async () => {
    const rows = rowsOf((await busy.get('/side-by-side/invoice-list')).text, 'assumptions')
    expect(rows.map(([legacy, , , standing, so, notSo]) => [legacy, standing, so, notSo])).toEqual([
      ['data[].firstName', 'confirmed', '1,100', '0'],
      ['pagination.lastPage', 'refuted', '12', '3'],
      ['data[].status', 'untested', '0', '0'],
    ])
  })

  it('are none when all matched, or nothing has been compared', async () => {
    expect(await read('/side-by-side/country-list')).toContain('No differences found.')
    expect(await read('/side-by-side/package', quiet)).toMatch(
      /No call of this operation has been compared yet\. It is a write/,
    )
  })
})

describe('the ignore rules of the rollout page', () => {
  it('say what narrows them, whether they still hold, and whether they still excuse anything', async () => {
    const use = { holds: true, lastExcused: AT, stale: false }
    const rules: Experiments['rules'] = [
      { operation: '*', path: '', kind: 'status', details: '200 → 400', by: 'Billing', why: 'known', ...use },
      { operation: 'price', path: '[].rate', tolerance: 0.01, client: 'shop', why: 'rounds', ...use, stale: true },
      { operation: 'price', path: 'a', until: '2025-01-31', why: 'old', ...use, holds: false },
      { operation: 'price', path: 'b', unordered: true, until: '2026-01-31', why: 'a set', ...use, lastExcused: null },
    ]
    const dashboard = await openDashboard(dashboardSources({ experiments: () => ({ ...noExperiments, rules }) }))
    expect(rowsOf((await dashboard.get('/rollout')).text, 'ignore')).toEqual([
      ['all', '', 'status 200 → 400', 'known Billing', '', '2025-03-04 12:31:00'],
      ['price', '[].rate', 'client shop numbers within 1 %', 'rounds', '', '2025-03-04 12:31:00 stale'],
      ['price', 'a', '', 'old', '2025-01-31 no longer holds', '2025-03-04 12:31:00'],
      ['price', 'b', 'the order of items', 'a set', '2026-01-31', 'never'],
    ])
  })
})
