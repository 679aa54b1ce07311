import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'

export interface AdminOptions {
  /** Undefined: none is wanted, which only a loopback address allows. */
  readonly token: string | undefined
  /** Whether the gateway can answer calls: v1 answers, and the gateway is not going down. */
  readonly isReady: () => Promise<boolean>
}

/** The admin port: what an orchestrator asks. Every path but `/healthz` and `/readyz` needs the token. */
export function serveAdmin({ token, isReady }: AdminOptions): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) =>
    (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
  )
  app.use(async (c, next) => {
    if (token !== undefined && !same(c.req.header('authorization') ?? '', `Bearer ${token}`)) {
      return c.json({ message: 'The admin token is wanted as Authorization: Bearer …' }, 401, {
        'www-authenticate': 'Bearer',
      })
    }
    return next()
  })
  app.notFound((c) => c.json({ message: 'There is no such path.' }, 404))
  return app
}

/** Compares in a time that tells nothing of how much is right. */
function same(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
