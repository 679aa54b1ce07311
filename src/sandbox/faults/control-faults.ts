import { Hono } from 'hono'
import { parseObject } from '../validation/read-object.ts'
import { FaultError, readOrder } from './fault.ts'
import type { FaultBook, SetFault } from './fault-book.ts'

/** Where the faults of a face are set, on its own port. */
export const controlPath = '/sandbox/faults'

/** *Assumed*: more than this is no order but a mistake. */
const mostFaults = 1000
const mostBytes = 64 * 1024

/**
 * The control of the faults of a face that has these paths. Every refusal is a 4xx with `message`, and with `errors` that
 * name each mistake by its path; it is in English, being for people who test and no part of the contract.
 */
export function controlFaults(book: FaultBook, paths: readonly string[]): Hono {
  const app = new Hono()
  app.post(controlPath, async ({ req: request }) => {
    if (book.list().length >= mostFaults) return refuse(409, `There are ${mostFaults} faults already.`)
    const text = await request.text()
    if (text.length > mostBytes) return refuse(413, 'The order is too large.')
    const order = parseObject(text)
    if (order === undefined) return refuse(400, 'The body must be a JSON object.')
    const { scope, fault } = readOrder(order, paths)
    return Response.json(present(book.set(scope, fault)), { status: 201 })
  })
  app.get(controlPath, () => Response.json({ faults: book.list().map(present) }))
  app.delete(controlPath, () => {
    book.clear()
    return noContent()
  })
  app.delete(`${controlPath}/:id{[0-9]+}`, ({ req: request }) =>
    book.remove(Number(request.param('id'))) ? noContent() : refuse(404, 'There is no such fault.'),
  )
  app.all(controlPath, () => refuse(405, 'GET, POST or DELETE.', { Allow: 'GET, POST, DELETE' }))
  app.on('TRACE', '*', () => refuse(405, 'TRACE is not allowed.', { Allow: '' }))
  app.notFound(() => refuse(404, `Faults are at ${controlPath}.`))
  app.onError((error) => {
    if (error instanceof FaultError) return refuseOrder(error)
    throw error
  })
  return app
}

function present({ id, path, calls, fault }: SetFault): object {
  return { id, path, calls, ...fault }
}

/** The 400 for an order, or a request header, that is none. */
export function refuseOrder({ message, errors }: FaultError): Response {
  return refuse(400, message, {}, { errors })
}

/** A refusal by the control, not by the face. */
export function refuse(status: number, message: string, headers: Record<string, string> = {}, more = {}): Response {
  return Response.json({ message, ...more }, { status, headers })
}

function noContent(): Response {
  return new Response(null, { status: 204 })
}
