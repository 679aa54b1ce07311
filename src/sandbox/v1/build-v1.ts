import { Hono } from 'hono'
import { languageOf } from '../language.ts'
import type { Answer, Endpoint, Service } from './endpoint.ts'
import { issueApplicationToken } from './issue-application-token.ts'
import { listCountries } from './list-countries.ts'
import { listInvoices } from './list-invoices.ts'
import { methodNotAllowed, notFound, unavailable, V1Error } from './v1-error.ts'

/** Every endpoint of the v1 interface, in the contract's order. */
export const v1Endpoints: readonly Endpoint[] = [issueApplicationToken, listInvoices, listCountries]

/** The v1 face over a store. Every answer, whatever was asked, is the contract's success or error envelope. */
export function buildV1(service: Service): Hono {
  const app = new Hono()
  for (const endpoint of v1Endpoints) {
    app.on(endpoint.method, endpoint.path, async ({ req: request }) =>
      respond(await endpoint.answer({ service, request, language: languageOf(request.header('Accept-Language')) })),
    )
  }
  for (const [path, methods] of methodsByPath()) {
    app.all(path, () => respond(methodNotAllowed(methods).answer()))
  }
  app.notFound(() => respond(notFound().answer()))
  app.onError((error, { req: request }) => {
    if (error instanceof V1Error) return respond(error.answer())
    // A caller who hung up halfway through its body is no fault of the service, and hears no answer.
    if (!request.raw.signal.aborted) console.error('Sandbox v1:', error)
    return respond(unavailable().answer())
  })
  return app
}

function respond({ status, headers, body }: Answer): Response {
  return Response.json(body, { status, ...(headers && { headers }) })
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path } of v1Endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
