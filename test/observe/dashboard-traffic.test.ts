import { describe, expect, it } from 'vitest'
import { dashboardSources, reference, trafficAt } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const quiet = await openDashboard(dashboardSources())

describe('the traffic page', () => {
  const traffic = trafficAt()
  for (let call = 0; call < 98; call++) traffic.at(5, 'invoice-list', 'anna', 200, 10)
  traffic.at(6, 'invoice-list', 'anna', 406, 2_000)
  traffic.at(6, 'invoice-list', 'berta', 502, 2_000)
  traffic.at(90, 'price', 'berta', 200, 40)
  traffic.at(1, undefined, 'nobody', 404, 1)
  const opened = openDashboard(dashboardSources({ traffic: traffic.snapshot }))
  const get = async (path: string) => (await (await opened).get(path)).text

  it('adds up calls, errors and latency of the last hour, by operation, by client and by minute', async () => {
    const html = await get('/traffic')
    expect(textOf(html)).toMatch(/Calls in the last hour Calls 101 4xx 2 1\.98 % 5xx 1 0\.99 %/)
    expect(rowsOf(html, 'by-operation')).toEqual([
      ['invoice-list', '100', '1', '1', '8.5 ms', '1.75 s'],
      ['unknown', '1', '1', '0', '0.8 ms', '1.0 ms'],
    ])
    expect(rowsOf(html, 'by-client').map(([client, calls]) => [client, calls])).toEqual([
      ['anna', '99'],
      ['berta', '1'],
      ['nobody', '1'],
    ])
    expect(rowsOf(html, 'per-minute').map(([minute, ...sums]) => [minute, ...sums.slice(0, 3)])).toEqual([
      ['2025-03-04 12:28:00', '2', '1', '1'],
      ['2025-03-04 12:29:00', '98', '0', '0'],
      ['2025-03-04 12:33:00', '1', '1', '0'],
    ])
  })

  it('shows who has called what since the start, and when last, even before the chosen time', async () => {
    expect(rowsOf(await get('/traffic?minutes=15'), 'who-calls-what')).toEqual([
      ['invoice-list', 'anna', '99', '1', '0', '99', '0', '2025-03-04 12:29:56'],
      ['invoice-list', 'berta', '1', '0', '1', '1', '0', '2025-03-04 12:28:56'],
      ['price', 'berta', '1', '0', '0', '1', '0', '2025-03-04 11:04:56'],
      ['unknown', 'nobody', '1', '1', '0', '1', '0', '2025-03-04 12:33:56'],
    ])
  })

  it('lists the operations that nobody has called', async () => {
    const [, names = ''] = /Operations without calls Since startup: (.*?)\./.exec(textOf(await get('/traffic'))) ?? []
    expect(names).toContain('country-list')
    expect(names).not.toMatch(/invoice-list|price\b/)
  })

  it.each([
    ['?operation=price&minutes=180', [['price', '1']], [['berta', '1']]],
    [
      '?client=berta&minutes=180',
      [
        ['price', '1'],
        ['invoice-list', '1'],
      ],
      [['berta', '2']],
    ],
    ['?operation=invoice-list&client=anna', [['invoice-list', '99']], [['anna', '99']]],
    [
      '?operation=&client=&minutes=',
      [
        ['invoice-list', '100'],
        ['unknown', '1'],
      ],
      [
        ['anna', '99'],
        ['berta', '1'],
        ['nobody', '1'],
      ],
    ],
  ])('is filtered by %s', async (query, operations, clients) => {
    const html = await get(`/traffic${query}`)
    const firstTwo = (id: string) => rowsOf(html, id).map((row) => row.slice(0, 2))
    expect([firstTwo('by-operation'), firstTwo('by-client')]).toEqual([operations, clients])
  })

  it('keeps the filter in the form, and in the links that narrow it down', async () => {
    const html = await get('/traffic?operation=price&client=berta&minutes=180')
    expect(html).toContain('<option value="price" selected>')
    expect(html).toContain('<option value="180" selected>')
    expect(html).toContain('name="client" list="clients" value="berta"')
    expect(html).toContain('href="/traffic?operation=price&amp;client=berta&amp;minutes=180"')
  })

  it('shows all clients, and all pairs of operation and client, page by page', async () => {
    const busy = trafficAt()
    for (let client = 1; client <= 250; client++) busy.at(5, 'price', `client ${client}`)
    const page = await openDashboard(dashboardSources({ traffic: busy.snapshot }))
    const first = (await page.get('/traffic')).text
    expect(first).toContain('href="/traffic?minutes=60&amp;page=2#who-calls-what"')
    expect(first).toContain('href="/traffic?minutes=60&amp;clientsPage=2#by-client"')
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => (await page.get(`/traffic?page=${number}&clientsPage=${number}`)).text),
    )
    const clientsIn = (id: string, at: number) => pages.flatMap((text) => rowsOf(text, id).map((row) => row[at]))
    expect(new Set(clientsIn('who-calls-what', 1)).size).toBe(250)
    expect(new Set(clientsIn('by-client', 0)).size).toBe(250)
    expect(textOf(pages[4] ?? '')).toContain('most calls first: 201 to 250 of 250')
  })

  it('counts 40 clients that call 15 operations in a minute by name, none of them under others', async () => {
    const busy = trafficAt()
    for (const { id } of reference) for (let client = 1; client <= 40; client++) busy.at(5, id, `client ${client}`)
    const { text } = await (await openDashboard(dashboardSources({ traffic: busy.snapshot }))).get('/traffic')
    const counted = (id: string) => rowsOf(text, id).map((row) => row.slice(0, 2))
    expect(counted('by-client').toSorted()).toEqual(
      Array.from({ length: 40 }, (_, index) => [`client ${index + 1}`, `${reference.length}`]).toSorted(),
    )
    expect(counted('by-operation').toSorted()).toEqual(reference.map(({ id }) => [id, '40']).toSorted())
    expect(textOf(text)).not.toContain('others')
  })

  it('says how many calls of a busy minute count under others, whichever client is chosen', async () => {
    const busy = trafficAt()
    for (let client = 1; client <= 642; client++) busy.at(5, 'price', `client ${client}`)
    const page = await openDashboard(dashboardSources({ traffic: busy.snapshot }))
    const says =
      'Calls under others in this time: 2. Each minute counts the first 640 pairs of client and operation by name'
    for (const query of ['', '?client=client+642', '?operation=price']) {
      expect(textOf((await page.get(`/traffic${query}`)).text)).toContain(says)
    }
    expect(textOf((await page.get('/traffic?operation=auth')).text)).not.toContain('Calls under others')
    expect(rowsOf((await page.get('/traffic?client=client+642')).text, 'who-calls-what')).toHaveLength(1)
  })

  it('says what to do when no calls match the filter, and when there are no calls at all', async () => {
    expect(textOf(await get('/traffic?client=carla'))).toMatch(
      /No calls match this filter.*all calls.*No calls since startup/,
    )
    expect(textOf((await quiet.get('/traffic')).text)).toMatch(/The legacy interface has not been called yet\..*reload/)
  })

  it('uses the default for an unknown time', async () => {
    expect(textOf(await get('/traffic?minutes=1e9'))).toContain('Calls in the last hour')
  })
})
