import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { BrownoutsReport } from '../cutover/brownout-report.ts'
import type { Ended, EndOrder } from '../cutover/current-brownouts.ts'
import { jsonFromHere } from './same-origin.ts'

export interface BrownoutSources {
  readonly report: () => BrownoutsReport
  /** Ends all brownouts that are under way. */
  readonly end: (order: EndOrder) => Promise<Ended>
}

const MAX_BYTES = 16_384
const LONGEST = { by: 200, why: 1_000 } as const
const PATH = '/brownouts/end'
const EXPECTED = 'Send a JSON object: { "by": "…", "why": "…" }.'

/**
 * Serves `GET /brownouts`, and `POST /brownouts/end`: `{ "by", "why" }` as JSON. That answers 200 with the order, `at`, the numbers of those
 * that were under way as `ended`, and `kept`; 400 with what is wrong with it.
 */
export function serveBrownouts({ report, end }: BrownoutSources): Hono {
  const app = new Hono()
  const limit = bodyLimit({
    maxSize: MAX_BYTES,
    onError: (c) => c.json({ message: `The order is larger than ${MAX_BYTES} bytes.` }, 413),
  })
  app.get('/brownouts', (c) => c.json(report()))
  app.all('/brownouts', (c) => c.json({ message: 'Only GET is allowed here.' }, 405, { allow: 'GET, HEAD' }))
  app.post(PATH, jsonFromHere, limit, async (c) => {
    const order = readOrder(await c.req.text())
    return typeof order === 'string' ? c.json({ message: order }, 400) : c.json(await end(order))
  })
  app.all(PATH, (c) => c.json({ message: 'Only POST is allowed here.' }, 405, { allow: 'POST' }))
  return app
}

/** Returns the order, or what is wrong with it. */
function readOrder(text: string): EndOrder | string {
  const given = parsed(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return EXPECTED
  const { by, why, ...others } = given as Readonly<Record<string, unknown>>
  const problems = [
    ...problemWith('by', by),
    ...problemWith('why', why),
    ...(Object.keys(others).length === 0 ? [] : ['only by, why can be given']),
  ]
  return problems.length === 0 ? { by: String(by).trim(), why: String(why).trim() } : `${problems.join('; ')}.`
}

function problemWith(name: keyof EndOrder, value: unknown): readonly string[] {
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST[name]
  const says = `${name} must be a text of 1 to ${LONGEST[name]} characters, without control characters`
  return isText && !/\p{Cc}/u.test(value) ? [] : [says]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
