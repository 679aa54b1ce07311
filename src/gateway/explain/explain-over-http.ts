import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Explainer, explainCall } from './explain-call.ts'
import { readCallToExplain } from './explain-input.ts'

/** Larger orders are refused with 413. */
const MAX_BYTES = 1_048_576

/**
 * `POST /explain` for the admin port: 200 with an ExplainedCall, also of a call that would be refused; 400 with the mistakes
 * in an order that cannot be read (`readCallToExplain` says how it is written).
 */
export function serveExplain(explainer: Explainer): Hono {
  const app = new Hono()
  const limit = bodyLimit({
    maxSize: MAX_BYTES,
    onError: (c) => c.json({ message: `The order is larger than ${MAX_BYTES} bytes.` }, 413),
  })
  app.post('/explain', limit, async (c) => {
    const call = readCallToExplain(new Uint8Array(await c.req.arrayBuffer()))
    if ('errors' in call) return c.json({ message: 'The order cannot be read.', errors: call.errors }, 400)
    return c.json(explainCall(explainer, call))
  })
  return app
}
