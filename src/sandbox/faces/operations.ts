import { z } from 'zod'
import type { Call } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { createShipment } from '../shipments/create-shipment.ts'
import { destinationBody, destinationRules } from '../shipments/destinations.ts'
import { legacyPriceBody, type PriceRequest, priceBody, quoteCarriers } from '../shipments/prices.ts'
import {
  type DocumentBody,
  documentBody,
  legacyPackageBody,
  type PackageBody,
  packageBody,
  readLegacyPackageBody,
} from '../shipments/shipment-bodies.ts'
import { readDocumentOrder, readPackageOrder } from '../shipments/shipment-orders.ts'
import {
  documentRules,
  legacyPackageRules,
  legacyPriceRules,
  packageRules,
  priceRules,
} from '../shipments/shipment-rules.ts'
import {
  completeImport,
  createImport,
  importBody,
  importRules,
  legacyImportBody,
} from '../shipments/single-point-imports.ts'
import { issueToken } from '../store/access-tokens.ts'
import type { Row } from '../store/sandbox-tables.ts'
import * as lists from '../store/stored-lists.ts'
import { wholeNumber } from '../validation/query-parameters.ts'
import * as requests from './list-requests.ts'
import * as rows from './present-rows.ts'
import { presentImport, presentLegacyDocument, presentQuote, presentShipment } from './present-shipments.ts'
import {
  body,
  converted,
  created,
  done,
  list,
  type Operation,
  type Outcome,
  operation,
  path,
  record,
} from './service-operation.ts'

/** *Assumed*: the member names (docs/contract.md 13.1); an empty string and null count as missing. */
const credentials = z.object({ clientId: z.string().min(1), secretKey: z.string().min(1) })

type Credentials = z.output<typeof credentials>

/** *Assumed*: an id that is not a positive integer is a violation; in the body of legacy, it may be sent as text. */
const importId = z.object({ id: wholeNumber(1) })
const legacyImportId = z.object({
  id: z.preprocess((sent) => (typeof sent === 'number' ? String(sent) : sent), wholeNumber(1)),
})

/** Answers with the rows of a list that a request asks for. */
function listOf<List extends lists.StoredList>(
  stored: List,
  present: (row: Row<List['table']>, call: Call) => object,
): (call: Call, request: lists.ListRequest<List>) => Outcome {
  return (call, request) => list(lists.selectRows(call, stored, request), (row) => present(row, call))
}

/**
 * Every operation of the service, in the order of docs/contract.md 4 and with its sections there: where each face has it, what
 * it takes there, and how it is answered.
 */
export const operations: readonly Operation[] = [
  // 4.1 and 3.4
  operation({
    says: 'Exchanges the client id and secret key for a token.',
    message: 'Erişim anahtarı oluşturuldu.',
    needsToken: false,
    v1: { method: 'POST', path: '/api/v1/auth/application', takes: body(credentials) },
    legacy: { method: 'POST', path: '/auth/application', takes: body(credentials) },
    answer(call, sent: Credentials) {
      const token = issueToken(call, call.face, sent)
      if (token === undefined) throw new ServiceError('CLIENT_ID_OR_SECRET_INVALID')
      return record({ token })
    },
  }),
  // 4.2 and 6.2
  operation({
    says: 'Quotes the prices of carriers for packages.',
    message: 'Fiyatlar hesaplandı.',
    v1: { method: 'POST', path: '/api/v1/shipment/price-calculations', takes: body(priceBody, priceRules) },
    legacy: { method: 'POST', path: '/api/calculate/price', takes: body(legacyPriceBody, legacyPriceRules) },
    answer: (call, sent: PriceRequest) =>
      list({ rows: quoteCarriers(call, sent) }, (quote) => presentQuote(quote, call)),
  }),
  // 4.3 and 6.3. *Assumed*: in legacy, an unsuitable destination is a 400 that names the fields.
  operation({
    says: 'Says whether carriers serve a destination.',
    message: 'Varış noktası uygun.',
    v1: {
      method: 'POST',
      path: '/api/v1/shipment/price-calculations/validate-destination',
      takes: body(destinationBody, destinationRules),
    },
    legacy: {
      method: 'POST',
      path: '/api/calculate/price/country/validate',
      takes: body(destinationBody, destinationRules),
    },
    answer: () => done,
  }),
  // 4.4 and 6.5
  operation({
    says: 'Creates a package shipment and registers it with the carrier.',
    message: 'Gönderi oluşturuldu.',
    v1: { method: 'POST', path: '/api/v1/shipment/shipments/packages', takes: body(packageBody, packageRules) },
    legacy: {
      method: 'POST',
      path: '/api/consignment/package/advance',
      takes: converted(body(legacyPackageBody, legacyPackageRules), readLegacyPackageBody),
    },
    answer: (call, sent: PackageBody) =>
      created(presentShipment(createShipment(call, sent.id, readPackageOrder(call.db, sent)), call)),
  }),
  // 4.5 and 6.4. *Assumed*: legacy takes senderAddressId and the id of a draft, like v1.
  operation({
    says: 'Creates a document shipment and registers it with the carrier.',
    message: 'Gönderi oluşturuldu.',
    v1: { method: 'POST', path: '/api/v1/shipment/shipments/documents', takes: body(documentBody, documentRules) },
    legacy: { method: 'POST', path: '/api/consignment/document', takes: body(documentBody, documentRules) },
    answer(call, sent: DocumentBody) {
      const present = call.face === 'v1' ? presentShipment : presentLegacyDocument
      return created(present(createShipment(call, sent.id, readDocumentOrder(sent)), call))
    },
  }),
  // 4.6 and 6.6
  operation({
    says: 'Creates a single point import.',
    message: 'Tek noktadan ithalat oluşturuldu.',
    v1: { method: 'POST', path: '/api/v1/shipment/single-point-imports', takes: body(importBody, importRules) },
    legacy: {
      method: 'POST',
      path: '/api/single/point/import',
      takes: converted(body(legacyImportBody, importRules), ({ shipmentId, ...sent }) => ({
        ...sent,
        carrierShipmentId: shipmentId,
      })),
    },
    answer: (call, sent: z.output<typeof importBody>) => created(presentImport(createImport(call, sent), call)),
  }),
  // 4.7 and 6.7. v1 ignores the body. *Assumed*: an import that is already completed is refused as for a shipment.
  operation({
    says: 'Completes a single point import.',
    message: 'Tek noktadan ithalat tamamlandı.',
    v1: { method: 'POST', path: '/api/v1/shipment/single-point-imports/{id}/complete', takes: path(importId) },
    legacy: { method: 'POST', path: '/api/single/point/import/complete', takes: body(legacyImportId) },
    answer(call, { id }: { id: number }) {
      completeImport(call, id)
      return done
    },
  }),
  // 4.8 and 6.8
  operation({
    says: "Lists the organization's invoices.",
    message: 'Faturalar listelendi.',
    v1: {
      method: 'GET',
      path: '/api/v1/finance/invoices',
      takes: requests.invoiceQuery,
      item: rows.invoiceItem,
    },
    legacy: { method: 'POST', path: '/api/invoice/list', takes: requests.legacyInvoiceFilters },
    answer: listOf(lists.invoices, rows.presentInvoice),
  }),
  // 6.9. v1 has no equivalent.
  operation({
    says: "Lists the charges of the organization's shipments.",
    message: '',
    legacy: { method: 'POST', path: '/api/transaction/charge/list', takes: requests.legacyChargeFilters },
    answer: listOf(lists.charges, rows.presentCharge),
  }),
  // 4.9 and 6.10: the only list without a token; *assumed*: also in legacy.
  operation({
    says: 'Lists countries.',
    message: 'Ülkeler listelendi.',
    needsToken: false,
    v1: {
      method: 'GET',
      path: '/api/v1/public/shared/countries',
      takes: requests.countryQuery,
      item: rows.countryItem,
    },
    legacy: { method: 'GET', path: '/country/all', takes: requests.legacyCountryQuery },
    answer: listOf(lists.countries, rows.presentCountry),
  }),
  // 4.10 and 6.11
  operation({
    says: 'Lists cities; those of Turkey are its provinces.',
    message: 'Şehirler listelendi.',
    v1: { method: 'GET', path: '/api/v1/public/shared/cities', takes: requests.cityQuery, item: rows.cityItem },
    legacy: { method: 'GET', path: '/city/all', takes: requests.legacyCityQuery },
    answer: listOf(lists.cities, rows.presentCity),
  }),
  // 4.11 and 6.12
  operation({
    says: 'Lists counties, the districts of the provinces of Turkey.',
    message: 'İlçeler listelendi.',
    v1: { method: 'GET', path: '/api/v1/public/shared/counties', takes: requests.countyQuery, item: rows.countyItem },
    legacy: { method: 'GET', path: '/county/all', takes: requests.legacyCountyQuery },
    answer: listOf(lists.counties, rows.presentCounty),
  }),
  // 4.12 and 6.13
  operation({
    says: 'Lists currencies with the rates of the central bank in TRY.',
    message: 'Para birimleri listelendi.',
    v1: { method: 'GET', path: '/api/v1/shared/currencies', takes: requests.currencyQuery, item: rows.currencyItem },
    legacy: { method: 'GET', path: '/api/currency', takes: requests.legacyCurrencyQuery },
    answer: listOf(lists.currencies, rows.presentCurrency),
  }),
  // 4.13 and 6.14
  operation({
    says: 'Lists units of measure.',
    message: 'Ölçü birimleri listelendi.',
    v1: { method: 'GET', path: '/api/v1/shared/units-of-measure', takes: requests.unitQuery, item: rows.unitItem },
    legacy: { method: 'GET', path: '/api/unit/of/measure/all', takes: requests.legacyUnitQuery },
    answer: listOf(lists.unitsOfMeasure, rows.presentUnit),
  }),
  // 4.14 and 6.15
  operation({
    says: 'Lists export codes.',
    message: 'İhracat kodları listelendi.',
    v1: {
      method: 'GET',
      path: '/api/v1/shared/export-codes',
      takes: requests.exportCodeQuery,
      item: rows.exportCodeItem,
    },
    legacy: { method: 'GET', path: '/api/export/code', takes: requests.legacyExportCodeQuery },
    answer: listOf(lists.exportCodes, rows.presentCoded),
  }),
]
