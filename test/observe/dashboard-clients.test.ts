import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { DashboardSources } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import type { UsageRow } from '../../src/control-plane/usage/usage.ts'
import { dashboardSources, NOW, trafficAt } from '../support/dashboard-sources.ts'
import { knownFrom, used } from '../support/known-usage.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString()

const openedWith = (rows: readonly UsageRow[], said: Partial<DashboardSources> = {}) =>
  openDashboard(dashboardSources({ usage: knownFrom(rows, NOW), ...said }))

const pageOf = async (rows: readonly UsageRow[], path = '/clients', said: Partial<DashboardSources> = {}) =>
  (await (await openedWith(rows, said)).get(path)).text

const clientsOf = (html: string, id = 'clients'): readonly string[] => rowsOf(html, id).map(([client = '']) => client)

/** Three that call, one of which did so long ago as well; two that have stopped; one of the year before. */
const SOME: readonly UsageRow[] = [
  used('anna', 'price', daysAgo(0), {
    calls: 10,
    clientErrors: 2,
    serverErrors: 1,
    byV1: 4,
    byLegacy: 6,
    agents: ['curl/8'],
  }),
  used('anna', 'invoice-list', daysAgo(2), { calls: 30 }),
  used('anna', 'price', daysAgo(60), { calls: 100 }),
  used('berta', 'price', daysAgo(3), { calls: 50, byV1: 0, byLegacy: 50 }),
  used('İzmir Çiçek', 'invoice-list', daysAgo(6), { calls: 5, clientErrors: 5 }),
  used('long-gone', 'price', daysAgo(80), { calls: 7 }),
  used('just-gone', 'price', daysAgo(9), { calls: 3 }),
  used('last-year', 'price', daysAgo(300)),
  used('unidentified', 'unknown', daysAgo(1), { calls: 1_204 }),
]

describe('the page Clients', () => {
  it('says in a sentence how many clients still call, and how many have stopped', async () => {
    expect(textOf(await pageOf(SOME))).toContain(
      '3 clients still call (1 today); 2 have stopped. Some calls have no identified client.',
    )
    expect(textOf(await pageOf([used('anna', 'price', daysAgo(0))]))).toContain(
      '1 client still calls (1 today); none has stopped.',
    )
    expect(textOf(await pageOf([used('anna', 'price', daysAgo(8))]))).toContain(
      'No client calls; 1 has stopped. Who calls',
    )
  })

  it('shows who calls what, how much, by whom it was answered, when last, and with which program', async () => {
    const rows = rowsOf(await pageOf(SOME), 'clients')
    expect(rows.map((row) => row.filter((_, index) => index !== 6))).toEqual([
      ['berta', 'price (50)', '50', '0', '0', '50', '2025-03-01 12:34:56', ''],
      ['anna', 'invoice-list (30), price (10)', '40', '3', '34', '6', '2025-03-04 12:34:56', 'curl/8'],
      ['İzmir Çiçek', 'invoice-list (5)', '5', '5', '5', '0', '2025-02-26 12:34:56', ''],
    ])
  })

  it('draws the calls of twelve weeks, and says their numbers', async () => {
    const html = await pageOf(SOME)
    expect(html).toContain('aria-label="Calls per week, the oldest first: 0; 0; 0; 100; 0; 0; 0; 0; 0; 0; 0; 40"')
    expect(await pageOf(SOME, '/clients?operation=price')).toContain('first: 0; 0; 0; 100; 0; 0; 0; 0; 0; 0; 0; 10"')
  })

  it('shows apart who called in the last 90 days but not in the last 7, the latest to stop first', async () => {
    const html = await pageOf(SOME)
    expect(clientsOf(html, 'stopped-clients')).toEqual(['just-gone', 'long-gone'])
    expect(clientsOf(await pageOf(SOME, '/clients?days=400'), 'stopped-clients')).toEqual([
      ...['just-gone', 'long-gone', 'last-year'],
    ])
  })

  it.each([7, 30])('takes the last seven days whole, whichever days are shown: %i', async (days) => {
    const around = [
      used('still', 'price', '2025-02-26T00:00:00.000Z'),
      used('gone', 'price', '2025-02-25T23:59:59.999Z'),
    ]
    const html = await pageOf(around, `/clients?days=${days}`)
    expect([clientsOf(html), clientsOf(html, 'stopped-clients')]).toEqual([['still'], ['gone']])
  })

  it('counts calls of nobody’s name apart', async () => {
    const html = await pageOf(SOME)
    expect(clientsOf(html)).not.toContain('unidentified')
    expect(textOf(html)).toContain('Not in this table: 1,204 calls under unidentified')
  })

  it.each([
    ['?days=7', ['berta', 'anna', 'İzmir Çiçek']],
    ['?client=IZMIR', ['İzmir Çiçek']],
    ['?client=nn', ['anna']],
    ['?operation=invoice-list', ['anna', 'İzmir Çiçek']],
    ['?operation=price&client=b', ['berta']],
    ['?days=12&sort=nothing&page=-1', ['berta', 'anna', 'İzmir Çiçek']],
  ])('is filtered by %s', async (query, shown) => {
    expect(clientsOf(await pageOf(SOME, `/clients${query}`))).toEqual(shown)
  })

  it('counts the calls of the days and of the operation that are chosen', async () => {
    const callsOf = async (query: string) =>
      rowsOf(await pageOf(SOME, `/clients${query}`), 'clients').find(([client]) => client === 'anna')
    expect((await callsOf('?days=90'))?.[2]).toBe('140')
    expect((await callsOf('?operation=price'))?.slice(0, 3)).toEqual(['anna', '10', '3'])
  })

  it.each([
    ['client', 'ascending', ['anna', 'berta', 'İzmir Çiçek']],
    ['operations', 'descending', ['anna', 'berta', 'İzmir Çiçek']],
    ['calls', 'descending', ['berta', 'anna', 'İzmir Çiçek']],
    ['errors', 'descending', ['İzmir Çiçek', 'anna', 'berta']],
    ['v1', 'descending', ['anna', 'İzmir Çiçek', 'berta']],
    ['legacy', 'descending', ['berta', 'anna', 'İzmir Çiçek']],
    ['last', 'descending', ['anna', 'berta', 'İzmir Çiçek']],
  ])('is sorted by %s, and the other way round by the same head', async (sort, way, order) => {
    const html = await pageOf(SOME, `/clients?sort=${sort}`)
    expect(clientsOf(html)).toEqual(order)
    expect(html.match(/aria-sort="(?!none)(\w+)"/)?.[1]).toBe(way)
    const [, turned = ''] = /aria-sort="(?:as|des)cending"><a class="sort" href="([^"]*)"/.exec(html) ?? []
    expect(clientsOf(await pageOf(SOME, turned.replaceAll('&amp;', '&'))).toSorted()).toEqual(order.toSorted())
    expect(clientsOf(await pageOf(SOME, turned.replaceAll('&amp;', '&')))).not.toEqual(order)
  })

  it('has 200 clients a page, and links to the others that keep the filter', async () => {
    const many = Array.from({ length: 450 }, (_, index) =>
      used(`shop-${index}`, 'price', daysAgo(0), { calls: 1_000 - index }),
    )
    const html = await pageOf(many, '/clients?client=shop&page=2')
    expect(clientsOf(html)).toEqual(Array.from({ length: 200 }, (_, index) => `shop-${index + 200}`))
    expect(textOf(html)).toContain('201 to 400 of 450')
    expect(textOf(html)).toContain('450 clients still call')
    const [, next = ''] = /rel="next" href="([^"]*)"/.exec(html) ?? []
    expect(clientsOf(await pageOf(many, next.replaceAll('&amp;', '&')))).toHaveLength(50)
    expect(clientsOf(await pageOf(many, '/clients?page=99999'))).toHaveLength(50)
    const gone = many.map((row) => ({ ...row, day: daysAgo(20).slice(0, 10), lastAt: daysAgo(20) }))
    expect(clientsOf(await pageOf(gone, '/clients?stopped=2'), 'stopped-clients')).toHaveLength(50)
  })

  it.each([
    ['nobody has called', [], '', 'No client has called in the last 30 days.'],
    ['nobody has called for a year', SOME.slice(-2, -1), '', 'No client has called in the last 30 days.'],
    ['all have stopped', [used('anna', 'price', daysAgo(8))], '', 'No client has called in the last 7 days.'],
    ['none matches', SOME, '?client=zoe', 'No client that matches this filter has called in the last 30 days.'],
    ['none has stopped', [used('anna', 'price', daysAgo(0))], '', 'None is known.'],
  ])('says in words that %s', async (_, rows, query, says) => {
    expect(textOf(await pageOf(rows, `/clients${query}`))).toContain(says)
  })

  it('says that usage cannot be read, and shows what was counted in memory since the start', async () => {
    const traffic = trafficAt()
    traffic.at(5, 'price', 'anna', 500)
    const html = (await (await openDashboard(dashboardSources({ traffic: traffic.snapshot }))).get('/clients')).text
    expect(textOf(html)).toContain(
      'Usage cannot be read now: STATE_DB is not available. The counts below are from this replica’s memory, since 2025-03-04 07:34:56',
    )
    expect(rowsOf(html, 'clients')).toEqual([['anna', 'price (1)', '1', '1', '1', '0', '2025-03-04 12:29:56', '']])
    expect(textOf((await (await openDashboard(dashboardSources())).get('/clients')).text)).toContain(
      'No client has called since 2025-03-04 07:34:56',
    )
  })

  it('is for browsers: calls of programs are passed on, and caches learn the difference', async () => {
    const dashboard = await openedWith(SOME)
    const { status, headers } = await dashboard.call({ path: '/clients', headers: { accept: 'application/json' } })
    expect([status, headers.vary]).toEqual([404, 'Accept'])
    expect((await dashboard.get('/clients')).headers.vary).toBe('Accept')
  })
})

const NAMES = [
  'a/b?c=1#d',
  '..',
  '.',
  '~',
  '%2e%2e',
  '100%',
  'Işıl Çiçekçilik & Gıda A.Ş.',
  'متجر القاهرة',
  '<b>"x\'y',
  'ş'.repeat(200),
]

describe('the page of one client', () => {
  it.each(NAMES)('is linked, whatever the name: %s', async (name) => {
    const dashboard = await openedWith([used(name, 'price', daysAgo(0)), used('..x', 'price', daysAgo(0))])
    const { text } = await dashboard.get(`/clients?client=${encodeURIComponent(name.toWellFormed())}`)
    const [href = ''] = Array.from(text.matchAll(/class="client" href="([^"]*)"/g), ([, path = '']) =>
      path.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
    )
    // As a browser reads a link.
    const { pathname, search } = new URL(href, dashboard.url)
    const { status, text: page } = await dashboard.get(pathname + search)
    expect(status).toBe(200)
    const escaped = name
      .toWellFormed()
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
    expect(page).toContain(`<h1><bdi>${escaped}</bdi></h1>`)
  })

  const SEEN = {
    ...{ calls: 8, other: 1, answered: { id: 6 }, languages: { tr: 8 } },
    members: { page: 8, statusId: 2 },
    ...{ empty: { search: 7 }, removed: { statusId: 1 } },
    statuses: { '200': 6, '406 CARRIER_IS_NOT_FOUND': 2 },
    violations: { 'dateAtBetween.startAt': 1 },
  }
  const ANNA = [
    used('anna', 'price', daysAgo(0), {
      calls: 10,
      clientErrors: 2,
      serverErrors: 1,
      byV1: 4,
      byLegacy: 6,
      agents: ['curl/8'],
      seen: SEEN,
    }),
    used('anna', 'invoice-list', daysAgo(9), { calls: 1 }),
    used('berta', 'price', daysAgo(0)),
  ]

  it('shows its operations, what its calls show, what it gets, and its programs', async () => {
    const html = await pageOf(ANNA, '/clients/anna')
    expect(rowsOf(html, 'operations').map((row) => row.filter((_, index) => index !== 6))).toEqual([
      ['price', '10', '2', '1', '4', '6', '2025-03-04 12:34:56'],
      ['invoice-list', '1', '0', '0', '1', '0', '2025-02-23 12:34:56'],
    ])
    expect(textOf(html)).toContain(
      'What 8 of its 10 calls showed. If a client calls often, the gateway does not examine every call.',
    )
    expect(textOf(html)).toContain('Members that it sends, and in how many of 8 calls')
    expect(rowsOf(html, 'members-0')).toEqual([
      ['page', '8', '0', '0'],
      ['statusId', '2', '0', '1'],
      ['search', '0', '7', '0'],
    ])
    expect(textOf(html)).toContain('1 call sent members that are not in the mapping.')
    expect(rowsOf(html, 'statuses-0')).toEqual([
      ['200', '6'],
      ['406 CARRIER_IS_NOT_FOUND', '2'],
    ])
    expect(rowsOf(html, 'violations-0')).toEqual([['dateAtBetween.startAt', '1']])
    expect(rowsOf(html, 'languages-0')).toEqual([['tr', '8']])
    expect(textOf(html)).toContain('User agents curl/8')
    expect(textOf(html)).toContain('None of its calls was examined.')
    expect(html).not.toContain('berta')
  })

  it('shows its last twelve weeks as bars and as numbers', async () => {
    const html = await pageOf(ANNA, '/clients/anna')
    expect(html).toContain('first: 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 10"')
    expect(rowsOf(html, 'weeks').slice(0, 3)).toEqual([
      ['the last 7 days', '10'],
      ['1 week earlier', '1'],
      ['2 weeks earlier', '0'],
    ])
  })

  it('says of paths that no mapping has that they are not kept, and links no mapping', async () => {
    const html = await pageOf([used('anna', 'unknown', daysAgo(0))], '/clients/anna')
    expect(textOf(html)).toContain(
      'Calls to paths that no mapping has. The paths are not kept by client: those called since the start .',
    )
    expect(html).not.toContain('/mappings/unknown')
  })

  it('links its guide, its traffic and the rollout', async () => {
    const html = await pageOf([used('a b/ş', 'price', daysAgo(0))], '/clients/a%20b%2F%C5%9F')
    expect(html).toContain('href="/clients/a%20b%2F%C5%9F/guide"')
    expect(html).toContain('href="/traffic?client=a%20b%2F%C5%9F"')
    expect(html).toContain('href="/rollout"')
  })

  it('counts the days that are chosen, and says when it has not called in them', async () => {
    const rows = [used('anna', 'price', daysAgo(60), { calls: 12 })]
    expect(textOf(await pageOf(rows, '/clients/anna'))).toContain('It has not called in the last 30 days.')
    expect(rowsOf(await pageOf(rows, '/clients/anna?days=90'), 'operations')[0]?.[1]).toBe('12')
  })

  it('is none of a client that never called', async () => {
    const { status, text } = await (await openedWith(ANNA)).get('/clients/zoe')
    expect([status, textOf(text).includes('Not found')]).toEqual([404, true])
  })

  it('says that usage cannot be read, and shows what was counted in memory', async () => {
    const traffic = trafficAt()
    traffic.at(5, 'price', 'anna')
    const { get } = await openDashboard(dashboardSources({ traffic: traffic.snapshot }))
    const { status, text } = await get('/clients/anna')
    expect(status).toBe(200)
    expect(textOf(text)).toContain('Usage cannot be read now')
    expect(rowsOf(text, 'operations')[0]?.slice(0, 2)).toEqual(['price', '1'])
    expect(textOf((await get('/clients/zoe')).text)).toContain('It has not called since 2025-03-04 07:34:56')
  })
})

const READ_CSV = `import csv, io, json, sys
read = lambda text: list(csv.reader(io.StringIO(text, newline=""), strict=True))
print(json.dumps([read(text) for text in json.loads(sys.stdin.buffer.read())]))`

/** The rows that Python's parser reads in each of these texts, as a program that knows nothing of ours. */
const parsed = (...texts: readonly string[]): readonly (readonly (readonly string[])[])[] =>
  JSON.parse(execFileSync('python3', ['-c', READ_CSV], { input: JSON.stringify(texts), encoding: 'utf8' }))

describe('the clients as CSV', () => {
  const HEAD = [
    'client',
    'standing',
    'operation',
    'days',
    'calls',
    'clientErrors',
    'serverErrors',
    'byV1',
    'byLegacy',
    'firstAt',
    'lastAt',
    'userAgents',
  ]

  it('are all of the page, a row for each operation, with the same filter', async () => {
    const dashboard = await openedWith(SOME)
    const { status, headers, text } = await dashboard.get('/clients.csv')
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      ...[200, 'text/csv; charset=utf-8', 'attachment; filename="clients.csv"'],
    ])
    const filtered = (await dashboard.get('/clients.csv?client=izmir&operation=invoice-list&days=7')).text
    const many = Array.from({ length: 450 }, (_, index) => used(`shop-${index}`, 'price', daysAgo(0)))
    const ofMany = (await (await openedWith(many)).get('/clients.csv?page=2')).text
    const [rows = [], filteredRows = [], rowsOfMany] = parsed(text, filtered, ofMany)
    expect(rows[0]).toEqual(HEAD)
    expect(rows.slice(1).map((row) => row.slice(0, 9).join(' '))).toEqual([
      'berta calls price 30 50 0 0 0 50',
      'anna calls invoice-list 30 30 0 0 30 0',
      'anna calls price 30 10 2 1 4 6',
      'İzmir Çiçek calls invoice-list 30 5 5 0 5 0',
      'just-gone stopped price 90 3 0 0 3 0',
      'long-gone stopped price 90 7 0 0 7 0',
      'unidentified unnamed unknown 30 1204 0 0 1204 0',
    ])
    expect(rows[3]?.slice(9)).toEqual([daysAgo(0), daysAgo(0), 'curl/8'])
    expect(filteredRows.slice(1).map((row) => row.slice(0, 4))).toEqual([['İzmir Çiçek', 'calls', 'invoice-list', '7']])
    expect(rowsOfMany).toHaveLength(451)
  })

  const CELLS: readonly (readonly [name: string, cell: string])[] = [
    ['=HYPERLINK("http://evil.test")', `'=HYPERLINK("http://evil.test")`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r\n=1', "'\r\n=1"],
    ['a;=1+1', 'a;=1+1'],
    ['comma, "quote"\nand line', 'comma, "quote"\nand line'],
    ...[...NAMES, '\ud800 half'].map((name): [string, string] => [name, name.toWellFormed()]),
  ]

  it('survive any name, and none is a formula', async () => {
    const texts = await Promise.all(
      CELLS.map(async ([name]) => {
        const dashboard = await openedWith([used(name, 'price', daysAgo(0), { agents: ['=cmd', 'x'] })])
        return (await dashboard.get('/clients.csv')).text
      }),
    )
    const rows = parsed(...texts).map(([, row]) => row)
    expect(rows.map((row) => [row?.length, row?.[0], row?.at(-1)])).toEqual(
      CELLS.map(([, cell]) => [HEAD.length, cell, "'=cmd | x"]),
    )
    // Not to be split by a spreadsheet that separates by `;`.
    expect(texts.filter((text) => text.split('\r\n')[1]?.startsWith('"') !== true)).toEqual([])
  })

  it('are not given while usage cannot be read', async () => {
    const { status, text } = await (await openDashboard(dashboardSources())).get('/clients.csv')
    expect([status, text]).toEqual([503, 'Usage cannot be read now; try again.'])
  })
})
