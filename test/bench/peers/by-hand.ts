import type { country, currencies, invoice, page, refusal, shipment } from './v1-answers.ts'

/**
 * The translation of the measured calls written by hand for speed: on the objects of JSON.parse, each member named. The
 * peers use it, and it makes the answers that the pass-through passes.
 */

type Page<Row> = Omit<ReturnType<typeof page>, 'items'> & { readonly items: readonly Row[] }
type Country = ReturnType<typeof country>
type Shipment = ReturnType<typeof shipment>
type Address = Shipment['recipientAddress']

export interface InvoiceFilters {
  readonly page?: number
  readonly perPage?: number
  readonly search?: string
  readonly isPayment?: boolean
  readonly statusId?: number
  readonly dateAtBetween?: { readonly startAt?: string; readonly endAt?: string }
}

export interface PackageRequest extends Readonly<Record<string, unknown>> {
  readonly products: readonly {
    readonly hsCode: string
    readonly description: string
    readonly piece: number
    readonly unitPrice: number
    readonly unitOfMeasure: { readonly code: string }
    readonly originCountryCode: string
  }[]
}

export interface ImportRequest {
  readonly name: string
  readonly shipmentId: string
}

const legacyTime = (time: string): string => `${time.slice(0, 19)}+00:00`

export function invoiceQuery(filters: InvoiceFilters): string {
  const { page: number = 1, perPage = 25, search, isPayment, statusId, dateAtBetween } = filters
  const query = new URLSearchParams({ page: `${number}`, perPage: `${perPage}` })
  if (search !== undefined) query.set('search', search)
  if (isPayment !== undefined) query.set('isPaid', `${isPayment}`)
  if (statusId !== undefined) query.set('statusId', `${statusId}`)
  if (dateAtBetween?.startAt !== undefined) query.set('dateFrom', dateAtBetween.startAt)
  if (dateAtBetween?.endAt !== undefined) query.set('dateTo', dateAtBetween.endAt)
  return query.toString()
}

export function invoicePage({ items, meta }: Page<ReturnType<typeof invoice>>) {
  return {
    data: items.map((row) => ({
      id: row.id,
      number: row.number,
      dateAt: legacyTime(row.dateAt),
      paymentExpirationAt: legacyTime(row.paymentExpirationAt),
      priceTry: row.priceTry,
      priceUsd: row.priceUsd,
      firstName: row.firstName,
      lastName: row.lastName,
      citizenshipNumber: row.citizenshipNumber,
      company: row.company,
      taxNumber: row.taxNumber,
      isPaid: row.isPaid,
      status: row.status,
      addressType: row.addressType,
      currency: { code: row.currencyCode },
    })),
    pagination: { count: meta.total, page: meta.page, perPage: meta.perPage, lastPage: meta.pageCount },
  }
}

/** Members that v1 does not list are not sent. */
export function packageRequest({ organizationId: _, typeId: __, products, ...request }: PackageRequest) {
  return {
    ...request,
    products: products.map(({ unitOfMeasure, ...product }) => ({ ...product, unitOfMeasureCode: unitOfMeasure.code })),
  }
}

/** @param rateTimes the time of each currency's rates, which a shipment of v1 no longer has. */
export function legacyShipment(
  { currency, singlePointImport, ...data }: Shipment,
  rateTimes: ReadonlyMap<string, string>,
) {
  const { carrierShipmentId, ...imported } = singlePointImport
  return {
    ...data,
    currency: { ...currency, updatedAt: rateTimes.get(currency.code) ?? null },
    singlePointImport: { ...imported, shipmentId: carrierShipmentId },
    recipientAddress: legacyAddress(data.recipientAddress),
    senderAddress: legacyAddress(data.senderAddress),
    billingAddress: legacyAddress(data.billingAddress),
    createdAt: legacyTime(data.createdAt),
    updatedAt: legacyTime(data.updatedAt),
    orderData: null,
  }
}

const legacyAddress = (address: Address) => ({ ...address, country: legacyCountry(address.country) })

export function legacyCountry({ id, code, name, phoneCode, isCarrierService, tax, flags }: Country) {
  return {
    ...{ id, code, name, phoneCode, isCarrierService },
    ...{ taxType: tax.type, taxMaxValidPrice: tax.maxValidPrice, flagW20: flags.w20, flagW40: flags.w40 },
  }
}

export const rateTimesOf = (items: readonly (typeof currencies)[number][]): ReadonlyMap<string, string> =>
  new Map(items.map(({ code, rates }) => [code, legacyTime(rates.updatedAt)]))

export const importRequest = ({ name, shipmentId }: ImportRequest) => ({ name, carrierShipmentId: shipmentId })

/** v1's members of all measured requests that have another name in legacy. */
const LEGACY_NAMES: Readonly<Record<string, string>> = {
  carrierShipmentId: 'shipmentId',
  isPaid: 'isPayment',
  dateFrom: 'dateAtBetween.startAt',
  dateTo: 'dateAtBetween.endAt',
}

const legacyPath = (path: string): string =>
  LEGACY_NAMES[path] ?? path.replace(/^(products\[\d+\]\.unitOfMeasure)Code$/, '$1.code')

/** A 422 of v1, which legacy answers as 400. */
export const legacyRefusal = ({ message, errors }: typeof refusal) => ({
  message,
  violations: errors.map((error) => ({ propertyPath: legacyPath(error.path), message: error.message })),
})
