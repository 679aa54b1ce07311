import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import type { Received } from '../support/http-server.ts'
import { runCommand } from '../support/run-command.ts'
import { callsOf, passOn, runProbe } from '../support/run-probe.ts'
import { counting, newDirectory, startServices } from '../support/run-replay.ts'

/** Nothing is planted there: every test may ask them. */
const faultless = await startServices()

/**
 * In English answers nobody sees the Turkish names by which v1 finds more countries (docs/contract.md 6.10), so the declared widening
 * does not hold there, and a person has to decide.
 */
const FINDS_MORE = {
  operations: {},
  ignore: [
    {
      ...{ operation: 'country-list', path: '', kind: 'length', details: '7 → 9', when: { search: true } },
      why: 'v1 searches Turkish names too',
    },
  ],
}

function rolloutFile(): string {
  const file = join(newDirectory(), 'rollout.json')
  writeFileSync(file, JSON.stringify(FINDS_MORE))
  return file
}

const INVOICES = '/api/v1/finance/invoices'
const ofInvoices = ['--operation', 'invoice-list']
/** Changes a price in v1's invoices where a request is as told. */
const otherPriceIf =
  (isHit: (request: Received, query: URLSearchParams) => boolean) =>
  (request: Received, json: unknown): unknown => {
    const [path, query] = request.target.split('?')
    if (path !== INVOICES || !isHit(request, new URLSearchParams(query))) return json
    const page = json as { readonly items: readonly object[] }
    return { ...page, items: page.items.map((item) => ({ ...item, priceTry: -1 })) }
  }

describe('legacy-gateway probe', { timeout: 240_000 }, () => {
  it('asks every operation that only reads or calculates, and reaches nearly every line of the mappings', async () => {
    const { exit, output, json, report, errors } = await runProbe(faultless, [], { ROLLOUT_FILE: rolloutFile() })
    const { operations, totals, probe } = json()
    expect(exit).toBe(3)
    expect(totals).toMatchObject({ mismatched: 0, failed: 0, skipped: 0 })
    expect(operations.map(({ operation }) => operation)).toEqual([
      ...['price', 'validate-destination', 'invoice-list', 'country-list', 'city-list', 'county-list'],
      ...['currency-list', 'unit-list', 'export-code-list'],
    ])
    const unseen = operations.flatMap(({ operation, coverage }) =>
      coverage.unseen.map(({ part, legacy }) => `${operation}: ${part} ${legacy}`),
    )
    // The sandbox has fewer rows of these.
    const short = ['invoice-list', 'currency-list', 'unit-list', 'export-code-list']
    expect(unseen).toEqual(short.map((id) => `${id}: paging more than 200 rows`))
    expect(operations.reduce((sum, { coverage }) => sum + coverage.lines, 0)).toBeGreaterThan(100)
    expect(output).toMatch(
      /^No request reached 4 of \d+ lines of the mappings:\n {2}invoice-list: paging more than 200 rows$/m,
    )
    expect(errors).toMatch(/^Probing 9 operations with at most 300 calls to each side: http/)
    expect(probe?.control).toBeLessThanOrEqual(300)
    expect(probe?.candidate).toBeLessThanOrEqual(300)
    expect(report('report.html')).toContain('This is a probe: the gateway made up these requests from its mappings.')
    expect(report('junit.xml')).toContain('<testsuite name="price" tests="2" failures="0"')
  })

  it('makes no unit, so no operation is ready by it', async () => {
    const { json, exit } = await runProbe(faultless, ['--operation', 'unit-list', '--target', '0.001'])
    const [units] = json().operations
    expect(exit).toBe(3)
    expect(units?.totals.matched).toBeGreaterThan(10)
    expect(units?.units.distinct).toBe(0)
    expect(units?.verdict).toBe('insufficient data')
  })

  it('exits 0 with --until-difference where nothing differs, and 1 all the same where something does', async () => {
    const quick = ['--until-difference', '--budget', '20']
    expect((await runProbe(faultless, [...quick, '--operation', 'unit-list'])).exit).toBe(0)
    const services = await startServices()
    await services.plant('v1', { path: '/api/v1/shared/units-of-measure', kind: 'remove', at: 'items[].name' })
    const { exit, json } = await runProbe(services, [...quick, '--operation', 'unit-list'])
    expect(exit).toBe(1)
    expect(json().operations[0]?.verdict).toBe('not ready')
  })

  it.each([
    ['with a filter', (_: Received, query: URLSearchParams) => query.has('statusId'), 'statusId=<status.id>'],
    ['on the second page', (_: Received, query: URLSearchParams) => query.get('page') === '2', 'page=2'],
    ['in English', ({ headers }: Received) => headers['accept-language'] === 'en', 'no parameters, in en'],
    ['beyond 200 rows', (_: Received, query: URLSearchParams) => query.get('perPage') === '200', 'perPage=201'],
  ])('finds a difference that only shows %s, and says how it asked', async (_, isHit, asked) => {
    const v1 = await passOn(faultless.v1Url, otherPriceIf(isHit))
    const { exit, output, json } = await runProbe({ ...faultless, v1Url: v1.url }, ofInvoices)
    expect(exit).toBe(1)
    expect(counting(json(), 'invoice-list')).toEqual([
      expect.stringMatching(/^changed data\[\]\.priceTry < items\[\]\.priceTry: \d+ /),
    ])
    expect(output).toContain(`    with ${asked}\n`)
  })

  it('calls neither side more often than the budget allows, confirming included', async () => {
    const legacy = await passOn(faultless.legacyUrl)
    const v1 = await passOn(
      faultless.v1Url,
      otherPriceIf(() => true),
    )
    const services = { legacyUrl: legacy.url, v1Url: v1.url }
    const { json } = await runProbe(services, [...ofInvoices, '--budget', '25', '--concurrency', '8'])
    const calls = [callsOf(legacy, '/api/invoice/list').length, callsOf(v1, INVOICES).length]
    expect(calls).toEqual([json().probe?.control, json().probe?.candidate])
    expect(Math.max(...calls)).toBeLessThanOrEqual(25)
    expect(Math.min(...calls)).toBeGreaterThanOrEqual(20)
  })

  it('writes nothing, and asks nothing but reads, calculations and its two logins', async () => {
    const db = join(newDirectory(), 'sandbox.db')
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db })
    closeAtEnd(() => sandbox.close())
    const rowsOf = (): Readonly<Record<string, number>> => {
      const store = new DatabaseSync(db, { readOnly: true, timeout: 10_000 })
      const tables = store.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
      const counts = tables.map(({ name }) => [name, store.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n])
      store.close()
      return Object.fromEntries(counts) as Record<string, number>
    }
    const before = rowsOf()
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['shipments']))
    const legacy = await passOn(sandbox.legacyUrl ?? '')
    await runProbe({ legacyUrl: legacy.url, v1Url: sandbox.v1Url }, ['--budget', '120'])
    const { tokens: _, ...others } = rowsOf()
    const { tokens: __, ...othersBefore } = before
    expect(others).toEqual(othersBefore)
    const paths = new Set(legacy.received.map(({ method, target }) => `${method} ${target.split('?')[0]}`))
    expect([...paths].sort()).toEqual([
      ...['GET /api/currency', 'GET /api/export/code', 'GET /api/unit/of/measure/all', 'GET /city/all'],
      ...[
        'GET /country/all',
        'GET /county/all',
        'POST /api/calculate/price',
        'POST /api/calculate/price/country/validate',
      ],
      ...['POST /api/invoice/list', 'POST /auth/application'],
    ])
    expect(callsOf(legacy, '/auth/application')).toHaveLength(1)
  })

  it('keeps values that it saw out of its output and its reports', async () => {
    const marked = (_: Received, json: unknown): unknown => {
      const page = json as { readonly data?: readonly object[] }
      return page.data === undefined
        ? json
        : { ...page, data: page.data.map((row) => ({ ...row, number: 'SEEN-4711' })) }
    }
    const legacy = await passOn(faultless.legacyUrl, marked)
    const { output, errors, report } = await runProbe({ ...faultless, legacyUrl: legacy.url }, [
      ...ofInvoices,
      '--budget',
      '60',
    ])
    expect(callsOf(legacy, '/api/invoice/list').some(({ body }) => body.includes('"number":"SEEN-4711"'))).toBe(true)
    const texts = [output, errors, report('report.json'), report('report.html'), report('junit.xml')]
    expect(texts.join('\n')).not.toContain('4711')
    expect(report('report.html')).toContain('number=&lt;number&gt;')
  })

  it('proves nothing without a token, and says which option is missing', async () => {
    const { legacyUrl, v1Url } = faultless
    const words = ['probe', '--report', newDirectory(), '--legacy', legacyUrl, '--v1', v1Url, ...ofInvoices]
    const { exit, output } = await runCommand([...words, '--budget', '10'], { V1_BASE_URL: '', LEGACY_BASE_URL: '' })
    expect(exit).toBe(3)
    expect(output).toContain('Give --client-id and --secret-key')
  })

  it.each([
    [['--budget', '1'], '--budget must be a whole number from 2 to 100000'],
    [['--budget', 'many'], '--budget must be a whole number'],
    [['--operation', 'document'], '--operation must be one of price, validate-destination, invoice-list'],
    [['--operation', 'nothing'], '--operation must be one of'],
    [['--rate', '0'], '--rate must be a number above 0'],
    [['--include-writes'], 'unknown option'],
  ])('does not run with %j', async (parameters, says) => {
    const { exit, errors } = await runProbe(faultless, parameters)
    expect(exit).toBe(2)
    expect(errors).toContain(says)
  })

  it('says in its help what it does, and what its exit codes mean', async () => {
    const { exit, output } = await runCommand(['probe', '--help'])
    expect(exit).toBe(0)
    expect(output).toContain('--budget <number>')
    expect(output.replaceAll(/\s+/g, ' ')).toContain('3 nothing differed')
    expect((await runCommand(['--help'])).output).toMatch(/^ {2}probe /m)
  })
})
