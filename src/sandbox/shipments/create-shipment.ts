import type { DatabaseSync } from 'node:sqlite'
import type { Call } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { findRow, insertRow, inTransaction, mustBeThere } from '../store/sandbox-rows.ts'
import type { NewRow, Row } from '../store/sandbox-tables.ts'
import { pricePackages, type Quote } from './prices.ts'
import { senderIdFor } from './sender-addresses.ts'
import type { ShipmentOrder } from './shipment-orders.ts'
import { findOpenImport } from './single-point-imports.ts'
import { readShipment, type Shipment, trackingNumberOf } from './stored-shipments.ts'

/**
 * Creates a shipment, registers it with the carrier, stores its charge, and returns it.
 *
 * Throws a ServiceError if the shipment cannot be completed. Then only a draft is stored (docs/contract.md 10.2): the
 * draft `draftId`, or a new one. *Assumed*: a draft of another organization or type is SHIPMENT_DRAFT_IS_NOT_FOUND, and
 * no draft is stored. Nor is one stored for an invalid request, which does not get here.
 */
export function createShipment(
  { db, now, organizationId }: Call,
  draftId: number | null | undefined,
  order: ShipmentOrder,
): Shipment {
  const at = new Date(now()).toISOString()
  // Stored in its own transaction, so that it is kept if the next one fails.
  const draft = inTransaction(db, () => takeUpDraft(db, organizationId, draftId, order, at))
  inTransaction(db, () => {
    registerShipment(db, draft, order, at)
    db.prepare('DELETE FROM shipmentDrafts WHERE id = ?').run(draft.id)
  })
  return readShipment(db, draft.id)
}

/** Stores the order as a draft, whose id no other draft or shipment has ever had, or in the draft with this id. */
function takeUpDraft(
  db: DatabaseSync,
  organizationId: number,
  draftId: number | null | undefined,
  order: ShipmentOrder,
  at: string,
): Row<'shipmentDrafts'> {
  const { typeId } = order.facts
  const attempt = { organizationId, typeId, request: JSON.stringify(order), updatedAt: at }
  if (draftId === null || draftId === undefined) {
    const draft = { ...attempt, createdAt: at }
    return { id: insertRow(db, 'shipmentDrafts', draft), ...draft }
  }
  const draft = findRow(db, 'shipmentDrafts', { id: draftId, organizationId, typeId })
  if (draft === undefined) throw new ServiceError('SHIPMENT_DRAFT_IS_NOT_FOUND')
  const update = db.prepare('UPDATE shipmentDrafts SET request = ?, updatedAt = ? WHERE id = ?')
  update.run(attempt.request, at, draftId)
  return { ...draft, ...attempt }
}

/**
 * Turns a draft into a shipment: stores it under the draft's id, with its addresses, packages, products and charge.
 * Throws a ServiceError if it cannot be completed. Then the caller must roll back what has been stored.
 */
function registerShipment(db: DatabaseSync, draft: Row<'shipmentDrafts'>, order: ShipmentOrder, at: string): void {
  const { id, organizationId, createdAt } = draft
  const { carrierId, recipientAddress, billingAddress, singlePointImportId, facts } = order
  const carrier = findRow(db, 'carriers', { id: carrierId })
  if (carrier === undefined) throw new ServiceError('CARRIER_IS_NOT_FOUND')
  const senderAddressId = senderIdFor(db, organizationId, order)
  if (singlePointImportId !== null) findOpenImport(db, organizationId, singlePointImportId)

  const country = mustBeThere(findRow(db, 'countries', { id: recipientAddress.countryId }))
  const quote = pricePackages(carrier, { country, zipCode: recipientAddress.zipCode }, order.packages, at)
  const storeAddress = (role: 'recipient' | 'billing', address: ShipmentOrder['recipientAddress']) =>
    insertRow(db, 'addresses', { ...address, organizationId, role })
  insertRow(db, 'shipments', {
    id,
    organizationId,
    carrierId,
    recipientAddressId: storeAddress('recipient', recipientAddress),
    senderAddressId,
    billingAddressId: billingAddress && storeAddress('billing', billingAddress),
    singlePointImportId,
    ...facts,
    freightPriceHundredths: quote.freight,
    peakPriceHundredths: quote.peak,
    remoteAreaPriceHundredths: quote.remoteArea,
    createdAt,
    updatedAt: at,
  })
  const pieces = order.packages.flatMap(({ piece, ...measures }) => Array.from({ length: piece }, () => measures))
  const [first] = pieces.map((measures) => ({ id: insertRow(db, 'shipmentPackages', { shipmentId: id, ...measures }) }))
  for (const product of order.products) insertRow(db, 'shipmentProducts', { shipmentId: id, ...product })
  insertRow(db, 'charges', chargeOf(draft, quote, trackingNumberOf(carrier, first), at))
}

/** Returns the charge of a shipment. *Assumed*: its amount is everything that the carrier quotes. */
function chargeOf(
  { id, organizationId, typeId }: Row<'shipmentDrafts'>,
  { freight, fuelSurcharge, additionalFees, peak, remoteArea, total }: Quote,
  trackingNumber: string,
  at: string,
): NewRow<'charges'> {
  return {
    organizationId,
    amountHundredths: total,
    createdAt: at,
    transactionId: id,
    trackingNumber,
    typeId,
    billingStatusId: 1,
    typeMask: typeMaskOf([freight, fuelSurcharge, additionalFees, peak, remoteArea]),
  }
}

/**
 * *Assumed* (docs/contract.md 13.2): a bit for each part of the price, in the order freight, fuel, fees, peak, remote
 * area.
 */
export function typeMaskOf(parts: readonly number[]): string {
  return parts.map((hundredths) => (hundredths > 0 ? '1' : '0')).join('')
}
