import { Hono } from 'hono'
import { jsonInSlices } from './json-in-slices.ts'
import { limitOrder, problemsWith, readObject, textsOf } from './order-texts.ts'
import { jsonFromHere } from './same-origin.ts'

/** An order to reset an operation's evidence: who gives it, and why. */
export interface ResetOrder {
  readonly operation: string
  readonly by: string
  readonly why: string
}

export interface EvidenceSources {
  /** The ids of all operations. */
  readonly operations: readonly string[]
  /** Resets an operation's evidence. `isStored` if the reset survives a restart. */
  readonly reset: (order: ResetOrder) => Promise<{ readonly at: string; readonly isStored: boolean }>
  /** Compiles the dossier. It is unsigned, because the gateway has no key. */
  readonly dossier: () => Promise<{ readonly operations: readonly object[] }>
}

const TEXTS = ['operation', 'by', 'why'] as const
const PATH = '/evidence/reset'

/**
 * Serves `POST /evidence/reset` with `{ "operation", "why", "by" }` as JSON. Answers 200 with the order, `at` and `kept`; or 400
 * with what is wrong with it. Also serves `GET /dossier`, for the command `legacy-gateway dossier`.
 */
export function serveEvidence({ operations, reset, dossier }: EvidenceSources): Hono {
  const app = new Hono()
  app.post(PATH, jsonFromHere, limitOrder, async (c) => {
    const order = readOrder(await c.req.text(), operations)
    if (typeof order === 'string') return c.json({ message: order }, 400)
    const { at, isStored } = await reset(order)
    return c.json({ ...order, at, kept: isStored })
  })
  app.all(PATH, (c) => c.json({ message: 'Only POST is allowed here.' }, 405, { allow: 'POST' }))
  app.get('/dossier', async (c) => c.body(await jsonInSlices(await dossier()), 200, JSON_TYPE))
  return app
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Returns the order, or what is wrong with it. */
function readOrder(text: string, operations: readonly string[]): ResetOrder | string {
  const given = readObject(text)
  if (given === undefined) return 'Send a JSON object: { "operation": "…", "why": "…", "by": "…" }.'
  const problems = problemsWith(given, TEXTS)
  if (problems.length > 0) return `${problems.join('; ')}.`
  const order = textsOf(given, TEXTS)
  return operations.includes(order.operation)
    ? order
    : `operation: no such operation; expected one of ${operations.join(', ')}.`
}
