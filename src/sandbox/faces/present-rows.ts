import { z } from 'zod'
import { type Call, type FaceName, nameOf } from '../service.ts'
import { typeOf } from '../shipments/stored-shipments.ts'
import type { Row } from '../store/sandbox-tables.ts'

/*
 * The items of lists, in both faces, and their schemas in v1, which its description states. Members that are undefined in a
 * face are not written: unlike a spread, that costs no time per row.
 */

/** docs/contract.md 10.1. */
const invoiceStatuses = new Map([
  [1, 'NEW'],
  [2, 'WAITING'],
  [3, 'COMPLETED'],
])

/** docs/contract.md 5.1 only shows CORPORATION. *Assumed*: the ids, and INDIVIDUAL for a person without a company. */
const addressTypes = new Map([
  [1, 'INDIVIDUAL'],
  [2, 'CORPORATION'],
])

/** docs/contract.md 5.1. *Assumed*: missing values, such as a person's company, are empty strings. */
export const invoiceItem = z.object({
  id: z.int(),
  organizationId: z.int(),
  number: z.string().max(16),
  dateAt: z.iso.datetime(),
  paymentExpirationAt: z.iso.datetime(),
  priceTry: z.number(),
  priceUsd: z.number(),
  firstName: z.string(),
  lastName: z.string(),
  citizenshipNumber: z.string(),
  company: z.string(),
  taxNumber: z.string(),
  isPaid: z.boolean(),
  status: z.object({ id: z.int(), slug: z.enum([...invoiceStatuses.values()]) }),
  addressType: z.object({ id: z.int(), slug: z.enum([...addressTypes.values()]) }),
  currencyCode: z.string(),
})

/** docs/contract.md 7.1: legacy has no organizationId, and `currency` instead of currencyCode. */
export function presentInvoice(row: Row<'invoices'>, { face }: Call) {
  const inV1 = face === 'v1'
  return {
    id: row.id,
    organizationId: inV1 ? row.organizationId : undefined,
    number: row.number,
    dateAt: timestamp(row.dateAt, face),
    paymentExpirationAt: timestamp(row.paymentExpirationAt, face),
    priceTry: row.priceTryHundredths / 100,
    priceUsd: row.priceUsdHundredths / 100,
    firstName: row.firstName,
    lastName: row.lastName,
    citizenshipNumber: row.citizenshipNumber,
    company: row.company,
    taxNumber: row.taxNumber,
    isPaid: row.isPaid === 1,
    status: { id: row.statusId, slug: invoiceStatuses.get(row.statusId) },
    addressType: { id: row.addressTypeId, slug: addressTypes.get(row.addressTypeId) },
    currencyCode: inV1 ? row.currencyCode : undefined,
    currency: inV1 ? undefined : { code: row.currencyCode },
  }
}

/** docs/contract.md 7.2. READY is the only billing status that occurs (10.4). */
export function presentCharge(row: Row<'charges'>, { face }: Call) {
  const { id, slug } = typeOf(row)
  return {
    id: row.id,
    amount: row.amountHundredths / 100,
    createdAt: timestamp(row.createdAt, face),
    transaction: { id: row.transactionId, trackingNumber: row.trackingNumber, type: { id, slug } },
    billingStatus: { id: row.billingStatusId, slug: 'READY' },
    typeMask: row.typeMask,
  }
}

/** docs/contract.md 5.2. */
export const countryItem = z.object({
  id: z.int(),
  code: z.string(),
  name: nameInLanguage(),
  phoneCode: z.string(),
  isCarrierService: z.boolean(),
  tax: z.object({ type: z.string(), maxValidPrice: z.number() }),
  flags: z.object({ w20: z.string(), w40: z.string() }),
})

/** A country of a list or an address. In legacy the members of `flags` and `tax` are flat (docs/contract.md 6.5, 6.10). */
export function presentCountry(row: Row<'countries'>, { face, language }: Pick<Call, 'face' | 'language'>) {
  const inV1 = face === 'v1'
  return {
    id: row.id,
    code: row.code,
    name: nameOf(row, language),
    phoneCode: row.phoneCode,
    isCarrierService: row.isCarrierService === 1,
    tax: inV1 ? { type: row.taxType, maxValidPrice: row.taxMaxValidPrice } : undefined,
    flags: inV1 ? { w20: row.flagW20, w40: row.flagW40 } : undefined,
    taxType: inV1 ? undefined : row.taxType,
    taxMaxValidPrice: inV1 ? undefined : row.taxMaxValidPrice,
    flagW20: inV1 ? undefined : row.flagW20,
    flagW40: inV1 ? undefined : row.flagW40,
  }
}

/** *Assumed* (docs/contract.md 13.2). */
export const cityItem = z.object({ id: z.int(), name: z.string(), countryId: z.int(), countryCode: z.string() })

export function presentCity({ id, name, countryId, countryCode }: Row<'cities'>) {
  return { id, name, countryId, countryCode }
}

/** *Assumed* (docs/contract.md 13.2). */
export const countyItem = z.object({ id: z.int(), name: z.string(), cityId: z.int() })

export function presentCounty({ id, name, cityId }: Row<'counties'>) {
  return { id, name, cityId }
}

/**
 * docs/contract.md 5.3. *Assumed*: the name is Turkish in every language, because currencies are not among the names
 * that follow Accept-Language (docs/contract.md 2.3); a missing rate is 0.
 */
export const currencyItem = z.object({
  id: z.int(),
  code: z.string(),
  name: z.string(),
  flagPath: z.string(),
  rates: z.object({ sellingTry: z.number(), buyingTry: z.number(), updatedAt: z.iso.datetime() }),
})

/** docs/contract.md 6.13: legacy has `rate` and `updatedAt`, and no flagPath. *Assumed*: the members of `rate`. */
export function presentCurrency(row: Row<'currencies'>, { face }: Call) {
  const { id, code, name, flagPath, sellingTry, buyingTry } = row
  const updatedAt = timestamp(row.updatedAt, face)
  if (face === 'v1') return { id, code, name, flagPath, rates: { sellingTry, buyingTry, updatedAt } }
  return { id, code, name, rate: { sellingRateTry: sellingTry, buyingRateTry: buyingTry }, updatedAt }
}

/** *Assumed* (docs/contract.md 13.2). */
export const unitItem = z.object({ id: z.int(), code: z.string(), name: nameInLanguage() })

export function presentUnit(row: Row<'unitsOfMeasure'>, { language }: Pick<Call, 'language'>) {
  return { id: row.id, code: row.code, name: nameOf(row, language) }
}

/** *Assumed* (docs/contract.md 13.2), and that the name is Turkish in every language, like that of a currency. */
export const exportCodeItem = z.object({ id: z.int(), code: z.string(), name: z.string() })

/** An export code, or the currency of a shipment. */
export function presentCoded({ id, code, name }: { id: number; code: string; name: string }) {
  return { id, code, name }
}

/** Writes a time of the store. Legacy writes the offset +00:00, and no milliseconds (docs/contract.md 2.2). */
export function timestamp(stored: string, face: FaceName): string {
  return face === 'v1' ? stored : `${stored.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}+00:00`
}

function nameInLanguage() {
  return z.string().meta({ description: 'In the language of Accept-Language' })
}
