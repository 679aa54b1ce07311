import { Hono } from 'hono'
import type { z } from 'zod'
import type { BrownoutsReport, Ended, EndOrder } from '../cutover/brownout/current-brownouts.ts'
import type { KnownUsage } from '../usage/stored-usage.ts'
import { jsonFromHere } from './admin-access.ts'
import { only } from './answers.ts'
import { clientsParameters, END_ORDER, limitOrder, readJson, readQuery, resetOrderOf } from './requests.ts'

interface EvidenceSources {
  /** The ids of all operations. */
  readonly operations: readonly string[]
  /** Resets an operation's evidence. `isStored` if the reset survives a restart. */
  readonly reset: (order: ResetOrder) => Promise<{ readonly at: string; readonly isStored: boolean }>
  /** Compiles the dossier. It is unsigned, because the gateway has no key. */
  readonly dossier: () => Promise<{ readonly operations: readonly object[] }>
}

type ResetOrder = z.output<ReturnType<typeof resetOrderOf>>

/**
 * Serves `POST /evidence/reset` with `{ "operation", "why", "by" }` as JSON. Answers 200 with the order, `at` and `kept`; or 400
 * with what is wrong with it. Also serves `GET /dossier`, for the command `legacy-gateway dossier`.
 */
export function serveEvidence({ operations, reset, dossier }: EvidenceSources): Hono {
  const app = new Hono()
  const resetOrder = resetOrderOf(operations)
  app.post('/evidence/reset', jsonFromHere, limitOrder, async (c) => {
    const order = readJson(resetOrder, await c.req.text())
    if (typeof order === 'string') return c.json({ message: order }, 400)
    const { at, isStored } = await reset(order)
    return c.json({ ...order, at, kept: isStored })
  })
  app.all('/evidence/reset', only('POST'))
  app.get('/dossier', async (c) => c.json(await dossier()))
  return app
}

interface BrownoutSources {
  readonly report: () => Promise<BrownoutsReport>
  /** Ends all brownouts that are under way. */
  readonly end: (order: EndOrder) => Promise<Ended>
}

/**
 * Serves `GET /brownouts`, and `POST /brownouts/end` with `{ "by", "why" }` as JSON. An order is answered 200 with the order, `at`, the numbers
 * of the brownouts that were under way as `ended`, and `kept`; or 400 with what is wrong with it.
 */
export function serveBrownouts({ report, end }: BrownoutSources): Hono {
  const app = new Hono()
  app.get('/brownouts', async (c) => c.json(await report()))
  app.all('/brownouts', only('GET'))
  app.post('/brownouts/end', jsonFromHere, limitOrder, async (c) => {
    const order = readJson(END_ORDER, await c.req.text())
    return typeof order === 'string' ? c.json({ message: order }, 400) : c.json(await end(order))
  })
  app.all('/brownouts/end', only('POST'))
  return app
}

/**
 * Serves `GET /clients`: who calls what. `?days=30` is the default, `?operation=` leaves out all others. A parameter that cannot be used is
 * answered 400 with what is wrong with it. Browsers do not get here, because the dashboard handles them first.
 * @param operations the ids of all operations, and the names under which other calls are counted.
 */
export function serveClients(operations: readonly string[], usage: Pick<KnownUsage, 'report'>): Hono {
  const app = new Hono()
  const parameters = clientsParameters(operations)
  app.get('/clients', async (c) => {
    c.header('vary', 'Accept')
    const query = readQuery(parameters, c.req.queries())
    if (typeof query === 'string') return c.json({ message: query }, 400)
    return c.json(await usage.report(query.days, query.operation))
  })
  app.all('/clients', only('GET'))
  return app
}
