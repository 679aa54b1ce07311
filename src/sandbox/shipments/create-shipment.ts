import type { DatabaseSync } from 'node:sqlite'
import type { Call } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { findRow, insertRow, inTransaction, mustBeThere } from '../store/sandbox-rows.ts'
import type { NewRow, Row } from '../store/sandbox-tables.ts'
import { pricePackages, type Quote, roundMeasures, toHundredths } from './prices.ts'
import { chooseSender, requireTaxInformation } from './sender-addresses.ts'
import { type DocumentBody, findUnitByCode, type PackageBody, type SentAddress } from './shipment-requests.ts'
import { findOpenImport } from './single-point-imports.ts'
import { readShipment, type Shipment, shipmentTypes, trackingNumberOf } from './stored-shipments.ts'

/** A valid request for a shipment of either kind. Null means the same as not sent. */
type ShipmentRequest = DocumentBody & Partial<PackageBody> & Pick<PackageBody, 'carrierId' | 'packages' | 'products'>

/**
 * The contents of every document shipment: always with carrier 1, the express saver service, and always one package of
 * 0 x 0 x 0 cm and 0.5 kg (docs/contract.md 4.5).
 */
const documentContents = {
  carrierId: 1,
  packages: [{ length: 0, size: 0, height: 0, weight: 0.5 }],
  products: [],
}

/** Creates a document shipment, like `createPackages`. */
export function createDocument(call: Call, sent: DocumentBody): Shipment {
  return createShipment(call, shipmentTypes.document.id, { ...sent, ...documentContents })
}

/**
 * Creates a package shipment, registers it with the carrier, stores its charge, and returns it.
 *
 * Throws a ServiceError if the shipment cannot be completed. Then only a draft is stored (docs/contract.md 10.2): that with the
 * `id` of the request, or a new one. *Assumed*: a draft of another organization or type is SHIPMENT_DRAFT_IS_NOT_FOUND, and
 * no draft is stored. Nor is one stored for an invalid request, which does not get here.
 */
export function createPackages(call: Call, sent: PackageBody): Shipment {
  return createShipment(call, shipmentTypes.package.id, sent)
}

function createShipment({ db, now, organizationId }: Call, typeId: number, sent: ShipmentRequest): Shipment {
  const at = new Date(now()).toISOString()
  const attempt = { organizationId, typeId, request: JSON.stringify(sent), updatedAt: at }
  // Stored in its own transaction, so that it is kept if the next one fails.
  const draft = inTransaction(db, () => takeUpDraft(db, sent.id, attempt))
  inTransaction(db, () => {
    registerShipment(db, draft, sent, at)
    db.prepare('DELETE FROM shipmentDrafts WHERE id = ?').run(draft.id)
  })
  return readShipment(db, draft.id)
}

/** Stores an attempt as a draft, whose id no other draft or shipment has ever had, or in the draft with this id. */
function takeUpDraft(
  db: DatabaseSync,
  id: number | null | undefined,
  attempt: Omit<Row<'shipmentDrafts'>, 'id' | 'createdAt'>,
): Row<'shipmentDrafts'> {
  if (id === null || id === undefined) {
    const draft = { ...attempt, createdAt: attempt.updatedAt }
    return { id: insertRow(db, 'shipmentDrafts', draft), ...draft }
  }
  const { organizationId, typeId, request, updatedAt } = attempt
  const draft = findRow(db, 'shipmentDrafts', { id, organizationId, typeId })
  if (draft === undefined) throw new ServiceError('SHIPMENT_DRAFT_IS_NOT_FOUND')
  db.prepare('UPDATE shipmentDrafts SET request = ?, updatedAt = ? WHERE id = ?').run(request, updatedAt, id)
  return { ...draft, ...attempt }
}

/**
 * Turns a draft into a shipment: stores it under the draft's id, with its addresses, packages, products and charge.
 * Throws a ServiceError if it cannot be completed. Then the caller must roll back what has been stored. *Assumed*: a billing
 * address is used only if isDiffBillingAddress is true; a missing piece means 1.
 */
function registerShipment(db: DatabaseSync, draft: Row<'shipmentDrafts'>, sent: ShipmentRequest, at: string): void {
  const { id, organizationId, typeId, createdAt } = draft
  const { carrierId, recipientAddress, billingAddress, singlePointImportId } = sent
  const carrier = findRow(db, 'carriers', { id: carrierId })
  if (carrier === undefined) throw new ServiceError('CARRIER_IS_NOT_FOUND')
  const senderAddressId = storeSender(db, organizationId, sent)
  if (singlePointImportId) findOpenImport(db, organizationId, singlePointImportId)

  const country = mustBeThere(findRow(db, 'countries', { id: recipientAddress.countryId }))
  const packages = sent.packages.map((each) => ({ ...roundMeasures(each), piece: each.piece ?? 1 }))
  const quote = pricePackages(carrier, { country, zipCode: recipientAddress.zipCode }, packages, at)
  const storeAddress = (role: string, address: SentAddress) =>
    insertRow(db, 'addresses', { ...storedAddress(address), organizationId, role })
  insertRow(db, 'shipments', {
    id,
    organizationId,
    typeId,
    carrierId,
    recipientAddressId: storeAddress('recipient', recipientAddress),
    senderAddressId,
    billingAddressId: sent.isDiffBillingAddress && billingAddress ? storeAddress('billing', billingAddress) : null,
    singlePointImportId: singlePointImportId ?? null,
    currencyId: sent.currencyId ?? null,
    exportCodeId: sent.exportCodeId ?? null,
    description: sent.description ?? null,
    comment: sent.comment || null,
    referenceNumbers: JSON.stringify(sent.referenceNumbers ?? []),
    isRecipientCompany: sent.isRecipientCompany ? 1 : 0,
    taxNumber: sent.taxNumber || null,
    taxIdentificationNumber: sent.taxIdentificationNumber || null,
    deliveryTaxType: sent.deliveryTaxType ?? null,
    previousTaxStatus: sent.previousTaxStatus ?? null,
    customsAccountNumber: sent.customsAccountNumber || null,
    customsAccountZipCode: sent.customsAccountZipCode || null,
    freightHundredths: storedAmount(sent.freight),
    discountHundredths: storedAmount(sent.discount),
    otherHundredths: storedAmount(sent.other),
    freightPriceHundredths: quote.freight,
    peakPriceHundredths: quote.peak,
    remoteAreaPriceHundredths: quote.remoteArea,
    createdAt,
    updatedAt: at,
  })
  const pieces = packages.flatMap(({ piece, ...measures }) => Array.from({ length: piece }, () => measures))
  const [first] = pieces.map((measures) => ({ id: insertRow(db, 'shipmentPackages', { shipmentId: id, ...measures }) }))
  for (const { unitPrice, unitOfMeasureCode, originCountryCode, ...product } of sent.products) {
    insertRow(db, 'shipmentProducts', {
      shipmentId: id,
      ...product,
      unitPriceHundredths: toHundredths(unitPrice),
      unitOfMeasureId: mustBeThere(findUnitByCode(db, unitOfMeasureCode)).id,
      originCountryId: mustBeThere(findRow(db, 'countries', { code: originCountryCode })).id,
    })
  }
  insertRow(db, 'charges', chargeOf(draft, quote, trackingNumberOf(carrier, first), at))
}

/**
 * Returns the id of the address that a shipment is sent from. Stores a new address for the organization to keep; *assumed*: a
 * new address is ignored if there is a senderAddressId. Throws BAD_REQUEST like `chooseSender`, and
 * SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED with city and county candidates.
 */
function storeSender(
  db: DatabaseSync,
  organizationId: number,
  { senderAddressId, newSenderAddress }: ShipmentRequest,
): number {
  if (!newSenderAddress || senderAddressId) {
    const sender = chooseSender(db, organizationId, senderAddressId)
    requireTaxInformation(db, sender)
    return sender.id
  }
  const { title, county, city, taxType, tcNo, taxNumber, ...address } = newSenderAddress
  const sender = {
    ...storedAddress({
      ...address,
      // The country of all sender addresses.
      countryId: mustBeThere(findRow(db, 'countries', { code: 'TR' })).id,
      state: mustBeThere(findRow(db, 'counties', { id: county.id })).name,
      city: mustBeThere(findRow(db, 'cities', { id: city.id })).name,
    }),
    organizationId,
    role: 'sender',
    title: title ?? '',
    taxType: taxType ?? null,
    tcNo: tcNo ?? '',
    taxNumber: taxNumber ?? '',
  }
  requireTaxInformation(db, sender)
  return insertRow(db, 'addresses', sender)
}

/** Converts an address into the stored form. Missing values become empty strings. */
function storedAddress(sent: SentAddress) {
  return {
    title: '',
    firstName: sent.firstName,
    lastName: sent.lastName,
    company: sent.company ?? '',
    email: sent.email ?? '',
    phone: sent.phone,
    countryId: sent.countryId,
    state: sent.state ?? '',
    city: sent.city,
    zipCode: sent.zipCode ?? '',
    address1: sent.address1,
    address2: sent.address2 ?? '',
    tcNo: '',
    taxNumber: '',
  }
}

function storedAmount(amount: number | null | undefined): number | null {
  return amount === null || amount === undefined ? null : toHundredths(amount)
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
