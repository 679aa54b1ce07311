import { type Language, nameOf } from '../language.ts'
import { desiOf } from '../shipping/measure.ts'
import { firstActivityStatus, registeredStatus, shipmentTypes } from '../store/shipment-names.ts'
import { type LocatedAddress, numbersOf, type Shipment, trackingNumberOf } from '../store/shipments.ts'
import { presentState } from './present-state.ts'
import { legacyTimestamp } from './timestamp.ts'

/**
 * docs/contract.md 7.3: exactly these members. Null: a document shipment has no such value, since its request names none.
 */
export function presentDocument(shipment: Shipment, language: Language) {
  const { row, carrier, organization } = shipment
  const { barcode, trackingNumber, trackingUrl } = numbersOf(shipment)
  return {
    id: row.id,
    type: presentState(shipmentTypes[row.typeId], language),
    status: presentState(registeredStatus, language),
    createdAt: legacyTimestamp(row.createdAt),
    updatedAt: legacyTimestamp(row.updatedAt),
    trackingNumber,
    barcode,
    trackingUrl,
    packages: shipment.packages.map((each) => ({
      id: each.id,
      desi: desiOf(each),
      trackingNumber: trackingNumberOf(carrier, each),
      activityStatus: presentState(firstActivityStatus, language),
    })),
    recipientAddress: presentParty(shipment.recipientAddress, language),
    senderAddress: presentParty(shipment.senderAddress, language),
    organization,
    carrier: { id: carrier.id, name: carrier.name, service: carrier.service, slug: carrier.slug },
    freightPrice: row.freightPriceHundredths / 100,
    peakPrice: row.peakPriceHundredths / 100,
    remoteAreaPrice: row.remoteAreaPriceHundredths / 100,
    referenceNumbers: JSON.parse(row.referenceNumbers) as string[],
    isGuarantee: false,
    isOutsource: false,
    products: [],
    currency: null,
    taxNumber: row.taxNumber,
    taxIdentificationNumber: row.taxIdentificationNumber,
    billingAddress: null,
    orderData: null,
    comment: row.comment,
    singlePointImport: null,
    customsAccountNumber: row.customsAccountNumber,
  }
}

function presentParty({ id, firstName, lastName, company, country }: LocatedAddress, language: Language) {
  return {
    id,
    firstName,
    lastName,
    company,
    country: { id: country.id, code: country.code, name: nameOf(country, language) },
  }
}
