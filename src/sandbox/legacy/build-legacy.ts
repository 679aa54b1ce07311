import { Hono } from 'hono'
import { BusinessError } from '../business-error.ts'
import { languageOf } from '../language.ts'
import type { Service } from '../service.ts'
import { calculatePrices } from './calculate-prices.ts'
import { completeSinglePointImport } from './complete-single-point-import.ts'
import { createDocumentShipment } from './create-document-shipment.ts'
import { createPackageShipment } from './create-package-shipment.ts'
import { createSinglePointImport } from './create-single-point-import.ts'
import { issueApplicationToken } from './issue-application-token.ts'
import { businessRuleBroken, LegacyError, methodNotAllowed, notFound, unexpected } from './legacy-error.ts'
import { listCharges } from './list-charges.ts'
import { listCities } from './list-cities.ts'
import { listCounties } from './list-counties.ts'
import { listCountries } from './list-countries.ts'
import { listCurrencies } from './list-currencies.ts'
import { listExportCodes } from './list-export-codes.ts'
import { listInvoices } from './list-invoices.ts'
import { listUnitsOfMeasure } from './list-units-of-measure.ts'
import type { Answer, LegacyOperation } from './operation.ts'
import { validateDestination } from './validate-destination.ts'

/** Every operation of the legacy interface, in the order of docs/contract.md 6. */
export const legacyOperations: readonly LegacyOperation[] = [
  issueApplicationToken,
  calculatePrices,
  validateDestination,
  createDocumentShipment,
  createPackageShipment,
  createSinglePointImport,
  completeSinglePointImport,
  listInvoices,
  listCharges,
  listCountries,
  listCities,
  listCounties,
  listCurrencies,
  listUnitsOfMeasure,
  listExportCodes,
]

/** Builds the legacy face over a store. It makes its answers from the rows of the store, never from an answer of v1. */
export function buildLegacy(service: Service): Hono {
  const app = new Hono()
  for (const { method, path, answer } of legacyOperations) {
    app.on(method, path, async ({ req: request }) =>
      respond(await answer({ service, request, language: languageOf(request.header('Accept-Language')) })),
    )
    // HEAD is answered like GET, without the body.
    const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method]
    app.all(path, ({ req: request }) => {
      throw methodNotAllowed(languageOf(request.header('Accept-Language')), allowed)
    })
  }
  // RFC 9110 section 9.3.8. An unknown path has no methods, so `Allow` is empty.
  app.on('TRACE', '*', ({ req: request }) =>
    respond(methodNotAllowed(languageOf(request.header('Accept-Language')), []).answer()),
  )
  app.notFound(({ req: request }) => respond(notFound(languageOf(request.header('Accept-Language'))).answer()))
  app.onError((error, { req: request }) => {
    const language = languageOf(request.header('Accept-Language'))
    if (error instanceof LegacyError) return respond(error.answer())
    if (error instanceof BusinessError) return respond(businessRuleBroken(error, language).answer())
    // When a client disconnects halfway through its body, the service is not at fault and sends no answer.
    if (!request.raw.signal.aborted) console.error('Sandbox legacy:', error)
    return respond(unexpected(language).answer())
  })
  return app
}

function respond({ status, headers, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status, ...(headers && { headers }) })
  return Response.json(body, { status, ...(headers && { headers }) })
}
