import type { DatabaseSync } from 'node:sqlite'
import { BusinessError } from '../business-error.ts'
import { insertAddress } from '../store/addresses.ts'
import { type CarrierRow, findCarrier } from '../store/carriers.ts'
import { insertCharge, typeMaskOf } from '../store/charges.ts'
import { findCountry } from '../store/references.ts'
import { insertRow, mustBeThere } from '../store/rows.ts'
import type { DraftRow } from '../store/shipment-drafts.ts'
import { type PackageRow, type ProductRow, type ShipmentRow, trackingNumberOf } from '../store/shipments.ts'
import { senderIdFor } from './choose-sender.ts'
import { pricePackages, type Quote } from './price-packages.ts'
import type { Address, ShipmentOrder } from './shipment-order.ts'
import { openSinglePointImport } from './single-point-imports.ts'

/**
 * Turns a draft into a shipment: stores it under the draft's id, with its addresses, packages, products and charge.
 * Throws a BusinessError if it cannot be completed. Then the caller must roll back what has been stored.
 */
export function registerShipment(db: DatabaseSync, draft: DraftRow, order: ShipmentOrder, at: string): void {
  const { id, organizationId, createdAt } = draft
  const { carrierId, recipientAddress, billingAddress, singlePointImportId, facts } = order
  const carrier = findCarrier(db, carrierId)
  if (carrier === undefined) throw new BusinessError('CARRIER_IS_NOT_FOUND')
  const senderAddressId = senderIdFor(db, organizationId, order)
  if (singlePointImportId !== null) openSinglePointImport(db, organizationId, singlePointImportId)

  const country = mustBeThere(findCountry(db, recipientAddress.countryId))
  const quote = pricePackages(carrier, { country, zipCode: recipientAddress.zipCode }, order.packages, at)
  insertRow(db, 'shipments', {
    id,
    organizationId,
    carrierId,
    recipientAddressId: storeAddress(db, organizationId, 'recipient', recipientAddress),
    senderAddressId,
    billingAddressId: billingAddress && storeAddress(db, organizationId, 'billing', billingAddress),
    singlePointImportId,
    ...facts,
    freightPriceHundredths: quote.freight,
    peakPriceHundredths: quote.peak,
    remoteAreaPriceHundredths: quote.remoteArea,
    createdAt,
    updatedAt: at,
  } satisfies ShipmentRow)
  const trackingNumber = storePackages(db, id, carrier, order)
  for (const product of order.products) {
    insertRow(db, 'shipmentProducts', { shipmentId: id, ...product } satisfies Omit<ProductRow, 'id'>)
  }
  charge(db, draft, quote, trackingNumber, at)
}

/** Stores one row per piece. Returns the tracking number of the first. */
function storePackages(db: DatabaseSync, shipmentId: number, carrier: CarrierRow, { packages }: ShipmentOrder): string {
  const pieces = packages.flatMap(({ piece, ...measures }) => Array.from({ length: piece }, () => measures))
  const [first] = pieces.map((measures) =>
    insertRow(db, 'shipmentPackages', { shipmentId, ...measures } satisfies Omit<PackageRow, 'id'>),
  )
  return trackingNumberOf(carrier, { id: mustBeThere(first) })
}

function storeAddress(
  db: DatabaseSync,
  organizationId: number,
  role: 'recipient' | 'billing',
  address: Address,
): number {
  return insertAddress(db, { ...address, organizationId, role, title: '', taxType: null, tcNo: '', taxNumber: '' })
}

/** Stores the charge. *Assumed*: its amount is everything that the carrier quotes. */
function charge(
  db: DatabaseSync,
  { id, organizationId, typeId }: DraftRow,
  { freight, fuelSurcharge, additionalFees, peak, remoteArea, total }: Quote,
  trackingNumber: string,
  at: string,
): void {
  insertCharge(db, {
    organizationId,
    amountHundredths: total,
    createdAt: at,
    transactionId: id,
    trackingNumber,
    typeId,
    billingStatusId: 1,
    typeMask: typeMaskOf([freight, fuelSurcharge, additionalFees, peak, remoteArea]),
  })
}
