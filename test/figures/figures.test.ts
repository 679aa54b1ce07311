import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import type { BrownoutsReport } from '../../src/control-plane/cutover/brownout/current-brownouts.ts'
import type { CutoverReport } from '../../src/control-plane/cutover/cutover.ts'
import type { Dossier } from '../../src/control-plane/evidence/dossier/dossier.ts'
import type { Report } from '../../src/control-plane/evidence/report/report-json.ts'
import type { ClientsReport } from '../../src/control-plane/usage/report-usage.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf, stagesOf, textOf } from '../support/read-html.ts'
import { runCommand } from '../support/run-command.ts'
import { cut, type Ledger, openLedger } from './support/ledger.ts'
import { type PlantedTraffic, plantTraffic, type Sent } from './support/planted-traffic.ts'

// One set of traffic through a real gateway. Every figure that a page, a report, a metric or an answer shows is held against all others
// that show the same, and against what was planted. To run it alone: npx vitest run test/figures

let planted: PlantedTraffic
let page: (path: string) => Promise<string>
let json: <T>(path: string) => Promise<T>
let experiments: Experiments
let dossier: Dossier
/** The dossier as a page. */
let dossierPage: string
let metrics: string

beforeAll(async () => {
  planted = await plantTraffic()
  const { adminUrl } = planted
  const get = (path: string, accept: string) => callLegacy(adminUrl, { path, headers: { accept } })
  page = async (path) => (await get(path, 'text/html')).text
  json = async (path) => JSON.parse((await get(path, 'application/json')).text)
  experiments = await json('/experiments')
  metrics = await page('/metrics')
  const folder = mkdtempSync(join(tmpdir(), 'figures-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  const made = await runCommand(['dossier', '--admin', adminUrl, '--out', join(folder, 'dossier.html')])
  expect(made.exit, made.errors).toBe(0)
  dossierPage = readFileSync(join(folder, 'dossier.html'), 'utf8')
  dossier = await json('/dossier')
}, 180_000)

/** The figures of a definition list, by name. */
const figuresOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(html.matchAll(/<dt>((?:(?!<\/dt>)[\s\S])*)<\/dt><dd>([\s\S]*?)<\/dd>/g), ([, name = '', value = '']) => [
      textOf(`<main>${name}`).trim(),
      textOf(`<main>${value}`).trim(),
    ]),
  )
/** The rows of a table that has several pages. */
async function allRows(path: string, id: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = []
  for (let number = 1; number <= 100; number++) {
    const html = await page(`${path}?page=${number}`)
    rows.push(...rowsOf(html, id))
    if (!html.includes(`page=${number + 1}#${id}"`)) return rows
  }
  throw new Error(`${id} has more than 100 pages`)
}
/** The part of the dossier about an operation. */
const sectionOf = (html: string, operation: string): string =>
  html.split('<h2 id="').find((part) => part.startsWith(`${operation}"`)) ?? ''
/** The sum of a metric over all rows that have these labels. */
const metric = (name: string, labels: Readonly<Record<string, string>>): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0)
const countWhere = (test: (sent: Sent) => boolean): number => planted.sent.filter(test).length
const csvRows = async (): Promise<readonly (readonly string[])[]> =>
  (await page('/clients.csv'))
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')))

/** Fails with each fact that two places tell differently, or that one place alone tells. */
function agree(ledger: Ledger, atLeast: number): void {
  expect(ledger.disagreements()).toEqual([])
  expect(ledger.facts).toBeGreaterThanOrEqual(atLeast)
}

describe('calls', () => {
  it('of each client are the same on Clients, on its page, on Switch-off, in Traffic, in the CSV, in JSON and in the dossier', async () => {
    const ledger = openLedger()
    const names = ['calls', 'errors', 'by v1', 'by legacy'] as const
    const note = (
      client: string,
      place: string,
      figures: readonly (string | number)[],
      of: readonly string[] = names,
    ) => {
      for (const [at, figure] of figures.entries()) ledger.note(`${of[at]} of ${client}`, place, figure)
    }
    const all = [...planted.clients, 'unidentified']
    for (const client of all) {
      const own = planted.sent.filter((sent) => sent.client === client)
      const by = (side: Sent['by']) => own.filter((sent) => sent.by === side).length
      note(client, 'planted', [own.length, own.filter(({ status }) => status >= 400).length, by('v1'), by('legacy')])
      const of = figuresOf(await page(`/clients/${client}`))
      note(
        client,
        `/clients/${client}`,
        ['Calls', 'Errors', 'By v1', 'By legacy'].map((name) => of[name] ?? 'none'),
      )
    }
    for (const [client = '', , calls = '', errors = '', v1 = '', legacy = ''] of rowsOf(
      await page('/clients'),
      'clients',
    )) {
      note(client, '/clients', [calls, errors, v1, legacy])
    }
    const report = await json<ClientsReport>('/clients')
    for (const { client, calls, operations } of report.clients) {
      const of = Object.values(operations)
      note(client, 'GET /clients', [
        calls,
        ...(['errors', 'byV1', 'byLegacy'] as const).map((name) => sum(of.map((one) => one[name]))),
      ])
      ledger.note(`calls of ${client}`, 'GET /clients, operations', sum(of.map((one) => one.calls)))
    }
    const rows = await csvRows()
    for (const client of all) {
      const own = rows.filter(([name]) => name === client)
      const column = (at: number) => sum(own.map((row) => Number(row[at])))
      note(client, 'clients.csv', [column(4), column(5) + column(6), column(7), column(8)])
    }
    const traffic = await page('/traffic')
    for (const [client = '', calls = '', four, five] of rowsOf(traffic, 'by-client')) {
      note(client, '/traffic', [calls, Number(four) + Number(five)])
    }
    for (const [client = '', legacy = '', calls = ''] of rowsOf(await page('/'), 'callers')) {
      note(client, '/', [calls, legacy], ['calls', 'by legacy'])
    }
    for (const { client, byV1, byLegacy } of dossier.callers.clients) {
      note(client, 'GET /dossier', [byV1, byLegacy], ['by v1', 'by legacy'])
    }
    const others = /Not in this table: (\d+) calls under unidentified/.exec(textOf(await page('/clients')))?.[1]
    ledger.note('calls of unidentified', '/clients, below', others ?? 'none')
    agree(ledger, 4 * all.length)
  })

  it('of each operation are the same in Traffic, in the CSV, in JSON and in the metrics', async () => {
    const ledger = openLedger()
    const traffic = await page('/traffic')
    const whoCallsWhat = await allRows('/traffic', 'who-calls-what')
    const [rows, { clients }] = [await csvRows(), await json<ClientsReport>('/clients')]
    const operations = new Set(planted.sent.map(({ operation }) => operation))
    for (const operation of operations) {
      const [calls, errors] = [`calls of ${operation}`, `errors of ${operation}`]
      ledger.note(
        calls,
        'planted',
        countWhere((sent) => sent.operation === operation),
      )
      ledger.note(
        errors,
        'planted',
        countWhere((sent) => sent.operation === operation && sent.status >= 400),
      )
      ledger.note(calls, 'clients.csv', sum(rows.filter((row) => row[2] === operation).map((row) => Number(row[4]))))
      const used = clients.flatMap((one) =>
        one.operations[operation] === undefined ? [] : [one.operations[operation]],
      )
      ledger.note(calls, 'GET /clients', sum(used.map((one) => one.calls)))
      ledger.note(errors, 'GET /clients', sum(used.map((one) => one.errors)))
      // Neither side answers what a brownout refuses: these calls have a metric of their own.
      const refused = metric('legacy_gateway_brownout_refusals_total', { operation })
      ledger.note(calls, '/metrics', refused + metric('legacy_gateway_calls_total', { operation }))
      const since = whoCallsWhat.filter(([name]) => name === operation)
      ledger.note(calls, '/traffic, since startup', sum(since.map((row) => Number(row[2]))))
    }
    for (const [operation = '', calls = '', four, five] of rowsOf(traffic, 'by-operation')) {
      ledger.note(`calls of ${operation}`, '/traffic', calls)
      ledger.note(`errors of ${operation}`, '/traffic', Number(four) + Number(five))
    }
    const figures = figuresOf(traffic)
    const of = (from: number, to: number) => countWhere(({ status }) => status >= from && status < to)
    const whole = planted.sent.length
    ledger.note('all calls', 'planted', whole)
    ledger.note('all calls', '/traffic', figures.Calls ?? 'none')
    ledger.note('all calls', '/traffic, per minute', sum(rowsOf(traffic, 'per-minute').map((row) => Number(row[1]))))
    for (const [name, from, to] of [
      ['4xx', 400, 500],
      ['5xx', 500, 600],
    ] as const) {
      ledger.note(name, 'planted', `${of(from, to)} ${cut(of(from, to) / whole)}`)
      ledger.note(name, '/traffic', figures[name] ?? 'none')
    }
    agree(ledger, 2 * operations.size + 3)
  })

  it('come from as many clients on Switch-off, on Clients and in JSON', async () => {
    const ledger = openLedger()
    const [switchOff, clients, report] = [
      await page('/'),
      await page('/clients'),
      await json<ClientsReport>('/clients'),
    ]
    const many = new Set(planted.clients).size
    const still = (html: string) => /(\d+) clients still call/.exec(textOf(html))?.[1] ?? 'none'
    ledger.note('clients', 'planted', many)
    ledger.note('clients', '/', still(switchOff))
    ledger.note('clients', '/, below', /(\d+) clients have called/.exec(textOf(switchOff))?.[1] ?? 'none')
    ledger.note('clients', '/clients', still(clients))
    ledger.note('clients', 'GET /clients', report.clients.filter(({ client }) => client !== 'unidentified').length)
    for (const [operation = '', , , callers = ''] of stagesOf(switchOff)) {
      const named = new Set(
        planted.sent
          .filter((sent) => sent.operation === operation && sent.client !== 'unidentified')
          .map(({ client }) => client),
      )
      ledger.note(
        `clients of ${operation}`,
        'planted',
        named.size === 0 ? 'none' : named.size === 1 ? '1 client' : `${named.size} clients`,
      )
      ledger.note(`clients of ${operation}`, '/', callers.replace(/ *and unidentified$/, ''))
    }
    agree(ledger, 10)
  })
})

describe('results of comparing', () => {
  it('are the same on Side by side, on the page of each operation, in JSON, in the dossier and in the metrics, and add up', async () => {
    const ledger = openLedger()
    const table = new Map(rowsOf(await page('/side-by-side'), 'operations').map((row) => [row[0], row]))
    for (const one of experiments.operations) {
      const { operation, totals, units, errors, empty, clients, inputs, coverage, durations } = one
      const fact = (name: string) => `${operation}: ${name}`
      const places: [string, Readonly<Record<string, string | number>>][] = [
        ['planted', { calls: countWhere((sent) => sent.operation === operation) }],
        [
          'GET /experiments',
          {
            calls: totals.requests,
            mismatched: totals.mismatched,
            skipped: totals.skipped,
            units: units.distinct,
            errors: errors.matched + errors.mismatched,
            empty,
            inputs: inputs.distinct,
            target: cut(one.target),
            verdict: one.says,
            coverage: coverage.lines === 0 ? 'none' : `${coverage.seen} of ${coverage.lines}, ${cut(coverage.share)}`,
          },
        ],
        [
          'GET /experiments, added up',
          {
            calls: totals.matched + totals.ignored + totals.mismatched + totals.failed + totals.skipped,
          },
        ],
      ]
      const row = table.get(operation) ?? []
      const [
        ,
        verdict = '',
        rate = '',
        ofUnits = '',
        calls = '',
        ,
        ,
        mismatched = '',
        ofErrors = '',
        ofEmpty = '',
        ,
        skipped = '',
      ] = row
      places.push(['/side-by-side', { calls, mismatched, skipped, units: ofUnits, errors: ofErrors, empty: ofEmpty }])
      const own = await page(`/side-by-side/${operation}`)
      const figures = figuresOf(own)
      const seen = /Seen: (\d+ of \d+) lines? of the mapping, ([^<]*?)\.</.exec(own)
      places.push([
        `/side-by-side/${operation}`,
        {
          calls: figures.Calls ?? '',
          mismatched: figures.Mismatched ?? '',
          skipped: figures.Skipped ?? '',
          units: figures.Units ?? '',
          errors: figures.Errors ?? '',
          empty: figures.Empty ?? '',
          inputs: figures['Distinct inputs'] ?? '',
          target: figures.Target ?? '',
          coverage: seen === null ? 'none' : `${seen[1]}, ${seen[2]}`,
          rate: figures['Match rate'] ?? '',
          compared: figures.Shadowed ?? '',
        },
      ])
      const isShown = totals.matched + totals.ignored + totals.mismatched > errors.matched + errors.mismatched + empty
      const bound = `${cut(one.matchRate)} units ≥ ${cut(one.lowerBound)}`
      const unexcused = one.unexcusedRate === one.matchRate ? '' : ` unexcused ${cut(one.unexcusedRate)}`
      places.push([
        'GET /experiments, shares',
        {
          rate: isShown ? `${bound}${unexcused}` : '–',
          compared: one.neverCompared === null ? cut(one.shadow) : `never: ${one.neverCompared}`,
        },
      ])
      places.push(['/side-by-side, shares', { rate, verdict: verdict.replace(' ; ', '; ').slice(0, one.says.length) }])
      const told = dossier.operations.find((other) => other.operation === operation)
      const section = sectionOf(dossierPage, operation)
      const facts = figuresOf(section)
      places.push([
        'GET /dossier',
        {
          calls: told?.report?.totals.requests ?? 'none',
          verdict: told?.report?.says ?? '',
          units: told?.report?.units.distinct ?? '',
        },
      ])
      places.push(['dossier.html', { compared: (facts.Compared ?? 'none').replace(' of calls', '') }])
      const { checked } = one
      const writes =
        checked &&
        `${checked.writes} writes, ${checked.units.distinct} units, ${checked.clients.distinct} clients, ${checked.inputs.distinct} inputs`
      places.push(['GET /experiments', { checked: writes ?? 'none' }])
      places.push(['dossier.html', { checked: facts['Checked, not sent'] ?? 'none' }])
      places.push([`/side-by-side/${operation}`, { checked: figures['Checked, not sent'] ?? 'none' }])
      if (facts.Units !== undefined) {
        const [, of, mismatchedUnits, target, atLeast] =
          /^(\S+), (\S+) of them mismatched; target (.*), at least (.*)$/.exec(facts.Units) ?? []
        places.push([
          'dossier.html',
          {
            units: of ?? '',
            target: target ?? '',
            'lower bound': atLeast ?? '',
            'mismatched units': mismatchedUnits ?? '',
          },
        ])
        places.push([
          'GET /experiments',
          { 'lower bound': isShown ? cut(one.lowerBound) : '–', 'mismatched units': units.mismatched },
        ])
        places.push(['dossier.html', { inputs: facts['Different inputs'] ?? '' }])
        places.push(['dossier.html', { clients: facts.Clients ?? '' }])
        places.push([
          'GET /experiments',
          { clients: `${clients.distinct}; the largest made ${cut(clients.largestShare)}` },
        ])
        const onPage = (figures.Clients ?? '').replace('one of them', 'the largest')
        places.push([
          `/side-by-side/${operation}`,
          { clients: clients.distinct === 1 ? `${onPage}; the largest made 100 %` : onPage },
        ])
        if (durations !== null) {
          places.push([
            'dossier.html',
            {
              speed:
                /legacy (.*); v1 (.*) \(/
                  .exec(facts.Speed ?? '')
                  ?.slice(1)
                  .join(' and ') ?? '',
            },
          ])
          places.push([
            `/side-by-side/${operation}`,
            {
              speed: `${figures['Legacy p50, p95, p99']} and ${figures['v1 p50, p95, p99'] ?? figures['v1, all pages: p50, p95, p99']}`,
            },
          ])
        }
      }
      if (told?.v1 !== null) {
        for (const outcome of ['mismatched', 'skipped'] as const) {
          places.push(['/metrics', { [outcome]: metric('legacy_gateway_comparisons_total', { operation, outcome }) }])
        }
        ledger.note(fact('ready'), '/metrics', metric('legacy_gateway_operation_ready', { operation }))
        ledger.note(fact('ready'), 'GET /experiments', one.verdict === 'ready' ? 1 : 0)
      }
      for (const [place, facts] of places)
        for (const [name, figure] of Object.entries(facts)) ledger.note(fact(name), place, figure)
      differencesAgree(ledger, one, own, section)
    }
    agree(ledger, 100)
  })

  /** Holds the differences of an operation against those on its page and in the dossier. */
  function differencesAgree(
    ledger: Ledger,
    { operation, differences }: Experiments['operations'][number],
    own: string,
    section: string,
  ): void {
    const onPage = [...rowsOf(own, 'counting'), ...rowsOf(own, 'not-counting')]
    const inDossier = /<caption><span>Differences<\/span>[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(section)?.[1] ?? ''
    const told = Array.from(inDossier.matchAll(/<tr>([\s\S]*?)<\/tr>/g), ([, row = '']) =>
      Array.from(row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g), ([, cell = '']) => textOf(`<main>${cell}`).trim()),
    )
    for (const [at, { kind, path, v1Path, requests, count, clients: seeing }] of differences.entries()) {
      const fact = (name: string) => `${operation}, ${kind} ${path}: ${name}`
      const [, v1 = '', says = ''] = onPage[at] ?? []
      const [, calls = '', about, ofClients = ''] =
        /^In (\S+)(?: of \S+ compared)? calls?(?: \(.*?\))?, from (about )?(\S+) clients?;/.exec(says) ?? []
      const [, places = ''] = / (\S+) places? ?,/.exec(says) ?? []
      ledger.note(fact('v1 path'), 'GET /experiments', v1Path ?? '–')
      ledger.note(fact('v1 path'), `/side-by-side/${operation}`, v1)
      ledger.note(fact('calls'), 'GET /experiments', requests)
      ledger.note(fact('calls'), `/side-by-side/${operation}`, calls)
      ledger.note(fact('calls'), 'dossier.html', told[at]?.[2] ?? 'none')
      ledger.note(fact('places'), 'GET /experiments', count)
      ledger.note(fact('places'), `/side-by-side/${operation}`, places)
      ledger.note(fact('clients'), 'GET /experiments', `${seeing.estimated ? '≈ ' : ''}${seeing.distinct}`)
      ledger.note(fact('clients'), `/side-by-side/${operation}`, `${about === undefined ? '' : '≈ '}${ofClients}`)
      expect(seeing.distinct, fact('clients')).toBeLessThanOrEqual(
        new Set(planted.sent.filter((sent) => sent.operation === operation).map(({ client }) => client)).size,
      )
    }
  }

  it('show what was planted: which differ, for how many clients, and what only one side has', () => {
    const of = (operation: string) => experiments.operations.find((one) => one.operation === operation)
    expect(of('invoice-list')).toMatchObject({ verdict: 'ready', clients: { distinct: planted.clients.length } })
    const prices = of('invoice-list')?.differences.find(({ path }) => path === 'data[].priceTry')
    // All clients see it: as many as the operation has, although a sketch cannot know.
    expect(prices).toMatchObject({ v1Path: 'items[].priceTry', clients: { distinct: planted.clients.length } })
    const gone = of('invoice-list')?.differences.find(({ path }) => path === 'data[].onlyLegacy')
    expect(gone === undefined || gone.v1Path === null).toBe(true)
    expect(of('country-list')).toMatchObject({ verdict: 'not ready' })
    expect(of('unit-list')?.differences).toMatchObject([{ kind: 'failure', v1Path: null, ignored: null }])
    const created = countWhere(({ operation }) => operation === 'import-create')
    expect(of('import-create')?.checked).toMatchObject({ writes: created, clients: { distinct: created } })
  })

  it('call as many operations proven on Switch-off, on Side by side, in JSON and in the dossier', async () => {
    const ledger = openLedger()
    const proven = experiments.operations.filter(({ verdict }) => verdict === 'ready').length
    const inWords = (html: string) => {
      const [, ready, of, together] =
        /(\d+) of the (\d+) operations that can be compared (?:is|are) proven(?:.*?each needs more units: (?:all )?(\d+|none)(?: of the| ha))?/.exec(
          textOf(html),
        ) ?? []
      return `${ready} of ${of}, together ${together === 'none' ? 0 : together}`
    }
    const { ready, of, together } = experiments.overall
    ledger.note('proven', 'GET /experiments, operations', `${proven} of ${of}, together ${together}`)
    ledger.note('proven', 'GET /experiments, overall', `${ready} of ${of}, together ${together}`)
    const stages = stagesOf(await page('/')).filter(
      ([, stage = '']) => / proven/.test(stage) && !/not proven/.test(stage),
    )
    ledger.note('proven', '/', `${stages.length} of ${of}, together ${together}`)
    ledger.note('proven', '/side-by-side', inWords(await page('/side-by-side')))
    ledger.note('proven', 'dossier.html', inWords(dossierPage))
    ledger.note('proven', '/metrics', `${metric('legacy_gateway_operation_ready', {})} of ${of}, together ${together}`)
    expect(proven).toBeGreaterThan(0)
    agree(ledger, 1)
  })

  it('are never said of what is never compared', async () => {
    for (const { operation, neverCompared, shadow, report } of dossier.operations) {
      const compared = figuresOf(sectionOf(dossierPage, operation)).Compared
      if (neverCompared === null) expect(compared, operation).toBe('100 % of calls')
      else expect([compared, shadow], operation).toEqual([`never: ${neverCompared}`, 0])
      if (report !== null && neverCompared !== null) {
        const { Shadowed } = figuresOf(await page(`/side-by-side/${operation}`))
        expect(Shadowed, operation).toBe(`never: ${neverCompared}`)
      }
    }
    const rollout = new Map(rowsOf(await page('/rollout'), 'rollout').map((row) => [row[0], row[4]]))
    for (const { operation, neverCompared } of dossier.operations) {
      expect(rollout.get(operation), operation).toBe(neverCompared === null ? '100 %' : `never: ${neverCompared}`)
    }
  })
})

describe('the cut-over', () => {
  it('has the same figures on Switch-off, in JSON, in the metrics, in the fleet and on the command line', async () => {
    const ledger = openLedger()
    const status = (await runCommand(['cutover', 'status', '--admin', planted.adminUrl])).output
    const switchOff = new Map(stagesOf(await page('/')).map((row) => [row[0], row[1] ?? '']))
    const fleet = (await page('/fleet')).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    for (const { operation, percent, step, steps, state } of await json<readonly CutoverReport[]>('/cutover')) {
      const [share, steady] = [`${operation}: share`, `${operation}: step`]
      ledger.note(share, 'GET /cutover', `${percent} %`)
      ledger.note(share, '/', /([\d.]+ %) on v1/.exec(switchOff.get(operation) ?? '')?.[1] ?? 'none')
      ledger.note(share, '/metrics', `${metric('legacy_gateway_cutover_percent', { operation })} %`)
      ledger.note(share, '/fleet', new RegExp(`${operation} ([\\d.]+ %)`).exec(fleet)?.[1] ?? 'none')
      ledger.note(
        share,
        'cutover status',
        new RegExp(`^${operation} +${state} +([\\d.]+ %)`, 'm').exec(status)?.[1] ?? 'none',
      )
      ledger.note(steady, 'GET /cutover', `${state}, step ${step} of ${steps.length}`)
      ledger.note(
        steady,
        '/',
        /\w[\w ]*, step \d+ of \d+/.exec(switchOff.get(operation) ?? '')?.[0].replace(/^.*done /, '') ?? 'none',
      )
      expect(status).toContain(`${step} of ${steps.length}`)
    }
    agree(ledger, 2)
  })

  it('refuses as many calls in a brownout on its page, in JSON, in the metrics and on the command line', async () => {
    const ledger = openLedger()
    const { brownouts } = await json<BrownoutsReport>('/brownouts')
    const [own, list, switchOff] = [
      await page('/brownouts'),
      (await runCommand(['brownouts', 'list', '--admin', planted.adminUrl])).output,
      await page('/'),
    ]
    const refusals = planted.sent.filter(({ by }) => by === undefined)
    ledger.note('refused', 'planted', refusals.length)
    ledger.note(
      'refused',
      'GET /brownouts',
      sum(brownouts.flatMap(({ clients, others }) => [...clients.map(({ refused }) => refused), others.refused])),
    )
    ledger.note('refused', '/brownouts', sum(rowsOf(own, 'clients-1').map((row) => Number(row[2]))))
    ledger.note('refused', '/metrics', metric('legacy_gateway_brownout_refusals_total', {}))
    for (const { n, clients } of brownouts) {
      const concerned = `clients of brownout ${n}`
      ledger.note(concerned, 'GET /brownouts', clients.length)
      ledger.note(concerned, '/brownouts', rowsOf(own, `clients-${n}`).length)
      ledger.note(concerned, '/', rowsOf(switchOff, 'brownouts-ahead').find((row) => row[0] === `${n}`)?.[5] ?? 'none')
      const line = list.split('\n').find((text) => new RegExp(`^ *${n}  `).test(text)) ?? ''
      ledger.note(concerned, 'brownouts list', line.trim().split(/ {2,}/).at(-3) ?? 'none')
    }
    agree(ledger, 3)
  })
})

it('each mapping has as many assumed and lost lines on the page Mappings as in the reference', async () => {
  const ledger = openLedger()
  for (const [id = '', , , , assumed = '', lost = ''] of rowsOf(await page('/mappings'), 'mappings')) {
    ledger.note(`${id}: assumed, lost`, '/mappings', `${assumed}, ${lost}`)
  }
  for (const [, id, assumed, lost] of readFileSync('mappings/README.md', 'utf8').matchAll(
    /^\| \[([\w-]+)\]\(#[^|]*\|[^|]*\|[^|]*\|[^|]*\| (\S+) \| (\S+) \|$/gm,
  )) {
    ledger.note(`${id}: assumed, lost`, 'mappings/README.md', `${assumed}, ${lost}`.replaceAll('—', '–'))
  }
  agree(ledger, 15)
})

it('a client’s guide has the calls that its page has', async () => {
  const ledger = openLedger()
  const client = planted.clients[3] ?? ''
  const guide = await json<{ readonly operations: readonly { readonly operation: string; readonly calls: number }[] }>(
    `/clients/${client}/guide?format=json`,
  )
  const text = (await callLegacy(planted.adminUrl, { path: `/clients/${client}/guide?format=md` })).text
  for (const [operation = '', calls = ''] of rowsOf(await page(`/clients/${client}`), 'operations')) {
    ledger.note(`calls of ${operation}`, `/clients/${client}`, calls)
    ledger.note(
      `calls of ${operation}`,
      'planted',
      countWhere((sent) => sent.client === client && sent.operation === operation),
    )
  }
  for (const { operation, calls } of guide.operations) ledger.note(`calls of ${operation}`, 'guide, JSON', calls)
  for (const [, operation = '', calls = ''] of text.matchAll(
    /^## ([\w-]+)\n\n(?:`[^`]+`: )?([\d,]+) calls?, the last/gm,
  )) {
    ledger.note(`calls of ${operation}`, 'guide, Markdown', calls)
  }
  const { clients } = await json<ClientsReport>('/clients')
  const invoices = clients.find((one) => one.client === client)?.operations['invoice-list']
  expect(invoices).toMatchObject({ seen: 3, other: 1 })
  expect(textOf(await page(`/clients/${client}`))).toContain('1 call sent members that are not in the mapping.')
  agree(ledger, 5)
})

describe('a replay of this traffic', () => {
  it('has the same figures in report.json, report.html, junit.xml and on the terminal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'figures-'))
    closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
    const { services, recording } = planted
    const ran = await runCommand([
      ...['replay', recording, '--legacy', services.legacy, '--v1', services.v1, '--report', folder, '--target', '0.5'],
      ...['--client-id', 'demo-client', '--secret-key', 'demo-secret'],
    ])
    expect(ran.exit, ran.errors).toBe(1)
    const [text, html, xml] = ['report.json', 'report.html', 'junit.xml'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    const report: Report = JSON.parse(text ?? '')
    const ledger = openLedger()
    const verdicts = new Map(
      Array.from(
        (html ?? '').matchAll(/<tr><td><a href="#([\w-]+)">([\s\S]*?)<\/tr>/g),
        ([, operation = '', row = '']) => [
          operation,
          Array.from(row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g), ([, cell = '']) => textOf(`<main>${cell}`).trim()),
        ],
      ),
    )
    for (const {
      operation,
      totals,
      matchRate,
      lowerBound,
      needed,
      target,
      units,
      errors,
      empty,
      says,
    } of report.operations) {
      const shown = totals.matched + totals.ignored + totals.mismatched > errors.matched + errors.mismatched + empty
      const [rate, bound] = shown ? [cut(matchRate), cut(lowerBound)] : ['–', '–']
      const note = (place: string, facts: Readonly<Record<string, string | number>>) => {
        for (const [name, figure] of Object.entries(facts)) ledger.note(`${operation}: ${name}`, place, figure)
      }
      note('report.json', { calls: totals.requests, rate, bound, target: cut(target), units: units.distinct, needed })
      const [, calls = '', rateThere = '', boundThere = '', targetThere = '', unitsThere = ''] =
        verdicts.get(operation) ?? []
      note('report.html', { calls, rate: rateThere, bound: boundThere, target: targetThere, units: unitsThere })
      const line = ran.output.split('\n').find((one) => one.startsWith(`${operation} `)) ?? ''
      const [, callsSaid = '', rateSaid = '', boundSaid = '', saysSaid = '', neededSaid = ''] = line
        .trim()
        .split(/ {2,}/)
      note('terminal', { calls: callsSaid, rate: rateSaid, bound: boundSaid, needed: neededSaid })
      expect(saysSaid).toBe(says)
      const mismatch = new RegExp(
        `<testsuite name="${operation}"[\\s\\S]*?(\\d+) of (\\d+) exchanges? mismatched \\(match rate ([^)]*)\\)`,
      ).exec(xml ?? '')
      if (totals.mismatched > 0) note('junit.xml', { rate: mismatch?.[3] ?? 'none' })
    }
    const outcomes = ['matched', 'ignored', 'mismatched', 'failed', 'skipped'] as const
    const tiles = figuresOf(html ?? '')
    for (const outcome of outcomes) {
      ledger.note(outcome, 'report.json', report.totals[outcome])
      ledger.note(outcome, 'report.json, added up', sum(report.operations.map(({ totals }) => totals[outcome])))
      ledger.note(outcome, 'report.html', tiles[outcome] ?? 'none')
      ledger.note(
        outcome,
        'terminal',
        new RegExp(`([\\d,]+) ${outcome}[,.]`).exec(
          ran.output.split('\n').find((one) => / matched, /.test(one)) ?? '',
        )?.[1] ?? 'none',
      )
    }
    const sentence = / (\d+ of the \d+ operations that can be compared [^\n]*)/.exec(ran.output)?.[1] ?? 'none'
    expect(textOf(html ?? '')).toContain(sentence)
    expect(sentence).toMatch(new RegExp(`^${report.overall.ready} of the ${report.overall.of} `))
    ledger.note('proven', 'report.json', report.overall.ready)
    ledger.note(
      'proven',
      'report.json, operations',
      report.operations.filter(({ verdict }) => verdict === 'ready').length,
    )
    agree(ledger, 30)
  }, 120_000)
})
