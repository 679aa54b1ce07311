import type { AddressRow } from '../store/addresses.ts'
import type { ProductRow, ShipmentRow } from '../store/shipments.ts'
import type { Measures } from './measure.ts'

/** An address in a request. */
export type Address = Omit<AddressRow, 'id' | 'organizationId' | 'role' | 'title' | 'taxType' | 'tcNo' | 'taxNumber'>

export type NewSenderAddress = Omit<AddressRow, 'id' | 'organizationId' | 'role'>

/** A valid request for a shipment, from either interface. Missing values are null. */
export interface ShipmentOrder {
  readonly carrierId: number
  readonly recipientAddress: Address
  readonly billingAddress: Address | null
  readonly senderAddressId: number | null
  /** *Assumed*: ignored if there is a senderAddressId. */
  readonly newSenderAddress: NewSenderAddress | null
  readonly singlePointImportId: number | null
  readonly packages: readonly (Measures & { readonly piece: number })[]
  readonly products: readonly Omit<ProductRow, 'id' | 'shipmentId'>[]
  /** Values that are stored as sent. */
  readonly facts: Pick<
    ShipmentRow,
    | 'typeId'
    | 'currencyId'
    | 'exportCodeId'
    | 'description'
    | 'comment'
    | 'referenceNumbers'
    | 'isRecipientCompany'
    | 'taxNumber'
    | 'taxIdentificationNumber'
    | 'deliveryTaxType'
    | 'previousTaxStatus'
    | 'customsAccountNumber'
    | 'customsAccountZipCode'
    | 'freightHundredths'
    | 'discountHundredths'
    | 'otherHundredths'
  >
}
