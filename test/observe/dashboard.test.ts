import { describe, expect, it } from 'vitest'
import { WORDS } from '../../src/control-plane/admin/dashboard/words-page.ts'
import { busyDashboard } from '../support/busy-dashboard.ts'
import { dashboardSources, reference, well } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const quiet = await openDashboard(dashboardSources())
const busy = await openDashboard(busyDashboard())

const PAGES = [
  '/',
  '/traffic',
  '/clients',
  '/side-by-side',
  '/side-by-side/invoice-list',
  '/explain',
  '/mappings',
  '/mappings/package',
  '/rollout',
  '/audit',
  '/fleet',
]
const EVERYWHERE = [...PAGES, '/words']

const read = async (path: string, from = busy): Promise<string> => textOf((await from.get(path)).text)

describe.each(PAGES)('the page %s', (path) => {
  it.each([
    ['when nothing has happened', quiet],
    ['in the middle of a migration', busy],
  ])('is complete, loads nothing from elsewhere and has nothing inline, %s', async (_, dashboard) => {
    const { status, headers, text } = await dashboard.get(path)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=UTF-8')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers['cache-control']).toBe('no-store')
    expect(text.match(/<script(?![^>]*\ssrc="\/assets\/)|<style|\sstyle=|\son\w+=|javascript:/gi)).toBeNull()
    expect(text.match(/(?:src|href|action)="(?!\/|#|data:image\/svg)[^"]*"/g)).toBeNull()
  })

  it('marks itself in the navigation, has one first heading, and names every table and every field', async () => {
    const { text } = await busy.get(path)
    expect(text).toContain('<html lang="en">')
    expect(text.match(/aria-current="(page|true)"/g)).toHaveLength(1)
    expect(text.match(/<h1>/g)).toHaveLength(1)
    expect(text.indexOf('href="#content"')).toBeLessThan(text.indexOf('<header>'))
    expect(text.match(/<caption/g)?.length).toBe(text.match(/<table/g)?.length)
    expect(text.match(/<th (?!scope=)/g)).toBeNull()
    for (const [, id] of text.matchAll(/<(?:select|input|textarea) id="([^"]+)"/g)) {
      expect(text).toContain(`<label for="${id}">`)
    }
    const ids = Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])
  })
})

describe('the end of every page', () => {
  it.each(EVERYWHERE)(
    'on %s says when it was made, which gateway made it, and which services in which releases it is about',
    async (path) => {
      const { text } = await busy.get(path)
      const footer = text.slice(text.indexOf('<footer')).replaceAll(/<[^>]*>/g, '')
      expect(footer).toMatch(/As of 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d ?\. ?All times are UTC\./)
      expect(footer).toContain('legacy-gateway 1.2.3')
      expect(footer).toContain(`v1 ${well.services.v1} (release 2026.11.3)`)
      expect(footer).toContain(`legacy ${well.services.legacy} (no release seen)`)
    },
  )
})

describe('the words', () => {
  it('are defined once each, and can be linked to', async () => {
    const { text } = await busy.get('/words')
    const terms = Array.from(text.matchAll(/<dt id="([^"]+)">/g), ([, id]) => id)
    expect(terms).toEqual(expect.arrayContaining(['unit', 'drift', 'place', 'unexcused', 'round-trip', 'lineage']))
    expect(new Set(terms).size).toBe(terms.length)
  })
})

describe('a current problem', () => {
  const SOMEWHERE = [...PAGES, '/nothing']
  const lanes = (upstream: string, ...names: readonly string[]) => names.map((lane) => ({ upstream, lane, open: true }))

  it.each(SOMEWHERE)('is shown first on %s: services that are down, calls that are refused', async (path) => {
    const breakers = [...lanes('v1', 'reads', 'others'), { upstream: 'legacy', lane: 'reads', open: false }]
    const down = dashboardSources({ state: async () => ({ ...well, v1: 'down', legacy: 'down', breakers }) })
    const { text } = await (await openDashboard(down)).get(path)
    expect(textOf(text)).toMatch(
      /^ v1 is down\. .*The legacy service is down\. .*Calls to v1 are refused for now \( ?reads, others\):/,
    )
    expect(text.match(/role="alert"/g)).toHaveLength(1)
    expect(text.indexOf('role="alert"')).toBeLessThan(text.indexOf('<h1>'))
  })

  it.each(SOMEWHERE)('is shown first on %s: why the newest rollout file was refused', async (path) => {
    expect(await read(path)).toMatch(
      /^ The newest version of the rollout file was refused; .*operations\.invoice-lst: no such operation/,
    )
  })

  it.each(SOMEWHERE)('is shown first on %s: results that cannot be stored', async (path) => {
    const failure = { since: '2025-03-04T12:30:00.000Z', reason: 'database is <locked>' }
    const sources = dashboardSources({ results: () => ({ failure }) })
    const { text } = await (await openDashboard(sources)).get(path)
    expect(textOf(text)).toMatch(
      /^ Comparison results have not been stored since 2025-03-04 12:30:00 ?: database is <locked>\./,
    )
    expect(text.match(/role="alert"/g)).toHaveLength(1)
  })

  it.each(SOMEWHERE)('is not shown on %s while all is well, even without a legacy service', async (path) => {
    const { legacy: _, ...alone } = well
    for (const state of [well, alone]) {
      const { text } = await (await openDashboard(dashboardSources({ state: async () => state }))).get(path)
      expect(text).not.toContain('role="alert"')
    }
  })
})

describe('the mappings', () => {
  it('list every operation with its place on both sides', async () => {
    const rows = rowsOf((await quiet.get('/mappings')).text, 'mappings')
    expect(rows.map(([operation]) => operation)).toEqual(reference.map(({ id }) => id))
    expect(rows.find(([operation]) => operation === 'import-complete')?.slice(1, 4)).toEqual([
      'POST /api/single/point/import/complete',
      'POST /api/v1/shipment/single-point-imports/{id}/complete',
      'write',
    ])
    expect(rows.find(([operation]) => operation === 'charge-list')?.slice(2)).toEqual([
      'no equivalent',
      'read',
      '–',
      '–',
    ])
  })

  it('show an operation before and after: routes, members, statuses, and an example of both sides', async () => {
    const { text } = await quiet.get('/mappings/import-complete')
    expect(rowsOf(text, 'lines-request')).toContainEqual(expect.arrayContaining(['id', '{id}']))
    expect(rowsOf(text, 'lines-answer')).toContainEqual(['204', '200', 'status', 'documented', '', 'the mapping'])
    expect(rowsOf(text, 'lines-error').length).toBeGreaterThan(10)
    expect(textOf(text)).toMatch(/Legacy POST \/api\/single\/point\/import\/complete \{ "id": 1 \} v1 POST/)
  })

  it('name unchanged members together, not in a row each', async () => {
    const { text } = await quiet.get('/mappings/invoice-list')
    expect(text).toContain('<li><code>data[].number</code></li>')
    expect(rowsOf(text, 'lines-answer').map(([legacy]) => legacy)).not.toContain('data[].number')
  })
})

describe('the rollout page', () => {
  it('shows who answers what, for whom, since when, and what is compared', async () => {
    const { text } = await busy.get('/rollout')
    const rows = rowsOf(text, 'rollout')
    expect(rows[0]).toEqual(['auth', 'v1', '100 %', 'none', '25 %', 'no', 'not measured', '99 %', 'none'])
    expect(rows.find(([operation]) => operation === 'invoice-list')).toEqual([
      'invoice-list',
      'legacy',
      '25 %',
      'demo-client v1 warehouse-izmir legacy',
      '100 %',
      'no',
      'measured',
      '99.9 %',
      'none',
    ])
    expect(rowsOf(text, 'ignore')).toEqual([
      ['currency-list', '[].rate', '', 'rates move between two reads', '', '2025-03-04 12:00:00'],
      ['all', 'message', '', 'wording', '', '2025-03-04 12:00:00'],
    ])
    const shown = textOf(text)
    expect(shown).toContain('read at 2025-03-04 09:00:00')
    expect(shown).toMatch(/Queue 256 calls Concurrency 8 Time-out 5,000 ms/)
  })

  it('says which percentages move by themselves, and links what they wait for', async () => {
    const { rollout } = dashboardSources()
    const operations = rollout().operations.map((row) => ({
      ...row,
      serve: 'legacy' as const,
      v1Percent: 25,
      hasPlan: true,
      plan: { steps: [12.5, 25, 100] } as unknown as NonNullable<(typeof row)['plan']>,
    }))
    const { get } = await openDashboard(dashboardSources({ rollout: () => ({ ...rollout(), operations }) }))
    const { text } = await get('/rollout')
    expect(rowsOf(text, 'rollout')[0]?.[2]).toBe('25 % by its plan : 12.5, 25, 100')
    expect(text).toContain('href="/#operation-auth"')
  })

  it('does not claim that what can never be compared is', async () => {
    const { rollout } = dashboardSources()
    const operations = rollout().operations.map((row) => ({ ...row, shadow: 1, neverCompared: 'a write' }))
    const { get } = await openDashboard(dashboardSources({ rollout: () => ({ ...rollout(), operations }) }))
    expect(rowsOf((await get('/rollout')).text, 'rollout')[0]?.[4]).toBe('never: a write')
  })

  it('shows the defaults without a rollout file', async () => {
    expect(await read('/rollout', quiet)).toContain(
      'ROLLOUT_FILE is not set: v1 answers everything that it can ( SERVE ), and nothing is compared',
    )
  })
})

describe('an unknown path', () => {
  it.each([
    '/nothing',
    '/side-by-side/nothing',
    '/mappings/nothing',
    '/mappings/%3Cscript%3E',
    '/assets/nothing.js',
    '/assets/..%2Ftable.ts',
  ])('%s is answered with a page for browsers, and JSON for programs', async (path) => {
    const page = await busy.get(path)
    expect([page.status, page.headers['content-security-policy'] !== undefined]).toEqual([404, true])
    expect(textOf(page.text)).toContain('No such page.')
    expect(page.text).toContain('<nav')
    const json = await busy.call({ path })
    expect([json.status, JSON.parse(json.text)]).toEqual([404, { message: 'No such path.' }])
  })
})

describe('the files of the pages', () => {
  it.each([
    ['/assets/style.css', 'text/css; charset=utf-8', 'prefers-color-scheme: dark'],
    ['/assets/plots.js', 'text/javascript; charset=utf-8', 'new uPlot'],
    ['/assets/uplot.js', 'text/javascript; charset=utf-8', 'uPlot'],
    ['/assets/uplot.css', 'text/css; charset=utf-8', '.uplot'],
  ])('%s is served with its content type, and as a 304 to a browser that has it', async (path, type, part) => {
    const { status, headers, text } = await quiet.get(path)
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, type, 'nosniff'])
    expect(text).toContain(part)
    const again = await quiet.call({ path, headers: { 'if-none-match': headers.etag ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it.each(PAGES)('that the page %s explains are explained on it, each once', async (path) => {
    const { text } = await busy.get(path)
    const asked = new Set(Array.from(text.matchAll(/popovertarget="([^"]+)"/g), ([, id]) => id))
    const explained = Array.from(text.matchAll(/<div id="(meaning-of-[^"]+)"/g), ([, id]) => id)
    expect(explained.toSorted()).toEqual([...asked].toSorted())
  })

  it('are explained where they stand, on the pages about comparisons and plans', async () => {
    const paths = [...PAGES, '/cutover/currency-list/advance']
    const pages = await Promise.all(
      [quiet, busy].flatMap((dashboard) => paths.map(async (path) => (await dashboard.get(path)).text)),
    )
    const explained = Object.keys(WORDS).filter((word) =>
      pages.some((page) => page.includes(`id="meaning-of-${word.replaceAll(' ', '-')}"`)),
    )
    expect(Object.keys(WORDS).filter((word) => !explained.includes(word))).toEqual(['checked', 'round trip'])
  })
})
