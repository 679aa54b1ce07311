import {
  type ImportRequest,
  type InvoiceFilters,
  invoicePage,
  legacyCountry,
  legacyRefusal,
  legacyShipment,
  type PackageRequest,
  rateTimesOf,
} from './by-hand.ts'
import { country, currencies, invoice, page, record, refusal, shipment } from './v1-answers.ts'

/** A measured legacy call, and the status of its answer. */
export interface Work {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** The query tells the pass-through's upstream what to answer. Nothing else reads it. */
  readonly path: string
  readonly body: string | undefined
  readonly status: number
}

export const TOKEN = 'Bearer a-token-of-the-benchmark'

const post = (name: string, path: string, body: object, status = 200): Work => ({
  ...{ name, method: 'POST', path, body: JSON.stringify(body), status },
})

export function invoices(rows: number): Work {
  const filters: InvoiceFilters = {
    ...{ page: 1, perPage: rows, isPayment: false, search: `${rows}` },
    dateAtBetween: { startAt: '2025-01-01', endAt: '2025-06-30' },
  }
  return post(`${rows} invoices`, `/api/invoice/list?of=${rows}`, filters)
}

const address = {
  ...{ countryId: 57, firstName: 'Deneme', lastName: 'Alıcı', company: 'Deneme GmbH', email: 'deneme@example.com' },
  ...{ phone: '+4930123456', zipCode: '10115', state: 'BE', city: 'Berlin', address1: 'Deneme Straße 1', address2: '' },
}

const packageBody: PackageRequest = {
  ...{ recipientAddress: address, billingAddress: address, isDiffBillingAddress: true, senderAddressId: 2 },
  packages: [1, 2].map((piece) => ({ length: 30, size: 10, height: 20, weight: 1.25, piece })),
  ...{ description: 'Tekstil ürünleri', carrierId: 1, currencyId: 1, exportCodeId: 4, deliveryTaxType: 1 },
  products: Array.from({ length: 5 }, (_, index) => ({
    ...{ hsCode: '610910000000', description: `Pamuklu tişört, ${index}. renk`, piece: 10 + index, unitPrice: 12.25 },
    ...{ unitOfMeasure: { code: 'C62', name: 'Adet' }, originCountryCode: 'TR' },
  })),
  ...{ referenceNumbers: ['SIPARIS-1', 'SIPARIS-2'], taxNumber: '0006296820', comment: 'Kapıya bırakın' },
  // Members that v1 does not list, but old programs send.
  ...{ organizationId: 1, typeId: 2 },
}

const importBody: ImportRequest = { name: 'Haziran', shipmentId: 'GCCN0001' }

export const packageShipment = post('package of 5 products', '/api/consignment/package/advance', packageBody)
export const countryList: Work = {
  ...{ name: 'country list, kept', method: 'GET', path: '/country/all', body: undefined, status: 200 },
}
export const refusedImport = post('error, 422 → 400', '/api/single/point/import', importBody, 400)

/** A price request of about this many bytes. */
export function priceOf(bytes: number): Work {
  const row = { length: 30, size: 10, height: 20, weight: 1.25, piece: 2, id: 12345 }
  const rows = Math.round(bytes / (JSON.stringify(row).length + 1))
  return post(`price request of ${bytes} bytes`, '/api/calculate/price', {
    ...{ countryId: 57, zipCode: '10115', city: null, packages: Array.from({ length: rows }, () => row) },
  })
}

/** Lengths of lists whose growth is measured; the compared ones are among them. */
export const LIST_LENGTHS = [1, 5, 25, 100, 200, 1_000, 5_000] as const
const MOST_PER_PAGE = 200
const COUNTRIES = 249

const quotes = [1, 2, 3].map((carrierId) => ({
  ...{ carrierId, price: 41.5 + carrierId, fuelSurcharge: 3.25, currencyCode: 'USD' },
  packages: [1.5, 2.5].map((desi) => ({
    desi,
    additionalFees: [{ slug: 'OVERSIZE', name: 'Büyük boy', amount: 4.5 }],
  })),
}))

/** The upstream's paths and files: `$arg_x` in a file's name stands for the parameter x of the query. */
export const routes: readonly { readonly path: string; readonly status: number; readonly file: string }[] = [
  { path: '/api/v1/finance/invoices', status: 200, file: 'v1-invoices-$arg_search-$arg_perPage-$arg_page' },
  { path: '/api/v1/shipment/shipments/packages', status: 201, file: 'v1-shipment' },
  { path: '/api/v1/public/shared/countries', status: 200, file: 'v1-countries-$arg_page' },
  { path: '/api/v1/shared/currencies', status: 200, file: 'v1-currencies' },
  { path: '/api/v1/shipment/single-point-imports', status: 422, file: 'v1-refusal' },
  { path: '/api/v1/shipment/price-calculations', status: 200, file: 'v1-quotes' },
  { path: '/api/invoice/list', status: 200, file: 'legacy-invoices-$arg_of' },
  { path: '/api/consignment/package/advance', status: 200, file: 'legacy-shipment' },
  { path: '/country/all', status: 200, file: 'legacy-countries' },
  { path: '/api/single/point/import', status: 400, file: 'legacy-refusal' },
]

/** All answers of the upstream, by file name: for each call v1's answer, and legacy's for the pass-through. */
export function files(): ReadonlyMap<string, object> {
  const made = new Map<string, object>([
    ['v1-shipment', record(shipment(5))],
    ['legacy-shipment', legacyShipment(shipment(5), rateTimesOf(currencies))],
    ['v1-countries-1', page(country, COUNTRIES, 1, MOST_PER_PAGE)],
    ['v1-countries-2', page(country, COUNTRIES, 2, MOST_PER_PAGE)],
    ['legacy-countries', Array.from({ length: COUNTRIES }, (_, number) => legacyCountry(country(number)))],
    ['v1-currencies', page((number) => currencies[number], currencies.length, 1, MOST_PER_PAGE)],
    ['v1-refusal', refusal],
    ['legacy-refusal', legacyRefusal(refusal)],
    ['v1-quotes', page((number) => quotes[number], quotes.length, 1, quotes.length)],
  ])
  for (const rows of LIST_LENGTHS) {
    const perPage = Math.min(rows, MOST_PER_PAGE)
    made.set(`legacy-invoices-${rows}`, invoicePage(page(invoice, rows, 1, rows)))
    for (let number = 1; number <= rows / perPage; number++) {
      made.set(`v1-invoices-${rows}-${perPage}-${number}`, page(invoice, rows, number, perPage))
    }
  }
  return made
}
