import { z } from 'zod'
import {
  anyText,
  centimetres,
  code,
  count,
  kilograms,
  list,
  money,
  optionalText,
  recordId,
  text,
} from '../validation/body-fields.ts'

/*
 * The bodies of requests for shipments (docs/contract.md 4.4, 4.5, 6.4 and 6.5). *Assumed*: which fields are required
 * (docs/contract.md 13.1), all bounds (13.6), and that null means the same as a missing optional field, because legacy
 * programs send it.
 */

/** docs/contract.md 4.4, `recipientAddress` and `billingAddress`. */
const address = z.object({
  countryId: recordId(),
  firstName: text(100),
  lastName: text(100),
  company: optionalText(255),
  email: optionalText(255),
  phone: text(50),
  zipCode: optionalText(20),
  state: optionalText(100),
  city: text(100),
  address1: text(255),
  address2: optionalText(255),
})

/** docs/contract.md 4.4, `newSenderAddress`. Only the ids of county and city are used; their names are ignored. */
const newSenderAddress = z.object({
  title: optionalText(100),
  county: z.object({ id: recordId(), name: optionalText(100) }),
  city: z.object({ id: recordId(), name: optionalText(100) }),
  address1: text(255),
  address2: optionalText(255),
  firstName: text(100),
  lastName: text(100),
  company: optionalText(255),
  phone: text(50),
  zipCode: optionalText(20),
  email: optionalText(255),
  taxType: code().nullish(),
  tcNo: optionalText(11),
  taxNumber: optionalText(20),
})

/** The fields of both kinds of shipments, and all that a document shipment has (docs/contract.md 4.5). */
export const documentBody = z.object({
  recipientAddress: address,
  referenceNumbers: list(anyText(100), 0, 100).nullish(),
  isRecipientCompany: z.boolean().nullish(),
  taxIdentificationNumber: optionalText(50),
  senderAddressId: recordId().nullish(),
  id: recordId().nullish(),
})

/** A row of `packages`. *Assumed*: a missing piece means 1. */
const sentPackage = z.object({
  length: centimetres(0.1),
  size: centimetres(0.1),
  height: centimetres(0.1),
  weight: kilograms(),
  piece: count(100).nullish(),
})

/** A row of `products`. */
const product = z.object({
  hsCode: text(32),
  description: text(255),
  piece: count(1_000_000),
  unitPrice: money(),
  unitOfMeasureCode: text(8),
  originCountryCode: text(8),
})

/** docs/contract.md 4.4, row by row. */
export const packageBody = z.object({
  ...documentBody.shape,
  packages: list(sentPackage, 1, 100),
  description: text(255),
  carrierId: recordId(),
  currencyId: recordId(),
  exportCodeId: recordId(),
  products: list(product, 1, 1000),
  taxNumber: optionalText(50),
  deliveryTaxType: code().nullish(),
  previousTaxStatus: code().nullish(),
  freight: money().nullish(),
  discount: money().nullish(),
  other: money().nullish(),
  isDiffBillingAddress: z.boolean().nullish(),
  billingAddress: address.nullish(),
  newSenderAddress: newSenderAddress.nullish(),
  singlePointImportId: recordId().nullish(),
  customsAccountNumber: optionalText(50),
  customsAccountZipCode: optionalText(20),
  comment: optionalText(1000),
})

/** The name is ignored. *Assumed*: for a product without a unit, the violation is the missing code. */
const unitOfMeasure = z.preprocess((sent) => sent ?? {}, z.object({ code: text(8), name: optionalText(255) }))

const { unitOfMeasureCode: _, originCountryCode, ...withoutUnit } = product.shape

/** docs/contract.md 6.5: the body of v1, with `unitOfMeasure {code, name}` in products. */
export const legacyPackageBody = packageBody.extend({
  products: list(z.object({ ...withoutUnit, unitOfMeasure, originCountryCode }), 1, 1000),
})

export type DocumentBody = z.output<typeof documentBody>
export type PackageBody = z.output<typeof packageBody>
export type LegacyPackageBody = z.output<typeof legacyPackageBody>
export type SentAddress = z.output<typeof address>
export type SentSender = z.output<typeof newSenderAddress>

/** Converts the body of legacy into that of v1. */
export function readLegacyPackageBody({ products, ...sent }: LegacyPackageBody): PackageBody {
  return {
    ...sent,
    products: products.map(({ unitOfMeasure, ...rest }) => ({ ...rest, unitOfMeasureCode: unitOfMeasure.code })),
  }
}
