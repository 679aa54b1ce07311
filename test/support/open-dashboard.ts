import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { adminToken } from '../../src/control-plane/admin/admin-access.ts'
import { answerNotFound } from '../../src/control-plane/admin/dashboard/layout.ts'
import { type DashboardSources, serveDashboard } from '../../src/control-plane/admin/dashboard/serve-dashboard.ts'
import { serveCutover } from '../../src/control-plane/admin/serve-cutover.ts'
import { listen } from '../../src/data-plane/http/listen.ts'
import { closeAtEnd } from './clean-up.ts'
import { callLegacy, type LegacyCall, type Reply } from './legacy-client.ts'

export interface OpenedDashboard {
  readonly url: string
  get(path: string): Promise<Reply>
  call(call: LegacyCall): Promise<Reply>
}

/**
 * The dashboard as mounted on the admin port, until the file's tests have run: behind the token check, and in front of what
 * answers programs at the same paths. `POST /explain` answers with the text that it got.
 */
export async function openDashboard(sources: DashboardSources, token?: string): Promise<OpenedDashboard> {
  const app = new Hono()
  app.use(adminToken(token))
  app.route('/', serveDashboard(sources))
  app.route(
    '/',
    serveCutover(
      sources.reference.map(({ id }) => id),
      sources.cutover,
    ),
  )
  app.post('/explain', bodyLimit({ maxSize: 1_048_576 }), async (c) => c.json({ sent: await c.req.text() }))
  app.notFound(answerNotFound)
  const listener = await listen(getRequestListener(app.fetch), '127.0.0.1', 0, 'ADMIN_PORT', { keepAliveMs: 75_000 })
  closeAtEnd(() => listener.close(100))
  return {
    url: listener.url,
    get: (path) => callLegacy(listener.url, { path, headers: { accept: 'text/html' } }),
    call: (call) => callLegacy(listener.url, call),
  }
}
