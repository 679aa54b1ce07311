import { Hono } from 'hono'
import { parseObject } from '../validation/read-object.ts'
import { FaultError, readScopedFault } from './fault.ts'
import type { FaultBook, SetFault } from './fault-book.ts'

/** The path for setting a face's faults, on the face's own port. */
export const controlPath = '/sandbox/faults'

/** *Assumed*: more than this is a mistake. */
const mostFaults = 1000
const mostBytes = 64 * 1024

/**
 * Builds the API for setting the faults of a face that has these paths. Every refusal is a 4xx with `message`, and with
 * `errors` that name each mistake by its path. Refusals are in English, because they are for testers and not part of
 * the contract.
 */
export function controlFaults(book: FaultBook, paths: readonly string[]): Hono {
  const app = new Hono()
  app.post(controlPath, async ({ req: request }) => {
    if (book.list().length >= mostFaults) return refuse(409, `${mostFaults} faults are already set.`)
    const text = await request.text()
    if (text.length > mostBytes) return refuse(413, 'The body is too large.')
    const sent = parseObject(text)
    if (sent === undefined) return refuse(400, 'The body must be a JSON object.')
    const { scope, fault } = readScopedFault(sent, paths)
    return Response.json(present(book.set(scope, fault)), { status: 201 })
  })
  app.get(controlPath, () => Response.json({ faults: book.list().map(present) }))
  app.delete(controlPath, () => {
    book.clear()
    return noContent()
  })
  app.delete(`${controlPath}/:id{[0-9]+}`, ({ req: request }) =>
    book.remove(Number(request.param('id'))) ? noContent() : refuse(404, 'No such fault.'),
  )
  app.all(controlPath, () => refuse(405, 'Use GET, POST or DELETE.', { Allow: 'GET, POST, DELETE' }))
  app.on('TRACE', '*', () => refuse(405, 'TRACE is not allowed.', { Allow: '' }))
  app.notFound(() => refuse(404, `Faults are set at ${controlPath}.`))
  app.onError((error) => {
    if (error instanceof FaultError) return refuseFault(error)
    throw error
  })
  return app
}

function present({ id, path, calls, fault }: SetFault): object {
  return { id, path, calls, ...fault }
}

/** Returns the 400 for a body or a request header that is not a valid fault. */
export function refuseFault({ message, errors }: FaultError): Response {
  return refuse(400, message, {}, { errors })
}

/** Returns a refusal of the fault API itself, not of the face. */
export function refuse(status: number, message: string, headers: Record<string, string> = {}, more = {}): Response {
  return Response.json({ message, ...more }, { status, headers })
}

function noContent(): Response {
  return new Response(null, { status: 204 })
}
