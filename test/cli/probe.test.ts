import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import type { HttpServer, Received } from '../support/http-server.ts'
import { runCommand } from '../support/run-command.ts'
import { callsOf, passOn, runProbe } from '../support/run-probe.ts'
import { counting, newDirectory, type Ran, startServices } from '../support/run-replay.ts'

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

/** Whether a call of v1's invoices is one whose answer differs. */
type IsHit = (request: Received, query: URLSearchParams) => boolean

/** Changes members of v1's invoices, each where a request is as told. */
const othersIf =
  (hits: Readonly<Record<string, IsHit>>) =>
  (request: Received, json: unknown): unknown => {
    const [path, query] = request.target.split('?')
    if (path !== INVOICES) return json
    const members = Object.keys(hits).filter((member) => hits[member]?.(request, new URLSearchParams(query)))
    const page = json as { readonly items: readonly object[] }
    const others = Object.fromEntries(members.map((member) => [member, -1]))
    return { ...page, items: page.items.map((item) => ({ ...item, ...others })) }
  }

describe('a probe of everything', () => {
  const db = join(newDirectory(), 'sandbox.db')
  /** How many rows the sandbox has, by table, the tokens of logins aside. */
  const rowsOf = (): Readonly<Record<string, unknown>> => {
    const store = new DatabaseSync(db, { readOnly: true, timeout: 10_000 })
    const tables = store.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const counts = tables.map(({ name }) => [name, store.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n])
    store.close()
    return Object.fromEntries(counts.filter(([name]) => name !== 'tokens')) as Record<string, unknown>
  }
  let before: ReturnType<typeof rowsOf>
  let legacy: HttpServer
  let ran: Ran
  beforeAll(async () => {
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db })
    closeAtEnd(() => sandbox.close())
    before = rowsOf()
    legacy = await passOn(sandbox.legacyUrl ?? '')
    ran = await runProbe({ legacyUrl: legacy.url, v1Url: sandbox.v1Url }, [], { ROLLOUT_FILE: rolloutFile() })
  })

  it('asks every operation that only reads or calculates, and reaches nearly every line of the mappings', () => {
    const { exit, output, json, report, errors } = ran
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

  it('writes nothing, and asks nothing but reads, calculations and its two logins', () => {
    expect(before).toMatchObject({ shipments: expect.any(Number) })
    expect(rowsOf()).toEqual(before)
    const paths = new Set(legacy.received.map(({ method, target }) => `${method} ${target.split('?')[0]}`))
    expect([...paths].sort()).toEqual([
      ...['GET /api/currency', 'GET /api/export/code', 'GET /api/unit/of/measure/all', 'GET /city/all'],
      ...['GET /country/all', 'GET /county/all'],
      ...['POST /api/calculate/price', 'POST /api/calculate/price/country/validate'],
      ...['POST /api/invoice/list', 'POST /auth/application'],
    ])
    expect(callsOf(legacy, '/auth/application')).toHaveLength(1)
  })
})

describe('legacy-gateway probe', () => {
  it('makes no unit, so no operation is ready by it', async () => {
    const some = ['--operation', 'unit-list', '--budget', '30']
    const { json, exit } = await runProbe(faultless, [...some, '--target', '0.001'])
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

  it('finds differences that only show with a filter, on another page, in English or beyond 200 rows, and says how it asked', async () => {
    const v1 = await passOn(
      faultless.v1Url,
      othersIf({
        priceTry: (_, query) => query.has('statusId'),
        priceUsd: (_, query) => query.get('page') === '2',
        currencyCode: ({ headers }) => headers['accept-language'] === 'en',
        isPaid: (_, query) => query.get('perPage') === '200',
      }),
    )
    const { exit, output, json } = await runProbe({ ...faultless, v1Url: v1.url }, ofInvoices)
    expect(exit).toBe(1)
    expect(counting(json(), 'invoice-list')).toHaveLength(4)
    for (const [member, asked] of [
      ['priceTry', 'statusId=<status.id>'],
      ['priceUsd', 'page=2'],
      ['currencyCode', 'no parameters, in en'],
      ['isPaid', 'perPage=201'],
    ]) {
      expect(output).toMatch(new RegExp(`\\(v1: items\\[\\]\\.${member}\\).*\\n {4}with ${asked}\\n`))
    }
  })

  it('calls neither side more often than the budget allows, confirming included', async () => {
    const legacy = await passOn(faultless.legacyUrl)
    const v1 = await passOn(faultless.v1Url, othersIf({ priceTry: () => true }))
    const services = { legacyUrl: legacy.url, v1Url: v1.url }
    const { json } = await runProbe(services, [...ofInvoices, '--budget', '25', '--concurrency', '8'])
    const calls = [callsOf(legacy, '/api/invoice/list').length, callsOf(v1, INVOICES).length]
    expect(calls).toEqual([json().probe?.control, json().probe?.candidate])
    expect(Math.max(...calls)).toBeLessThanOrEqual(25)
    expect(Math.min(...calls)).toBeGreaterThanOrEqual(20)
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
      '40',
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
