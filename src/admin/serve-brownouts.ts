import { Hono } from 'hono'
import type { BrownoutsReport, Ended, EndOrder } from '../cutover/brownout/current-brownouts.ts'
import { jsonInSlices } from './json-in-slices.ts'
import { limitOrder, problemsWith, readObject, textsOf } from './order-texts.ts'
import { jsonFromHere } from './same-origin.ts'

export interface BrownoutSources {
  readonly report: () => Promise<BrownoutsReport>
  /** Ends all brownouts that are under way. */
  readonly end: (order: EndOrder) => Promise<Ended>
}

const TEXTS = ['by', 'why'] as const
const PATH = '/brownouts/end'

/**
 * Serves `GET /brownouts`, and `POST /brownouts/end` with `{ "by", "why" }` as JSON. An order is answered 200 with the order, `at`, the numbers
 * of the brownouts that were under way as `ended`, and `kept`; or 400 with what is wrong with it.
 */
export function serveBrownouts({ report, end }: BrownoutSources): Hono {
  const app = new Hono()
  app.get('/brownouts', async (c) =>
    c.body(await jsonInSlices(await report()), 200, { 'content-type': 'application/json' }),
  )
  app.all('/brownouts', (c) => c.json({ message: 'Only GET is allowed here.' }, 405, { allow: 'GET, HEAD' }))
  app.post(PATH, jsonFromHere, limitOrder, async (c) => {
    const order = readOrder(await c.req.text())
    return typeof order === 'string' ? c.json({ message: order }, 400) : c.json(await end(order))
  })
  app.all(PATH, (c) => c.json({ message: 'Only POST is allowed here.' }, 405, { allow: 'POST' }))
  return app
}

/** Returns the order, or what is wrong with it. */
function readOrder(text: string): EndOrder | string {
  const given = readObject(text)
  if (given === undefined) return 'Send a JSON object: { "by": "…", "why": "…" }.'
  const problems = problemsWith(given, TEXTS)
  return problems.length === 0 ? textsOf(given, TEXTS) : `${problems.join('; ')}.`
}
