import { Hono } from 'hono'
import type { KnownUsage } from '../usage/stored-usage.ts'
import { KEPT_DAYS } from '../usage/usage.ts'
import { jsonInSlices } from './json-in-slices.ts'

const NAMES = ['days', 'operation']
const UNLESS_TOLD = '30'

/** How many days, and which operation; undefined for all operations. */
interface ClientsQuery {
  readonly days: number
  readonly operation: string | undefined
}

/**
 * Serves `GET /clients`: who calls what. `?days=30` is the default, `?operation=` leaves out all others. A parameter that cannot be used is
 * answered 400 with what is wrong with it. Browsers do not get here, because the dashboard handles them first.
 * @param operations the ids of all operations, and the names under which other calls are counted.
 */
export function serveClients(operations: readonly string[], usage: Pick<KnownUsage, 'report'>): Hono {
  const app = new Hono()
  app.get('/clients', async (c) => {
    c.header('vary', 'Accept')
    const query = readClientsQuery(c.req.queries(), operations)
    if (typeof query === 'string') return c.json({ message: query }, 400)
    const report = await usage.report(query.days, query.operation)
    return c.body(await jsonInSlices(report), 200, { 'content-type': 'application/json' })
  })
  app.all('/clients', (c) => c.json({ message: 'Only GET is allowed here.' }, 405, { allow: 'GET, HEAD' }))
  return app
}

/** Reads the parameters of `GET /clients`, or says what is wrong with them. */
function readClientsQuery(
  given: Readonly<Record<string, readonly string[]>>,
  operations: readonly string[],
): ClientsQuery | string {
  const [days = UNLESS_TOLD, operation] = NAMES.map((name) => given[name]?.[0])
  const isDays = /^[1-9]\d{0,2}$/.test(days) && Number(days) <= KEPT_DAYS
  const problems = [
    ...(isDays ? [] : [`days must be a whole number from 1 to ${KEPT_DAYS}`]),
    ...(operation === undefined || operations.includes(operation)
      ? []
      : [`operation: no such operation; expected one of ${operations.join(', ')}`]),
    ...(Object.entries(given).every(([name, values]) => NAMES.includes(name) && values.length === 1)
      ? []
      : [`the only parameters are ${NAMES.join(' and ')}, each at most once`]),
  ]
  return problems.length > 0 ? `${problems.join('; ')}.` : { days: Number(days), operation }
}
