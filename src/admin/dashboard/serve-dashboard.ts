import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { html } from 'hono/html'
import { brownoutsPage } from './brownouts-page.ts'
import { differencesPage } from './differences-page.ts'
import { explainForm, explainPage } from './explain-page.ts'
import { fleetPage } from './fleet-page.ts'
import { answerPage, type Page } from './layout.ts'
import { mappingPage } from './mapping-page.ts'
import { mappingsPage } from './mappings-page.ts'
import { answerNotFound } from './not-found-page.ts'
import { rolloutPage } from './rollout-page.ts'
import { serveAssets } from './serve-assets.ts'
import { sideBySidePage } from './side-by-side-page.ts'
import type { DashboardSources } from './sources.ts'
import { readTrafficFilter } from './traffic-filter.ts'
import { trafficPage } from './traffic-page.ts'
import { withWarnings } from './warnings.ts'

export { answerNotFound } from './not-found-page.ts'
export type { DashboardSources } from './sources.ts'

/** A form may encode each byte of a body as three. */
const MAX_FORM_BYTES = 4 * 1024 * 1024

/**
 * Serves the HTML pages of the admin port. Mount it before the handler that answers `POST /explain` with JSON: it takes the
 * forms sent there and passes all other requests on.
 */
export function serveDashboard(sources: DashboardSources): Hono {
  const app = new Hono()
  app.use(withWarnings(sources))
  const orNotFound = (c: Context, page: Page | undefined) =>
    page === undefined ? answerNotFound(c) : answerPage(c, page)
  app.get('/', async (c) =>
    answerPage(
      c,
      await trafficPage(
        sources,
        readTrafficFilter((name) => c.req.query(name)),
      ),
    ),
  )
  app.get('/side-by-side', async (c) => answerPage(c, await sideBySidePage(sources)))
  app.get('/side-by-side/:operation', async (c) =>
    orNotFound(c, await differencesPage(sources, c.req.param('operation'))),
  )
  app.get('/explain', (c) => answerPage(c, explainPage(sources, new URL(c.req.url).searchParams)))
  app.post('/explain', (c, next) => (isForm(c) ? limitForm(c, next) : next()))
  app.post('/explain', async (c, next) => {
    const form = isForm(c) ? new Uint8Array(await c.req.raw.clone().arrayBuffer()) : undefined
    // `curl -d` labels JSON as a form too, but in a real form a brace is encoded.
    if (form === undefined || form.find((byte) => !SPACE.has(byte)) === BRACE) return next()
    const { status, content } = await (sources.explainAside?.(form) ?? explainForm(sources, form))
    return answerPage(c, { title: 'Explain', section: '/explain', content }, status)
  })
  app.get('/mappings', (c) => answerPage(c, mappingsPage(sources)))
  app.get('/mappings/:operation', (c) => orNotFound(c, mappingPage(sources, c.req.param('operation'))))
  app.get('/rollout', async (c) => answerPage(c, await rolloutPage(sources)))
  // Programs get the same as JSON.
  app.get('/brownouts', (c, next) => {
    c.header('vary', 'Accept')
    const isBrowser = c.req.header('accept')?.includes('text/html') === true
    return isBrowser ? answerPage(c, brownoutsPage(sources)) : next()
  })
  app.get('/fleet', (c) => answerPage(c, fleetPage(sources)))
  app.route('/', serveAssets())
  app.notFound(answerNotFound)
  return app
}

/** Before a JSON text (RFC 8259 section 2), and what begins an object. */
const SPACE = new Set(Buffer.from(' \t\r\n'))
const BRACE = '{'.charCodeAt(0)

const isForm = (c: Context): boolean =>
  c.req.header('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true

const limitForm = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: (c) => {
    const content = html`<h1>Too large</h1>
<p class="lead">The <a href="/explain">form</a> takes calls of up to ${MAX_FORM_BYTES / 1024 / 1024} MiB.</p>`
    return answerPage(c, { title: 'Too large', section: '/explain', content }, 413)
  },
})
