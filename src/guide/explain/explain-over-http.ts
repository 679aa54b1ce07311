import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { LARGE_BYTES } from '../../gateway/large-texts.ts'
import type { Explainer } from './explain-call.ts'
import { type ExplainAside, explainOrder } from './explain-order.ts'

/** Larger requests are refused with 413. */
const MAX_BYTES = 1_048_576

/**
 * Serves `POST /explain` on the admin port: 200 with an ExplainedCall, even if the call would be refused; 400 with the
 * mistakes in an invalid request (`readCallToExplain` describes its format).
 * @param aside explains large calls in another thread. If undefined, this thread explains them.
 */
export function serveExplain(explainer: Explainer, aside?: ExplainAside): Hono {
  const app = new Hono()
  const limit = bodyLimit({
    maxSize: MAX_BYTES,
    onError: (c) => c.json({ message: `The request is larger than ${MAX_BYTES} bytes.` }, 413),
  })
  app.post('/explain', limit, async (c) => {
    const order = new Uint8Array(await c.req.arrayBuffer())
    const isAside = aside !== undefined && order.length >= LARGE_BYTES
    const { status, body } = isAside ? await aside.explainOrder(explainer, order) : explainOrder(explainer, order)
    return c.body(body, status, { 'content-type': 'application/json' })
  })
  return app
}
