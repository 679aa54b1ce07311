import { describe, expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { busyDashboard } from '../support/busy-dashboard.ts'
import { dashboardSources, difference, experiment, noExperiments, reference } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const quiet = await openDashboard(dashboardSources())
const busy = await openDashboard(busyDashboard())
const AT = '2025-03-04T12:31:00.000Z'
/** First and last. */
const SEEN = ['2025-03-01 08:00:00', '2025-03-04 12:31:00']

const read = async (path: string, from = busy): Promise<string> => textOf((await from.get(path)).text)

describe('the side by side page', () => {
  it('has a row for every operation, with its verdict, its match rate and the lower bound of that', async () => {
    const rows = rowsOf((await busy.get('/side-by-side')).text, 'operations')
    expect(rows.map(([operation]) => operation)).toEqual(reference.map(({ id }) => id))
    const row = (id: string) => rows.find(([operation]) => operation === id)
    expect(row('invoice-list')).toEqual([
      'invoice-list',
      'not ready',
      '99.60 % ≥ 99.19 % unexcused 95 %',
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
      '100 % ≥ 97.21 % unexcused 95 %',
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
    expect(await read('/side-by-side/price', dashboard)).toMatch(/Match rate – .*Without rules and losses – /)
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

describe('the differences of an operation', () => {
  it('are grouped by whether they count, and why not', async () => {
    const { text } = await busy.get('/side-by-side/invoice-list')
    expect(rowsOf(text, 'counting')).toEqual([
      ['data[].priceTry', 'changed', 'items[].priceTry', '3', '7', '0', '2', ...SEEN],
      ['the status', 'status 400 → 406 × 1 200 → 404 × 1', '–', '2', '2', '0', '1', ...SEEN],
    ])
    expect(rowsOf(text, 'not-counting')).toEqual([
      [
        ...['data[].currency.updatedAt', 'type string → null × 40', '–', '40', '40', '0', '≈ 120', ...SEEN],
        'loss: v1 no longer has it',
      ],
      ['data[].rate.sellingRateTry', 'changed', 'items[].rates.sellingTry', '12', '90', '12', '1', '–', '–', 'drift'],
    ])
  })

  it('are shown with the latest values of both sides, and the call for a shell', async () => {
    const rows = rowsOf((await busy.get('/side-by-side/invoice-list')).text, 'examples-1-values')
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['2025-03-04 12:31:00', '100.00', '100.01'],
      ['2025-03-04 12:30:00', '7.5', '7.50001'],
    ])
    expect(rows[0]?.[3]).toContain(`curl -X POST '`.replace("'", '&#39;'))
  })

  it('have their mapping line, and the narrowest rules that would excuse them', async () => {
    const text = await read('/side-by-side/invoice-list')
    expect(text).toContain(
      'Its line in the mapping : data[].priceTry , in v1 items[].priceTry : same. prices are in lira',
    )
    expect(text).toMatch(/The narrowest rule for it would excuse 2 calls .* show no other difference that counts\./)
    expect(text).toContain('{"operation":"invoice-list","path":"data[].priceTry","kind":"changed","why":""}')
    expect(text).toMatch(
      /would excuse 0 calls Every call that shows this difference also differs elsewhere\..*400 → 406.*\},\s*\{.*200 → 404/,
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
            ...{ kind: 'type', path: '', at: AT, control: null, candidate: `"${'x'.repeat(5_000)}"` },
            ...{ curl: '', legacyCurl: '' },
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
