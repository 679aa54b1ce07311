import { type Context, Hono } from 'hono'
import type { AuditEntry } from '../cutover/audit.ts'
import type { CutoverReport } from '../cutover/cutover.ts'
import type { AuditQuery } from '../cutover/cutover-store.ts'
import { ACTIONS, type Action, type Order, type Ordered } from '../cutover/decide/order.ts'
import { jsonFromHere } from './admin-access.ts'
import { only, unlessAway } from './answers.ts'
import { auditParameters, cursorOf, limitOrder, PLAN_ORDER, readJson, readQuery } from './requests.ts'

/** Reads the cut-over, and carries out orders. */
export interface CutoverSource {
  /** Returns where each plan stands. */
  readonly reports: () => readonly CutoverReport[]
  readonly order: (order: Order) => Promise<Ordered>
  /** Returns entries, newest first. Rejects with a StateError while the store cannot be used. */
  readonly audit: (query: AuditQuery) => Promise<readonly AuditEntry[]>
}

const STATUS = { refused: 409, stale: 409, unavailable: 503, unknown: 404 } as const

/**
 * Serves `GET /cutover`, where each plan stands; `POST /cutover/{operation}/{action}`, an order to a plan; and `GET /audit`, what
 * was decided. An order is JSON: `{ "by", "why" }`, and optionally `"version"`. It is answered 200 with the new report; 400 with
 * what is wrong with it; 404 if there is no such plan; 409 with the report if it is refused, or `version` is out of date; 503
 * while decisions cannot be stored. Forms do not get here, because the dashboard handles them first.
 * @param operations the ids of all operations.
 */
export function serveCutover(operations: readonly string[], source: CutoverSource): Hono {
  const app = new Hono()
  const parameters = auditParameters(operations)
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
    const told = readJson(PLAN_ORDER, await c.req.text())
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
  app.all('/cutover/:operation/:action', only('POST'))
  app.get('/audit', async (c) => {
    const query = readQuery(parameters, c.req.queries())
    if (typeof query === 'string') return c.json({ message: query }, 400)
    const entries = await unlessAway(source.audit(query))
    if (entries === undefined) return c.json({ message: 'The audit cannot be read now; try again.' }, 503)
    const last = entries.length < query.limit ? undefined : entries.at(-1)
    const next = last === undefined ? null : cursorOf(last)
    return c.json({ entries, next })
  })
  for (const path of ['/cutover', '/audit']) app.all(path, only('GET'))
  return app
}

/** Returns what a report says about the position after this order, even if another order has followed by now. */
const shown = ({ operation, state, percent, step, since, version }: Extract<Ordered, { done: unknown }>['done']) => ({
  ...{ operation, state, percent, step, since, version },
})
