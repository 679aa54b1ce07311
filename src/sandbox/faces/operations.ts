import type { Call } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { createDocument, createPackages } from '../shipments/create-shipment.ts'
import { destinationRequest } from '../shipments/destinations.ts'
import { legacyPriceRequest, type PriceRequest, priceRequest, quoteCarriers } from '../shipments/prices.ts'
import * as shipments from '../shipments/shipment-requests.ts'
import * as imports from '../shipments/single-point-imports.ts'
import { type Credentials, issueToken, tokenRequest } from '../store/access-tokens.ts'
import type { Row } from '../store/sandbox-tables.ts'
import * as lists from '../store/stored-lists.ts'
import * as requests from './list-requests.ts'
import * as rows from './present-rows.ts'
import { presentImport, presentLegacyDocument, presentQuote, presentShipment } from './present-shipments.ts'
import { created, done, get, list, type Operation, type Outcome, operation, post, record } from './service-operation.ts'

/** Answers with the rows of a list that a request asks for. */
function listOf<List extends lists.StoredList>(
  stored: List,
  present: (row: Row<List['table']>, call: Call) => object,
): (call: Call, request: lists.ListRequest<List>) => Outcome {
  return (call, request) => list(lists.selectRows(call, stored, request), call, present)
}

/**
 * Every operation of the service, in the order of docs/contract.md 4 and with its sections there: where each face has it, what
 * it takes there, and how it is answered.
 */
export const operations: readonly Operation[] = [
  // 4.1 and 3.4
  operation({
    id: 'auth',
    says: 'Exchanges the client id and secret key for a token.',
    message: 'Erişim anahtarı oluşturuldu.',
    needsToken: false,
    v1: post('/api/v1/auth/application', tokenRequest),
    legacy: post('/auth/application', tokenRequest),
    answer(call, sent: Credentials) {
      const token = issueToken(call, call.face, sent)
      if (token === undefined) throw new ServiceError('CLIENT_ID_OR_SECRET_INVALID')
      return record(() => ({ token }))
    },
  }),
  // 4.2 and 6.2
  operation({
    id: 'price',
    says: 'Quotes the prices of carriers for packages.',
    message: 'Fiyatlar hesaplandı.',
    v1: post('/api/v1/shipment/price-calculations', priceRequest),
    legacy: post('/api/calculate/price', legacyPriceRequest),
    answer: (call, sent: PriceRequest) => list({ rows: quoteCarriers(call, sent) }, call, presentQuote),
  }),
  // 4.3 and 6.3. *Assumed*: in legacy, an unsuitable destination is a 400 that names the fields.
  operation({
    id: 'validate-destination',
    says: 'Says whether carriers serve a destination.',
    message: 'Varış noktası uygun.',
    v1: post('/api/v1/shipment/price-calculations/validate-destination', destinationRequest),
    legacy: post('/api/calculate/price/country/validate', destinationRequest),
    answer: () => done,
  }),
  // 4.4 and 6.5
  operation({
    id: 'package',
    says: 'Creates a package shipment and registers it with the carrier.',
    message: 'Gönderi oluşturuldu.',
    v1: post('/api/v1/shipment/shipments/packages', shipments.packageRequest),
    legacy: post('/api/consignment/package/advance', shipments.legacyPackageRequest),
    answer(call, sent: shipments.PackageBody) {
      const shipment = createPackages(call, sent)
      return created((face) => presentShipment(shipment, { ...call, face }))
    },
  }),
  // 4.5 and 6.4. *Assumed*: legacy takes senderAddressId and the id of a draft, like v1.
  operation({
    id: 'document',
    says: 'Creates a document shipment and registers it with the carrier.',
    message: 'Gönderi oluşturuldu.',
    v1: post('/api/v1/shipment/shipments/documents', shipments.documentRequest),
    legacy: post('/api/consignment/document', shipments.documentRequest),
    answer(call, sent: shipments.DocumentBody) {
      const shipment = createDocument(call, sent)
      return created((face) => {
        const present = face === 'v1' ? presentShipment : presentLegacyDocument
        return present(shipment, { ...call, face })
      })
    },
  }),
  // 4.6 and 6.6
  operation({
    id: 'import-create',
    says: 'Creates a single point import.',
    message: 'Tek noktadan ithalat oluşturuldu.',
    v1: post('/api/v1/shipment/single-point-imports', imports.importRequest),
    legacy: post('/api/single/point/import', imports.legacyImportRequest),
    answer(call, sent: imports.ImportBody) {
      const row = imports.createImport(call, sent)
      return created((face) => presentImport(row, { ...call, face }))
    },
  }),
  // 4.7 and 6.7. v1 ignores the body. *Assumed*: an import that is already completed is refused as for a shipment.
  operation({
    id: 'import-complete',
    says: 'Completes a single point import.',
    message: 'Tek noktadan ithalat tamamlandı.',
    v1: post('/api/v1/shipment/single-point-imports/{id}/complete', imports.completionRequest),
    legacy: post('/api/single/point/import/complete', imports.legacyCompletionRequest),
    answer(call, { id }: { id: number }) {
      imports.completeImport(call, id)
      return done
    },
  }),
  // 4.8 and 6.8
  operation({
    id: 'invoice-list',
    says: "Lists the organization's invoices.",
    message: 'Faturalar listelendi.',
    v1: get('/api/v1/finance/invoices', requests.invoices, rows.invoiceItem),
    legacy: post('/api/invoice/list', requests.legacyInvoices),
    answer: listOf(lists.invoices, rows.presentInvoice),
  }),
  // 6.9. v1 has no equivalent.
  operation({
    id: 'charge-list',
    says: "Lists the charges of the organization's shipments.",
    legacy: post('/api/transaction/charge/list', requests.legacyCharges),
    answer: listOf(lists.charges, rows.presentCharge),
  }),
  // 4.9 and 6.10: the only list without a token; *assumed*: also in legacy.
  operation({
    id: 'country-list',
    says: 'Lists countries.',
    message: 'Ülkeler listelendi.',
    needsToken: false,
    v1: get('/api/v1/public/shared/countries', requests.countries, rows.countryItem),
    legacy: get('/country/all', requests.legacyCountries),
    answer: listOf(lists.countries, rows.presentCountry),
  }),
  // 4.10 and 6.11
  operation({
    id: 'city-list',
    says: 'Lists cities; those of Turkey are its provinces.',
    message: 'Şehirler listelendi.',
    v1: get('/api/v1/public/shared/cities', requests.cities, rows.cityItem),
    legacy: get('/city/all', requests.legacyCities),
    answer: listOf(lists.cities, rows.presentCity),
  }),
  // 4.11 and 6.12
  operation({
    id: 'county-list',
    says: 'Lists counties, the districts of the provinces of Turkey.',
    message: 'İlçeler listelendi.',
    v1: get('/api/v1/public/shared/counties', requests.counties, rows.countyItem),
    legacy: get('/county/all', requests.legacyCounties),
    answer: listOf(lists.counties, rows.presentCounty),
  }),
  // 4.12 and 6.13
  operation({
    id: 'currency-list',
    says: 'Lists currencies with the rates of the central bank in TRY.',
    message: 'Para birimleri listelendi.',
    v1: get('/api/v1/shared/currencies', requests.currencies, rows.currencyItem),
    legacy: get('/api/currency', requests.legacyCurrencies),
    answer: listOf(lists.currencies, rows.presentCurrency),
  }),
  // 4.13 and 6.14
  operation({
    id: 'unit-list',
    says: 'Lists units of measure.',
    message: 'Ölçü birimleri listelendi.',
    v1: get('/api/v1/shared/units-of-measure', requests.units, rows.unitItem),
    legacy: get('/api/unit/of/measure/all', requests.legacyUnits),
    answer: listOf(lists.unitsOfMeasure, rows.presentUnit),
  }),
  // 4.14 and 6.15
  operation({
    id: 'export-code-list',
    says: 'Lists export codes.',
    message: 'İhracat kodları listelendi.',
    v1: get('/api/v1/shared/export-codes', requests.exportCodes, rows.exportCodeItem),
    legacy: get('/api/export/code', requests.legacyExportCodes),
    answer: listOf(lists.exportCodes, rows.presentCoded),
  }),
]
