import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie, setCookie } from 'hono/cookie'
import { etag } from 'hono/etag'
import { html } from 'hono/html'
import { PAGE_STYLE } from '../../../common/page-alone.ts'
import { auditPage, readAuditFilter } from './audit-page.ts'
import { brownoutsPage } from './brownouts-page.ts'
import { clientPage } from './client-page.ts'
import { clientsCsv } from './clients-csv.ts'
import { readClientsFilter, readDays } from './clients-filter.ts'
import { clientsPage } from './clients-page.ts'
import { differencesPage } from './differences-page.ts'
import { explainedPage, explainPage } from './explain-page.ts'
import { fleetPage } from './fleet-page.ts'
import { answerNotFound, answerPage, isForm, type Page, readForm, wantsPage } from './layout.ts'
import { mappingPage, mappingsPage } from './mapping-pages.ts'
import { rolloutPage } from './rollout-page.ts'
import { serveOrders } from './serve-orders.ts'
import { sideBySidePage } from './side-by-side-page.ts'
import { VISIT_COOKIE } from './since-choice.ts'
import type { DashboardSources } from './sources.ts'
import { switchOffPage } from './switch-off-page.ts'
import { readTrafficFilter } from './traffic-filter.ts'
import { trafficPage } from './traffic-page.ts'
import { withWarnings } from './warnings.ts'
import { wordsPage } from './words-page.ts'

export type { DashboardSources } from './sources.ts'

/** Leaves room for forms that encode each byte of a body as three. */
const MAX_FORM_BYTES = 4 * 1024 * 1024

/**
 * Serves the HTML pages of the admin port. Mount it before the handlers that answer `POST /explain`, `GET /audit`,
 * `GET /clients` and `POST /cutover/…` with JSON: it takes what browsers send there and passes all other requests on.
 */
export function serveDashboard(sources: DashboardSources): Hono {
  const app = new Hono()
  app.use(withWarnings(sources))
  const page = (path: string, make: (c: Context) => Made) =>
    app.get(path, async (c) => {
      const made = await make(c)
      return made === undefined ? answerNotFound(c) : answerPage(c, made)
    })
  /** Programs get JSON at the same path. */
  const pageForBrowsers = (path: string, make: (c: Context) => Made) =>
    app.get(path, async (c, next) => {
      c.header('vary', 'Accept')
      return wantsPage(c) ? answerPage(c, (await make(c)) as Page) : next()
    })
  app.get('/', async (c) => {
    // The page Traffic used to be here: links to parts of it still work.
    const { search, searchParams } = new URL(c.req.url)
    if (FILTERS.some((name) => searchParams.has(name))) return c.redirect(`/traffic${search}`, 302)
    const asked = { since: c.req.query('since'), visits: getCookie(c, VISIT_COOKIE) }
    const made = await switchOffPage(sources, asked)
    // A page that renews itself is no visit: `refresh.js` says so. Browsers tell it only to hosts with HTTPS and to localhost.
    if (c.req.header('x-renewal') === undefined) {
      setCookie(c, VISIT_COOKIE, made.visits, { path: '/', httpOnly: true, sameSite: 'Strict', maxAge: VISITS_KEPT_S })
    }
    return answerPage(c, made)
  })
  page('/traffic', (c) => trafficPage(sources, readTrafficFilter(queryOf(c))))
  pageForBrowsers('/clients', (c) => clientsPage(sources, readClientsFilter(queryOf(c))))
  app.get('/clients.csv', async (c) => {
    const csv = await clientsCsv(sources, readClientsFilter(queryOf(c)))
    return csv === undefined
      ? c.text('Usage cannot be read now; try again.', 503, { 'cache-control': 'no-store' })
      : c.body(csv, 200, CSV_HEADERS)
  })
  // A name that no path can hold comes in the query.
  page('/clients/:client', (c) =>
    clientPage(sources, c.req.query('client') ?? c.req.param('client') ?? '', readDays(c.req.query('days'))),
  )
  page('/side-by-side', () => sideBySidePage(sources))
  page('/side-by-side/:operation', (c) => differencesPage(sources, c.req.param('operation') ?? ''))
  page('/explain', (c) => explainPage(sources, new URL(c.req.url).searchParams))
  app.post('/explain', (c, next) => (isForm(c) ? limitForm(c, next) : next()))
  app.post('/explain', async (c, next) => {
    const form = await readForm(c)
    return form === undefined ? next() : answerPage(c, explainedPage(sources, form))
  })
  page('/mappings', () => mappingsPage(sources))
  page('/mappings/:operation', (c) => mappingPage(sources, c.req.param('operation') ?? ''))
  page('/rollout', () => rolloutPage(sources))
  pageForBrowsers('/audit', (c) => auditPage(sources, readAuditFilter(queryOf(c))))
  pageForBrowsers('/brownouts', () => brownoutsPage(sources))
  page('/fleet', () => fleetPage(sources))
  page('/words', () => wordsPage())
  app.get('/changes', (c) => sources.changes.answer(c))
  app.route('/', serveOrders(sources))
  app.route('/', serveAssets())
  app.notFound(answerNotFound)
  return app
}

/** A page, or undefined if there is none. */
type Made = Page | undefined | Promise<Page | undefined>

/** Returns a function that reads the parameters of the query. */
const queryOf = (c: Context) => (name: string) => c.req.query(name)

const CSV_HEADERS = {
  ...{ 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="clients.csv"' },
  ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
}

/** Browsers keep no cookie for longer. */
const VISITS_KEPT_S = 400 * 24 * 3_600

/** The parameters of the page Traffic. */
const FILTERS = ['operation', 'client', 'minutes']

const limitForm = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: (c) => {
    const content = html`<h1>Too large</h1>
<p class="lead">The <a href="/explain">form</a> accepts calls of up to ${MAX_FORM_BYTES / 1024 / 1024} MiB.</p>`
    return answerPage(c, { title: 'Too large', section: '/explain', content }, 413)
  },
})

const CSS = 'text/css; charset=utf-8'
const JS = 'text/javascript; charset=utf-8'

const beside = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))
const { resolve } = createRequire(import.meta.url)
const uplot = (name: string): Buffer => readFileSync(resolve(`uplot/dist/${name}`))

/** Serves the files that pages load; they are read once. */
function serveAssets(): Hono {
  const files = [
    ['style.css', CSS, Buffer.from(PAGE_STYLE)],
    ['plots.js', JS, beside('plots.js')],
    ['refresh.js', JS, beside('refresh.js')],
    ['times.js', JS, beside('times.js')],
    ['uplot.css', CSS, uplot('uPlot.min.css')],
    ['uplot.js', JS, uplot('uPlot.iife.min.js')],
  ] as const
  const app = new Hono()
  app.use('/assets/*', etag())
  for (const [name, type, bytes] of files) {
    const headers = { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }
    app.get(`/assets/${name}`, (c) => c.body(new Uint8Array(bytes), 200, headers))
  }
  return app
}
