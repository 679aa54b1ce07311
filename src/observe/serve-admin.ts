import { Hono } from 'hono'
import { adminToken } from './admin-token.ts'
import { answerNotFound } from './dashboard/serve-dashboard.ts'
import { ownName } from './own-name.ts'

export interface AdminOptions {
  /** Undefined: none is wanted, which only a loopback address allows. */
  readonly token: string | undefined
  /** Whether the gateway can answer calls: v1 answers, and the gateway is not going down. */
  readonly isReady: () => Promise<boolean>
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** The pages for people. */
  readonly dashboard: Hono
  /** Answers `POST /explain`. */
  readonly explain: Hono
  /** The results of comparing, and what is compared (DESIGN, section 8). */
  readonly experiments: () => object
  /** The OpenAPI description of the legacy interface. */
  readonly openapi: () => object
}

/** The admin port: what an orchestrator asks. Every path but `/healthz` and `/readyz` needs the token. */
export function serveAdmin({ token, isReady, metrics, dashboard, explain, experiments, openapi }: AdminOptions): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) =>
    (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
  )
  app.use(ownName(token))
  app.use(adminToken(token))
  app.route('/', dashboard)
  app.route('/', explain)
  app.get('/metrics', async (c) => {
    const { contentType, text } = await metrics()
    return c.body(text, 200, { 'content-type': contentType })
  })
  app.get('/experiments', (c) => c.json(experiments()))
  app.get('/openapi.json', (c) => c.json(openapi()))
  app.notFound(answerNotFound)
  return app
}
