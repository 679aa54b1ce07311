import { Hono } from 'hono'
import { BusinessError } from '../business-error.ts'
import { languageOf } from '../language.ts'
import { calculatePrices } from './calculate-prices.ts'
import { completeSinglePointImport } from './complete-single-point-import.ts'
import { createDocumentShipment } from './create-document-shipment.ts'
import { createPackageShipment } from './create-package-shipment.ts'
import { createSinglePointImport } from './create-single-point-import.ts'
import { describeV1 } from './describe-v1.ts'
import type { Answer, Endpoint, Service } from './endpoint.ts'
import { issueApplicationToken } from './issue-application-token.ts'
import { listCities } from './list-cities.ts'
import { listCounties } from './list-counties.ts'
import { listCountries } from './list-countries.ts'
import { listCurrencies } from './list-currencies.ts'
import { listExportCodes } from './list-export-codes.ts'
import { listInvoices } from './list-invoices.ts'
import { listUnitsOfMeasure } from './list-units-of-measure.ts'
import { businessRuleBroken, methodNotAllowed, notFound, unavailable, V1Error } from './v1-error.ts'
import { validateDestination } from './validate-destination.ts'

/** Every endpoint of the v1 interface, in the order of docs/contract.md 4. */
export const v1Endpoints: readonly Endpoint[] = [
  issueApplicationToken,
  calculatePrices,
  validateDestination,
  createPackageShipment,
  createDocumentShipment,
  createSinglePointImport,
  completeSinglePointImport,
  listInvoices,
  listCountries,
  listCities,
  listCounties,
  listCurrencies,
  listUnitsOfMeasure,
  listExportCodes,
]

/** The path of an OpenAPI description of the face. The real service does not have it. */
const descriptionPath = '/openapi.json'

/**
 * Builds the v1 face over a store. Every answer, except the description, is an envelope of docs/contract.md 2.4 or 9.1.
 */
export function buildV1(service: Service): Hono {
  const app = new Hono()
  for (const endpoint of v1Endpoints) {
    app.on(endpoint.method, routeOf(endpoint.path), async ({ req: request }) =>
      respond(await endpoint.answer({ service, request, language: languageOf(request.header('Accept-Language')) })),
    )
  }
  app.get(descriptionPath, () => Response.json(describeV1(v1Endpoints)))
  app.all(descriptionPath, () => respond(methodNotAllowed(['GET']).answer()))
  for (const [path, methods] of methodsByPath()) {
    app.all(routeOf(path), () => respond(methodNotAllowed(methods).answer()))
  }
  // RFC 9110 section 9.3.8. An unknown path has no methods, so `Allow` is empty.
  app.on('TRACE', '*', () => respond(methodNotAllowed([]).answer()))
  app.notFound(() => respond(notFound().answer()))
  app.onError((error, { req: request }) => {
    if (error instanceof V1Error) return respond(error.answer())
    if (error instanceof BusinessError) return respond(businessRuleBroken(error).answer())
    // When a client disconnects halfway through its body, the service is not at fault and sends no answer.
    if (!request.raw.signal.aborted) console.error('Sandbox v1:', error)
    return respond(unavailable().answer())
  })
  return app
}

/** Converts a path into a route: docs/contract.md writes a variable part as `{id}`, the router as `:id`. */
function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function respond({ status, headers, body }: Answer): Response {
  return Response.json(body, { status, ...(headers && { headers }) })
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path } of v1Endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
