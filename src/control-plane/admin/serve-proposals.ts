import { Hono } from 'hono'
import type { ProposalsReport } from '../evidence/proposals/proposals.ts'
import { only } from './answers.ts'
import { proposalsParameters, readQuery } from './requests.ts'

/**
 * Serves `GET /proposals`: the lines that would correct the mappings. `?operation=` leaves out all others. A parameter that cannot be used
 * is answered 400 with what is wrong with it.
 * @param operations the ids of all operations.
 */
export function serveProposals(operations: readonly string[], report: () => ProposalsReport): Hono {
  const app = new Hono()
  const parameters = proposalsParameters(operations)
  app.get('/proposals', (c) => {
    const query = readQuery(parameters, c.req.queries())
    if (typeof query === 'string') return c.json({ message: query }, 400)
    const all = report().operations
    return c.json({
      operations: query.operation === undefined ? all : all.filter(({ operation }) => operation === query.operation),
    })
  })
  app.all('/proposals', only('GET'))
  return app
}
