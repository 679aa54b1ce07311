import { type Context, Hono } from 'hono'
import type { AuditEntry } from '../cutover/audit.ts'
import type { CutoverReport } from '../cutover/cutover.ts'
import type { AuditQuery } from '../cutover/cutover-store.ts'
import { ACTIONS, type Action, type Order, type Ordered } from '../cutover/decide/order.ts'
import { StateError } from '../state/state-error.ts'
import { cursorOf, readAuditQuery } from './audit-query.ts'
import { jsonInSlices } from './json-in-slices.ts'
import { limitOrder, problemsWith, readObject, textsOf } from './order-texts.ts'
import { jsonFromHere } from './same-origin.ts'

/** Reads the cut-over, and carries out orders. */
export interface CutoverSource {
  /** Returns where each plan stands. */
  readonly reports: () => readonly CutoverReport[]
  readonly order: (order: Order) => Promise<Ordered>
  /** Returns entries, newest first. Rejects with a StateError while the store cannot be used. */
  readonly audit: (query: AuditQuery) => Promise<readonly AuditEntry[]>
}

const TEXTS = ['by', 'why'] as const
const EXAMPLE = '{ "by": "…", "why": "…", "version": 7 }'
const STATUS = { refused: 409, stale: 409, unavailable: 503, unknown: 404 } as const
const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * Serves `GET /cutover`, where each plan stands; `POST /cutover/{operation}/{action}`, an order to a plan; and `GET /audit`, what
 * was decided. An order is JSON: `{ "by", "why" }`, and optionally `"version"`. It is answered 200 with the new report; 400 with
 * what is wrong with it; 404 if there is no such plan; 409 with the report if it is refused, or `version` is out of date; 503
 * while decisions cannot be stored. Forms do not get here, because the dashboard handles them first.
 * @param operations the ids of all operations.
 */
export function serveCutover(operations: readonly string[], source: CutoverSource): Hono {
  const app = new Hono()
  const reportOf = (operation: string) => source.reports().find((report) => report.operation === operation)
  const noPlan = (c: Context, operation: string) => {
    const planned = source.reports().map((report) => report.operation)
    const wrong = operations.includes(operation) ? 'This operation has no plan' : 'No such operation'
    const others = planned.length === 0 ? 'no operation has a plan' : `these have a plan: ${planned.join(', ')}`
    return c.json({ message: `${wrong}; ${others}.` }, 404)
  }
  app.get('/cutover', (c) => c.json(source.reports()))
  app.post(`/cutover/:operation/:action{${ACTIONS.join('|')}}`, jsonFromHere, limitOrder, async (c) => {
    const [operation, action] = [c.req.param('operation'), c.req.param('action') as Action]
    const told = readOrder(await c.req.text())
    if (typeof told === 'string') return c.json({ message: told }, 400)
    if (reportOf(operation) === undefined) return noPlan(c, operation)
    const ordered = await source.order({ operation, action, ...told })
    if ('done' in ordered) return c.json({ ...reportOf(operation), ...shown(ordered.done) })
    const { refused, message } = ordered
    if (refused === 'unknown') return noPlan(c, operation)
    return c.json({ message, refused, report: reportOf(operation) ?? null }, STATUS[refused])
  })
  app.post('/cutover/:operation/:action', (c) =>
    c.json({ message: `No such order; expected one of ${ACTIONS.join(', ')}.` }, 404),
  )
  app.all('/cutover/:operation/:action', (c) => only(c, 'POST'))
  app.get('/audit', async (c) => {
    const query = readAuditQuery(c.req.queries(), operations)
    if (typeof query === 'string') return c.json({ message: query }, 400)
    const entries = await source.audit(query).catch(unlessAway)
    if (entries === undefined) return c.json({ message: 'The audit cannot be read now; try again.' }, 503)
    const last = entries.length < query.limit ? undefined : entries.at(-1)
    const next = last === undefined ? null : cursorOf(last)
    return c.body(await jsonInSlices({ entries, next }), 200, JSON_TYPE)
  })
  for (const path of ['/cutover', '/audit']) app.all(path, (c) => only(c, 'GET'))
  return app
}

const only = (c: Context, method: 'GET' | 'POST') =>
  c.json({ message: `Only ${method} is allowed here.` }, 405, { allow: method === 'GET' ? 'GET, HEAD' : method })

/** Returns who gives the order and why, or what is wrong with it. */
function readOrder(text: string): Pick<Order, 'by' | 'why' | 'version'> | string {
  const given = readObject(text)
  if (given === undefined) return `Send a JSON object: ${EXAMPLE}; version is optional.`
  const { version } = given
  const isVersion = version === undefined || (Number.isSafeInteger(version) && Number(version) >= 0)
  const problems = [
    ...problemsWith(given, TEXTS, ['version']),
    ...(isVersion ? [] : ['version must be a whole number, as in GET /cutover']),
  ]
  if (problems.length > 0) return `${problems.join('; ')}.`
  return { ...textsOf(given, TEXTS), ...(version !== undefined && { version: Number(version) }) }
}

/** Returns what a report says about the position after this order, even if another order has followed by now. */
const shown = ({ operation, state, percent, step, since, version }: Extract<Ordered, { done: unknown }>['done']) => ({
  ...{ operation, state, percent, step, since, version },
})

function unlessAway(error: unknown): undefined {
  if (!(error instanceof StateError)) throw error
}
