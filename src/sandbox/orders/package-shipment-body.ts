import { z } from 'zod'
import {
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
import { address, commonFields, newSenderAddress } from './shipment-fields.ts'

/** A row of `products`. */
export const product = z.object({
  hsCode: text(32),
  description: text(255),
  piece: count(1_000_000),
  unitPrice: money(),
  unitOfMeasureCode: text(8),
  originCountryCode: text(8),
})

/** Builds the schema of `products` with rows of this schema. */
export function packageProducts<Row extends z.ZodObject>(row: Row) {
  return list(row, 1, 1000)
}

/**
 * docs/contract.md 4.4, row by row. *Assumed*: which fields are required, that a missing piece means 1, and all bounds
 * (docs/contract.md 13.1 and 13.6).
 */
export const packageShipmentBody = z.object({
  ...commonFields,
  packages: list(
    z.object({
      length: centimetres(0.1),
      size: centimetres(0.1),
      height: centimetres(0.1),
      weight: kilograms(),
      piece: count(100).nullish(),
    }),
    1,
    100,
  ),
  description: text(255),
  carrierId: recordId(),
  currencyId: recordId(),
  exportCodeId: recordId(),
  products: packageProducts(product),
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

export type PackageShipmentBody = z.output<typeof packageShipmentBody>
